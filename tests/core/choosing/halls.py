"""Small halls drawn as text, and the slow, obvious rules that choosing is held against.

A row is a string: `.` a free seat, `x` a taken one, `w` a free place for a wheelchair, `W` a taken one, a blank a gap.
A section whose only line begins with `~` is a standing area. The stage is above the first row, in the middle.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hypothesis import strategies as st

from frontrow.core.catalogue import PriceLevel
from frontrow.core.choosing import SeatPlan, Supply, plan_seats
from frontrow.core.money import Money
from frontrow.core.seat_maps import (
    FORMAT,
    MapDocument,
    MapRefused,
    RowDocument,
    SeatFlag,
    SeatMap,
    SectionDocument,
    StageDocument,
    canonical,
    read,
)

PRICES = {"A": 5_000, "B": 3_000, "C": 1_000}
SEAT_CM, ROW_CM = 50, 100


@dataclass(frozen=True)
class Hall:
    """A map, and who took what."""

    seat_map: SeatMap
    plan: SeatPlan
    taken: frozenset[int]

    @property
    def free(self) -> set[int]:
        return set(range(self.seat_map.seats)) - self.taken

    def supply(self) -> Supply:
        supply = Supply(self.plan)
        supply.take(self.taken)
        return supply

    def asked(self, section_no: int | None, price_max: int | None) -> set[int]:
        """The free seats in the section and up to the price."""
        return {seat for seat in self.free if self.fits_wish(seat, section_no, price_max)}

    def fits_wish(self, seat: int, section_no: int | None, price_max: int | None) -> bool:
        right_section = section_no is None or self.seat_map.section_of(seat).section_no == section_no
        return right_section and (price_max is None or self.price(seat) <= price_max)

    def price(self, seat: int) -> int:
        return PRICES[self.seat_map.price_level(seat)]

    def set_aside(self, seat: int) -> bool:
        return bool(self.seat_map.place(seat).flags & (SeatFlag.ACCESSIBLE | SeatFlag.COMPANION))


def hall(*sections: tuple[str, Sequence[str]]) -> Hall:
    """Sections one behind the other, each with its price level and its lines."""
    documents: list[SectionDocument] = []
    taken: list[bool] = []
    top = 0
    for number, (level, lines) in enumerate(sections):
        documents.append(_section(str(number), level, lines, top))
        top += (len(lines) + 2) * ROW_CM
        taken += [mark in "xW" for line in lines for mark in line if mark not in " ~"]
    levels = sorted({level for level, _ in sections})
    stage = StageDocument(name="Stage", outline=[-200, -400, 200, -400, 200, -200, -200, -200], focus=[0, -300])
    document = MapDocument(format=FORMAT, name="Hall", price_levels=levels, stage=stage, sections=documents)
    seat_map = read(canonical(document))
    assert not isinstance(seat_map, MapRefused), seat_map
    return Hall(seat_map, planned(seat_map), frozenset(seat for seat, is_taken in enumerate(taken) if is_taken))


def planned(seat_map: SeatMap) -> SeatPlan:
    """Maps with other levels than A, B and C: each is cheaper than the one before."""
    prices = PRICES if set(seat_map.price_levels) <= set(PRICES) else {}
    levels = [
        PriceLevel(level, level, Money(prices.get(level, 9_000 - 500 * place), "EUR"), Money(0, "EUR"))
        for place, level in enumerate(seat_map.price_levels)
    ]
    return plan_seats(seat_map, levels)


def _section(label: str, level: str, lines: Sequence[str], top: int) -> SectionDocument:
    half, bottom = SEAT_CM * min(200, max(len(line) for line in lines)), top + (len(lines) + 1) * ROW_CM
    outline = [-half, top, half, top, half, bottom, -half, bottom]
    section = SectionDocument(label=label, price_level=level, outline=outline)
    if lines[0].startswith("~"):
        section["capacity"] = len(lines[0]) - 1
    else:
        section["rows"] = [_row(str(number), line, top + number * ROW_CM) for number, line in enumerate(lines, start=1)]
    return section


def _row(label: str, line: str, depth: int) -> RowDocument:
    seats = line.replace(" ", "")
    half = SEAT_CM * (len(line) - 1) // 2
    row = RowDocument(
        label=label, seats=len(seats), curve=[-half, depth, half, depth] if len(seats) > 1 else [0, depth]
    )
    gaps = list(_gaps(line))
    if gaps:
        row["gaps"] = gaps
    accessible: list[int | list[int]] = [index for index, mark in enumerate(seats) if mark in "wW"]
    if accessible:
        row["accessible"] = accessible
    return row


def _gaps(line: str) -> Iterator[list[int]]:
    before = 0
    for is_gap, marks in groupby(line, lambda mark: mark == " "):
        width = len(list(marks))
        if is_gap:
            yield [before, width]
        else:
            before += width


def drawn(lines: Sequence[str], chosen: Iterable[int]) -> list[str]:
    """The lines with a `#` for each seat that was chosen."""
    seat = 0
    places = set(chosen)
    pictures: list[str] = []
    for line in lines:
        marks = list(line)
        for index, mark in enumerate(line):
            if mark not in " ~":
                marks[index] = "#" if seat in places else mark
                seat += 1
        pictures.append("".join(marks))
    return pictures


# The oracle: no bits, no ranks, no patches.


def side_by_side(hall: Hall) -> Iterator[list[int]]:
    """Seats without a gap and without another kind between them, row by row."""
    for row in hall.seat_map.rows:
        for run in row.runs():
            for _, seats in groupby(run, hall.set_aside):
                yield list(seats)


def places_together(hall: Hall, free: set[int], quantity: int) -> Iterator[tuple[int, ...]]:
    """Every group of so many free neighbours; of a standing area, one group if so many fit."""
    for run in side_by_side(hall):
        for first in range(len(run) - quantity + 1):
            group = tuple(run[first : first + quantity])
            if free.issuperset(group):
                yield group
    for section in hall.seat_map.sections:
        standing = sorted(free.intersection(section.seat_nos)) if section.standing else []
        if len(standing) >= quantity:
            yield tuple(standing[:quantity])


def is_together(hall: Hall, group: Sequence[int]) -> bool:
    if all(hall.seat_map.section_of(seat).standing for seat in group):
        return len({hall.seat_map.section_of(seat).section_no for seat in group}) == 1
    return any(
        list(group) == run[start : start + len(group)] for run in side_by_side(hall) for start in range(len(run))
    )


def strands(hall: Hall, free: set[int], group: Sequence[int]) -> bool:
    """Next to the group, a seat is left with nobody free beside it, where before there was more."""
    left = free - set(group)
    for run in side_by_side(hall):
        for place, seat in enumerate(run):
            beside = {run[other] for other in (place - 1, place + 1) if 0 <= other < len(run)}
            if seat in left and not beside & left and beside & set(group):
                return True
    return False


@st.composite
def halls(draw: st.DrawFn) -> Hall:
    marks = st.lists(st.sampled_from(".....xxx wW"), min_size=2, max_size=24)
    line = marks.map(lambda row: "".join(row).strip() or ".")
    seated = st.lists(line, min_size=1, max_size=4)
    standing = st.text(".x", min_size=1, max_size=14).map(lambda places: ["~" + places])
    section = st.tuples(st.sampled_from("ABC"), seated | seated | standing)
    return hall(*draw(st.lists(section, min_size=1, max_size=3)))
