"""Reading a seat map document: from bytes to a `SeatMap`, or to what is wrong with them.

The rules between fields are here; those of single fields are in fields.py. A document comes from strangers: nothing
in it raises, and the work it can cause is bounded by limits.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot
from typing import Final, cast

from frontrow.core.seat_maps.document import MapDocument, canonical, identity
from frontrow.core.seat_maps.fields import Fields
from frontrow.core.seat_maps.flaws import Flaws, MapFlaw, MapRefused, Spot, quoted
from frontrow.core.seat_maps.geometry import corners, is_simple, twice_area
from frontrow.core.seat_maps.limits import (
    FORMAT,
    GAP_SEATS_MAX,
    NAME_CHARS_MAX,
    OUTLINE_POINTS_MAX,
    PRICE_LEVEL_CHARS_MAX,
    PRICE_LEVELS_MAX,
    ROWS_MAX,
    SEAT_NUMBER_CHARS_MAX,
    SEAT_NUMBER_MAX,
    SEAT_SPACING_CM_MIN,
    SEATS_MAX,
    SEATS_PER_ROW_MAX,
    SECTIONS_MAX,
)
from frontrow.core.seat_maps.parsing import parse
from frontrow.core.seat_maps.places import (
    ONE_BY_ONE,
    AisleEnds,
    Counting,
    Gap,
    Mark,
    Outline,
    Row,
    SeatFlag,
    SeatMap,
    Section,
    Stage,
)

MAP_FIELDS: Final = ("format", "name", "price_levels", "sections", "stage")
STAGE_FIELDS: Final = ("focus", "name", "outline")
SECTION_FIELDS: Final = ("aisle_ends", "capacity", "label", "outline", "price_level", "rows", "tier")
FLAG_FIELDS: Final = tuple((flag, cast("str", flag.name).lower()) for flag in SeatFlag)
ROW_FIELDS: Final = (
    *("curve", "gaps", "label", "numbering", "price_level", "seats"),
    *(name for _, name in FLAG_FIELDS),
)
NUMBERING_FIELDS: Final = ("first", "step")
CORNERS_MIN: Final = 3


def read(document: bytes) -> SeatMap | MapRefused:
    """The map in the document, or its flaws in document order."""
    parsed = parse(document)
    if isinstance(parsed, MapFlaw):
        return MapRefused((parsed,))
    flaws = Flaws()
    fields = Fields.of(parsed, Spot(), flaws)
    seat_map = _read_map(fields, cast("MapDocument", parsed)) if fields else None
    if flaws.found:
        return MapRefused(tuple(flaws.found))
    assert seat_map is not None, "a document without flaws is a map"
    return seat_map


def _read_map(fields: Fields, document: MapDocument) -> SeatMap | None:
    if fields.one_of("format", (FORMAT,), quoted(FORMAT)) is None:
        return None  # what this version knows about fields says nothing about another format's
    fields.know(MAP_FIELDS)
    name = fields.text("name", NAME_CHARS_MAX)
    price_levels = fields.texts("price_levels", PRICE_LEVELS_MAX, PRICE_LEVEL_CHARS_MAX)
    stage = _read_stage(fields)
    sections = _SectionsReader(price_levels).read(fields)
    if name is None or price_levels is None or stage is None or fields.flaws.found:
        return None
    _check_price_levels_used(fields, price_levels, sections)
    written = canonical(document)
    return SeatMap(
        sha=identity(written),
        canonical=written,
        name=name,
        price_levels=price_levels,
        stage=stage,
        sections=sections,
        seats=sum(section.seats for section in sections),
    )


def _read_stage(fields: Fields) -> Stage | None:
    stage = fields.fields("stage")
    if stage is None:
        return None
    stage.know(STAGE_FIELDS)
    name, outline = stage.text("name"), _read_outline(stage)
    focus = stage.coordinates("focus", 1, 1)
    if name is None or outline is None or focus is None:
        return None
    return Stage(name, outline, (focus[0], focus[1]))


def _read_outline(fields: Fields) -> Outline | None:
    outline = fields.coordinates("outline", CORNERS_MIN, OUTLINE_POINTS_MAX)
    if outline is None:
        return None
    polygon = corners(outline)
    if twice_area(polygon) and is_simple(polygon):
        return outline
    fields.refuse("the outline crosses or touches itself; expected a polygon, each corner given once", field="outline")
    return None


def _check_price_levels_used(fields: Fields, price_levels: Sequence[str], sections: Sequence[Section]) -> None:
    used = {row.price_level for section in sections for row in section.rows}
    used |= {section.price_level for section in sections if section.standing}
    for level in price_levels:
        if level not in used:
            fields.refuse(f"no seat is of price level {quoted(level)}; leave it out", field="price_levels")


@dataclass(slots=True)
class _SectionsReader:
    """Reads sections in order and deals out the seat numbers."""

    price_levels: Sequence[str] | None  # None: they could not be read, so nothing is held against them
    next_seat: int = 0
    rows_read: int = 0
    section_labels: set[str] = field(default_factory=set[str])

    def read(self, fields: Fields) -> tuple[Section, ...]:
        sections: list[Section] = []
        for part in fields.objects("sections", SECTIONS_MAX, "section"):
            section = self._read_section(part, len(sections))
            if section is not None:
                sections.append(section)
            if self.next_seat > SEATS_MAX:
                fields.refuse(f"more than {SEATS_MAX} seats up to {part.spot.words}; expected at most that many")
                break
            if self.rows_read > ROWS_MAX:
                fields.refuse(f"more than {ROWS_MAX} rows up to {part.spot.words}; expected at most that many")
                break
        return tuple(sections)

    def _read_section(self, fields: Fields, section_no: int) -> Section | None:
        fields.know(SECTION_FIELDS)
        label, outline = fields.text("label"), _read_outline(fields)
        tier, price_level = fields.text_or_none("tier"), self._price_level(fields)
        _refuse_repeated(fields, label, self.section_labels, "the map has two sections with this label")
        first_seat = self.next_seat
        rows = self._read_seats(fields, section_no, price_level or "")
        if label is None or outline is None or price_level is None:
            return None
        return Section(
            section_no=section_no,
            label=label,
            tier=tier,
            outline=outline,
            price_level=price_level,
            first_seat=first_seat,
            seats=self.next_seat - first_seat,
            rows=rows,
        )

    def _read_seats(self, fields: Fields, section_no: int, price_level: str) -> tuple[Row, ...]:
        """The section's rows; none for a standing area, whose seat numbers are dealt out all the same."""
        if ("rows" in fields) == ("capacity" in fields):
            fields.refuse('expected either "rows" (seats) or "capacity" (a standing area)')
            return ()
        aisle_ends = _read_aisle_ends(fields)
        if "capacity" in fields:
            if "aisle_ends" in fields:
                fields.refuse("a standing area has no rows that could end on an aisle", field="aisle_ends")
            self.next_seat += fields.number("capacity", 1, SEATS_MAX) or 0
            return ()
        return tuple(self._read_rows(fields, section_no, price_level, aisle_ends))

    def _read_rows(self, fields: Fields, section_no: int, price_level: str, aisle_ends: AisleEnds) -> Iterator[Row]:
        labels: set[str] = set()
        for part in fields.objects("rows", ROWS_MAX, "row"):
            self.rows_read += 1
            part.know(ROW_FIELDS)
            label = part.text("label")
            _refuse_repeated(part, label, labels, "the section has two rows with this label")
            row_level = self._price_level(part) if "price_level" in part else price_level
            seats = part.number("seats", 1, SEATS_PER_ROW_MAX)
            if seats is None:
                continue
            row = Row(
                section_no=section_no,
                label=label or "",
                first_seat=self.next_seat,
                seats=seats,
                price_level=row_level or "",
                curve=_read_curve(part, seats),
                numbering=_read_numbering(part, seats),
                gaps=_read_gaps(part, seats),
                marks=_read_marks(part, seats),
                aisle_ends=aisle_ends,
            )
            _check_spacing(part, row)
            self.next_seat += seats
            yield row

    def _price_level(self, fields: Fields) -> str | None:
        if self.price_levels is None:
            return fields.text("price_level", PRICE_LEVEL_CHARS_MAX)
        return fields.one_of("price_level", self.price_levels, f"one of {', '.join(self.price_levels)}")


def _refuse_repeated(fields: Fields, label: str | None, seen: set[str], problem: str) -> None:
    if label is None:
        return
    if label in seen:
        fields.refuse(problem, field="label")
    seen.add(label)


def _read_aisle_ends(fields: Fields) -> AisleEnds:
    if "aisle_ends" not in fields:
        return AisleEnds.NONE
    ends = fields.one_of("aisle_ends", tuple(AisleEnds), ", ".join(AisleEnds))
    return AisleEnds(ends) if ends else AisleEnds.NONE


def _read_curve(fields: Fields, seats: int) -> tuple[int, ...]:
    if seats == 1:
        return fields.coordinates("curve", 1, 1) or ()
    return fields.coordinates("curve", 2, 3) or ()


def _check_spacing(fields: Fields, row: Row) -> None:
    if row.seats == 1 or not row.curve:
        return
    slots = row.seats - 1 + sum(gap.width for gap in row.gaps)
    x0, y0, *_, x1, y1 = row.curve
    if hypot(x1 - x0, y1 - y0) >= slots * SEAT_SPACING_CM_MIN:
        return  # as long as this without its bend
    length = sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(corners(row.curve)))
    if length < slots * SEAT_SPACING_CM_MIN:
        fields.refuse(
            f"the seats are {length / slots:.0f} cm apart; expected at least {SEAT_SPACING_CM_MIN} "
            "(coordinates are centimetres)",
            field="curve",
        )


def _read_numbering(fields: Fields, seats: int) -> Counting | tuple[str, ...]:
    if "numbering" not in fields:
        return ONE_BY_ONE
    if fields.is_list("numbering"):
        return _read_listed_numbers(fields, seats)
    counting = fields.fields("numbering")
    return _read_counting(counting, seats) if counting else ONE_BY_ONE


def _read_listed_numbers(fields: Fields, seats: int) -> tuple[str, ...]:
    numbers = fields.texts("numbering", SEATS_PER_ROW_MAX, SEAT_NUMBER_CHARS_MAX)
    if numbers is not None and len(numbers) != seats:
        fields.refuse(f"{seats} seats but the numbering lists {len(numbers)}", field="numbering")
    return numbers or ()


def _read_counting(fields: Fields, seats: int) -> Counting:
    fields.know(NUMBERING_FIELDS)
    first = fields.number("first", 0, SEAT_NUMBER_MAX)
    step = fields.number("step", -SEAT_NUMBER_MAX, SEAT_NUMBER_MAX)
    if first is None or step is None:
        return ONE_BY_ONE
    last = first + step * (seats - 1)
    if step == 0:
        fields.refuse("the numbering's step is 0; expected 1, 2, -1, …", field="step")
    elif not 0 <= last <= SEAT_NUMBER_MAX:
        fields.refuse(f"{seats} seats numbered from {first} to {last}; expected 0 to {SEAT_NUMBER_MAX}", field="step")
    return Counting(first, step)


def _read_gaps(fields: Fields, seats: int) -> tuple[Gap, ...]:
    if "gaps" not in fields:
        return ()
    gaps: list[Gap] = []
    for entry in fields.entries("gaps", 1, SEATS_PER_ROW_MAX) or ():
        numbers = fields.pair(entry, "gaps")
        if numbers is None:
            return ()
        gap = Gap(*numbers)
        after = gaps[-1].before if gaps else 0
        if not after < gap.before < seats:
            fields.refuse(f"a gap before seat {gap.before}; expected {after + 1} to {seats - 1}", field="gaps")
            return ()
        if not 1 <= gap.width <= GAP_SEATS_MAX:
            fields.refuse(f"a gap {gap.width} seats wide; expected 1 to {GAP_SEATS_MAX}", field="gaps")
            return ()
        gaps.append(gap)
    return tuple(gaps)


def _read_marks(fields: Fields, seats: int) -> tuple[Mark, ...]:
    marks = [
        Mark(flag, first, last)
        for flag, name in FLAG_FIELDS
        if name in fields
        for first, last in fields.indexes(name, seats)
    ]
    if marks:
        _check_companions(fields, marks)
    return tuple(marks)


def _check_companions(fields: Fields, marks: Sequence[Mark]) -> None:
    both = _marked(marks, SeatFlag.ACCESSIBLE) & _marked(marks, SeatFlag.COMPANION)
    if both:
        fields.refuse(f"seat {min(both)} is both accessible and companion; expected one of them", field="companion")


def _marked(marks: Sequence[Mark], flag: SeatFlag) -> set[int]:
    return {index for mark in marks if mark.flag is flag for index in range(mark.first, mark.last + 1)}
