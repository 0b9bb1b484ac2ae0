"""A picture of a seat map, to judge it by eye: sections, every seat in the colour of its price level, the stage.

One SVG on a white page, in plan coordinates. What fans see is drawn by the pages, not here.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final
from xml.sax.saxutils import escape

from frontrow.core.seat_maps.geometry import centroid, corners
from frontrow.core.seat_maps.places import Outline, Point, Row, SeatFlag, SeatMap, Section

# Okabe and Ito's colours, told apart with any kind of colour vision; the dearest level has the first one.
COLOURS: Final = ("#d55e00", "#e69f00", "#009e73", "#0072b2", "#cc79a7", "#56b4e9", "#8f7f00", "#555555")
INK: Final = "#1b1f2a"
SEAT_CM: Final = 44  # across a dot
MARK_CM: Final = 22  # across what is drawn on a dot
PAGE_MARGIN: Final = 0.04  # of the larger side
LABEL_SIZE: Final = 0.011  # of the larger side, where the section has room for it
ROW_LABELS_SEATS_MAX: Final = 3_000  # on larger maps nobody could read them


def draw(seat_map: SeatMap) -> str:
    """The map as a complete SVG document."""
    left, top, width, height = _page(seat_map)
    size = max(width, height)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" '
            'font-family="sans-serif" text-anchor="middle">'
        ),
        f"<title>{escape(seat_map.name)}</title>",
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#ffffff"/>',
        *_stage(seat_map, size),
        *(part for section in seat_map.sections for part in _section(seat_map, section)),
    ]
    if seat_map.seats <= ROW_LABELS_SEATS_MAX:
        parts += [_row_label(row) for row in seat_map.rows]
    parts += [_section_label(section, size) for section in seat_map.sections]
    return "\n".join([*parts, "</svg>\n"])


def colour(seat_map: SeatMap, price_level: str) -> str:
    return COLOURS[seat_map.price_levels.index(price_level) % len(COLOURS)]


def _page(seat_map: SeatMap) -> tuple[int, int, int, int]:
    """Left, top, width and height of everything on the plan, with a margin."""
    outlines = [seat_map.stage.outline, *(section.outline for section in seat_map.sections)]
    points = [corner for outline in outlines for corner in corners(outline)]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    margin = ceil(max(right - left, bottom - top) * PAGE_MARGIN)
    return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin


def _stage(seat_map: SeatMap, size: int) -> Iterator[str]:
    outline = seat_map.stage.outline
    yield f'<polygon points="{_points(outline)}" fill="{INK}"/>'
    yield _text(centroid(corners(outline)), seat_map.stage.name, size * LABEL_SIZE * 1.6, "#ffffff")


def _section(seat_map: SeatMap, section: Section) -> Iterator[str]:
    tint = colour(seat_map, section.price_level)
    strength = 0.45 if section.standing else 0.12
    yield (
        f'<polygon points="{_points(section.outline)}" fill="{tint}" fill-opacity="{strength}" '
        f'stroke="{tint}" stroke-width="12"/>'
    )
    for level in seat_map.price_levels:
        rows = [row for row in section.rows if row.price_level == level]
        yield from _dots(_all_positions(rows), SEAT_CM, colour(seat_map, level))
    yield from _dots(_flagged(section.rows, SeatFlag.RESTRICTED_VIEW), MARK_CM, "#ffffff")
    yield from _dots(_flagged(section.rows, SeatFlag.ACCESSIBLE), MARK_CM, INK)
    yield from _dots(_flagged(section.rows, SeatFlag.COMPANION), MARK_CM // 2, INK)


def _all_positions(rows: Iterable[Row]) -> Iterator[Point]:
    return (position for row in rows for position in row.positions())


def _flagged(rows: Iterable[Row], flag: SeatFlag) -> Iterator[Point]:
    for row in rows:
        if any(mark.flag is flag for mark in row.marks):
            positions = row.positions()
            yield from (positions[index] for index in range(row.seats) if flag in row.flags(index))


def _dots(positions: Iterable[Point], across: int, fill: str) -> Iterator[str]:
    """All dots of one colour as one path: strokes of no length with round ends."""
    path = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in positions)
    if path:
        yield f'<path d="{path}" stroke="{fill}" stroke-width="{across}" stroke-linecap="round"/>'


def _row_label(row: Row) -> str:
    positions = row.positions()
    x, y = positions[0]
    ahead_x, ahead_y = (x - positions[1][0], y - positions[1][1]) if row.seats > 1 else (-SEAT_CM, 0.0)
    return _text((x + ahead_x, y + ahead_y), row.label, SEAT_CM * 0.7, "#777777")


def _section_label(section: Section, size: int) -> str:
    return _text(centroid(corners(section.outline)), section.label, size * LABEL_SIZE, INK, halo=True)


def _text(at: Point, words: str, size: float, fill: str, *, halo: bool = False) -> str:
    outline = f' stroke="#ffffff" stroke-width="{size / 4:.0f}" paint-order="stroke" font-weight="bold"' if halo else ""
    x, y = at
    return (
        f'<text x="{x:.0f}" y="{y + size * 0.35:.0f}" font-size="{size:.0f}" fill="{fill}"{outline}>'
        f"{escape(words)}</text>"
    )


def _points(outline: Outline | Sequence[int]) -> str:
    return " ".join(f"{x},{y}" for x, y in corners(outline))
