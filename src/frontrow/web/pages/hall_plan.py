"""The plan of a hall as the event page draws it: sections in the colours of their price levels, and the stage.

Small halls have a dot for each seat; on large ones nobody could tell dots apart. This file knows shapes and where
they are; the template makes them SVG, the stylesheet gives them colours. Which seats are left is not on it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.seat_maps import MapRefused, Point, Row, SeatMap, read
from frontrow.core.seat_maps.geometry import centroid, corners, edges
from frontrow.core.seat_maps.places import Outline

PLANS_REMEMBERED_MAX: Final = 64  # 40 kB each; a worker rarely sells more halls at once
DOTS_MAX: Final = 2_500  # seats; a dot is 10 bytes of the page
MARGIN: Final = 0.02  # of the larger side
LABEL_MAX: Final = 0.024  # of the larger side
LABEL_MIN: Final = 0.009  # below it a label is a smudge
CHARACTER_WIDTH: Final = 0.66  # of the height, in bold

# Price levels are told apart by shape as well as by colour: the legend draws these, and the map its seats. The box is
# 20 wide, around 0.
LEVEL_SHAPES: Final = (
    "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0z",
    "M-7-4a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-8a3 3 0 0 1-3-3z",
    "M0-9.500l9.500 9.500-9.500 9.500-9.500-9.500z",
    "M-4.500-8h9l4.500 8-4.500 8h-9l-4.500-8z",
    "M0-9.500l9.500 16.500h-19z",
    "M-8.500-5h17v10h-17z",
    "M0-9l8.600 6.200-3.300 10.200h-10.600l-3.300-10.200z",
    "M-3.500-8.500h7l5 5v7l-5 5h-7l-5-5v-7z",
)


@dataclass(frozen=True, slots=True)
class Label:
    """Words on the plan, centred on a point."""

    text: str
    x: int
    y: int
    size: int


@dataclass(frozen=True, slots=True)
class Block:
    """A section: its outline, the number of its price level (the dearest is 0), and its name if there is room."""

    section: str
    standing: bool
    level_no: int
    points: str
    label: Label | None


@dataclass(frozen=True, slots=True)
class Dots:
    """Every seat of one price level, as strokes without length."""

    level_no: int
    strokes: Mapping[int, str]  # by seat number

    @property
    def path(self) -> str:
        """All of them."""
        return "".join(self.strokes.values())

    def path_of(self, seats: Collection[int]) -> str:
        """Those that are among these seats."""
        return "".join(stroke for seat, stroke in self.strokes.items() if seat in seats)


@dataclass(frozen=True, slots=True)
class HallPlan:
    """What there is to draw, in the units of the seat map (centimetres)."""

    name: str
    left: int
    top: int
    width: int
    height: int
    stage: str  # points
    stage_label: Label
    blocks: tuple[Block, ...]
    dots: tuple[Dots, ...]
    levels: tuple[str, ...]  # the dearest first
    seats: int


class HallPlans:
    """Plans by seat map. A map never changes, so neither does its plan; reading a stadium's takes 60 ms."""

    def __init__(self, document_of: Callable[[SeatMapSha], Awaitable[bytes | None]]) -> None:
        """`document_of`: the catalogue's way to a seat map's canonical form."""
        self._document_of = document_of
        self._plans: OrderedDict[SeatMapSha, HallPlan | None] = OrderedDict()

    async def of(self, sha: SeatMapSha) -> HallPlan | None:
        """The plan, or None where there is no map that can be drawn."""
        if sha not in self._plans:
            document = await self._document_of(sha)
            self._plans[sha] = None if document is None else await asyncio.to_thread(_plan_in, document)
            if len(self._plans) > PLANS_REMEMBERED_MAX:
                self._plans.popitem(last=False)
        return self._plans.get(sha)


def _plan_in(document: bytes) -> HallPlan | None:
    seat_map = read(document)
    return None if isinstance(seat_map, MapRefused) else plan_of(seat_map)


def plan_of(seat_map: SeatMap) -> HallPlan:
    left, top, right, bottom = _edges(seat_map)
    size = max(right - left, bottom - top)
    margin = round(size * MARGIN)
    stage = seat_map.stage
    return HallPlan(
        name=seat_map.name,
        left=left - margin,
        top=top - margin,
        width=right - left + 2 * margin,
        height=bottom - top + 2 * margin,
        stage=_points(stage.outline),
        stage_label=_label(stage.name, stage.outline, min(_room(stage.name, stage.outline), size * LABEL_MAX)),
        blocks=tuple(_blocks(seat_map, size)),
        dots=tuple(_dots(seat_map)) if seat_map.seats <= DOTS_MAX else (),
        levels=seat_map.price_levels,
        seats=seat_map.seats,
    )


def spots(seat_map: SeatMap, seats: Collection[int]) -> Sequence[Point]:
    """Where these seats are. A place to stand is nowhere in particular."""
    rows = {row for seat in seats if (row := seat_map.row_of(seat))}
    return [point for seat, point in _positions(sorted(rows, key=_first_seat)) if seat in seats]


def _edges(seat_map: SeatMap) -> tuple[int, int, int, int]:
    outlines = [seat_map.stage.outline, *(section.outline for section in seat_map.sections)]
    points = [corner for outline in outlines for corner in corners(outline)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _blocks(seat_map: SeatMap, size: int) -> Iterator[Block]:
    """All labels of one tier are of one size, that of the narrowest; what has no room for a readable one has none."""
    heights: dict[str | None, float] = {}
    rooms = [_room(section.label, section.outline) for section in seat_map.sections]
    for section, room in zip(seat_map.sections, rooms, strict=True):
        if room >= size * LABEL_MIN:
            heights[section.tier] = min(room, heights.get(section.tier, size * LABEL_MAX))
    for section, room in zip(seat_map.sections, rooms, strict=True):
        yield Block(
            section=section.label,
            standing=section.standing,
            level_no=seat_map.price_levels.index(section.price_level),
            points=_points(section.outline),
            label=_label(section.label, section.outline, heights[section.tier]) if room >= size * LABEL_MIN else None,
        )


def _dots(seat_map: SeatMap) -> Iterator[Dots]:
    for level_no, level in enumerate(seat_map.price_levels):
        rows = [row for row in seat_map.rows if row.price_level == level]
        if rows:
            yield Dots(level_no, {seat: f"M{x:.0f} {y:.0f}h0" for seat, (x, y) in _positions(rows)})


def _positions(rows: Sequence[Row]) -> Iterator[tuple[int, Point]]:
    return (placed for row in rows for placed in zip(row.seat_nos, row.positions(), strict=True))


def _room(text: str, outline: Outline) -> float:
    """How high letters may be so that the text, upright in the middle of the outline, stays inside."""
    polygon = corners(outline)
    x, y = centroid(polygon)
    across = _reach(x, [(a, b) for a, b in polygon], y)
    along = _reach(y, [(b, a) for a, b in polygon], x)
    return min(2 * across * 0.9 / (CHARACTER_WIDTH * len(text)), 2 * along * 0.65)


def _reach(start: float, polygon: Sequence[Point], level: float) -> float:
    """How far it is from a point, on a line through it, to the nearer side of the polygon."""
    crossings = [
        ax + (level - ay) / (by - ay) * (bx - ax)
        for (ax, ay), (bx, by) in edges(polygon)
        if (ay > level) != (by > level)
    ]
    return min((abs(crossing - start) for crossing in crossings), default=0.0)


def _label(text: str, outline: Outline, height: float) -> Label:
    x, y = centroid(corners(outline))
    return Label(text, round(x), round(y + height * 0.36), round(height))


def _points(outline: Outline) -> str:
    return " ".join(f"{x},{y}" for x, y in corners(outline))


def _first_seat(row: Row) -> int:
    return row.first_seat
