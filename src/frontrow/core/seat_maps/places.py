"""A seat map in memory: sections and rows as dense tuples; a seat is a number, never an object.

Seat numbers run from 0 in document order: the rows of a section one after the other, a standing area as many as it
has room for. A map is made by `read` only, which has checked everything assumed here. Availability and prices in
money live elsewhere; a map never changes.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Flag, StrEnum, auto
from itertools import pairwise

from frontrow.core.catalogue import SeatMapSha

Point = tuple[float, float]  # centimetres; x grows to the right, y downwards
Outline = tuple[int, ...]  # x, y, x, y, …


class SeatFlag(Flag):
    """What a fan should know about one seat. The names in lower case are the fields of a row."""

    ACCESSIBLE = auto()  # a place for a wheelchair
    COMPANION = auto()  # for who comes with the person in the wheelchair
    AISLE = auto()  # nobody sits on one side of it
    RESTRICTED_VIEW = auto()


class AisleEnds(StrEnum):
    """Which ends of all the rows of a section lie on an aisle."""

    NONE = "none"
    FIRST = "first"
    LAST = "last"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Counting:
    """Seat numbers that count: first, first + step, … A negative step numbers a row from its other end."""

    first: int
    step: int


ONE_BY_ONE = Counting(first=1, step=1)


@dataclass(frozen=True, slots=True)
class Gap:
    """Room for `width` seats left free before the seat at index `before`. Its two sides are not neighbours."""

    before: int
    width: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Seats `first` to `last` of a row, by index and both included, have the flag."""

    flag: SeatFlag
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Seats side by side, on a line or a shallow curve."""

    section_no: int
    label: str
    first_seat: int
    seats: int
    price_level: str
    curve: tuple[int, ...]  # one seat: x, y; straight: first and last seat; curved: first seat, middle, last seat
    numbering: Counting | tuple[str, ...] = ONE_BY_ONE
    gaps: tuple[Gap, ...] = ()
    marks: tuple[Mark, ...] = ()
    aisle_ends: AisleEnds = AisleEnds.NONE

    @property
    def seat_nos(self) -> range:
        return range(self.first_seat, self.first_seat + self.seats)

    def number(self, index: int) -> str:
        """What is written on the seat."""
        if isinstance(self.numbering, Counting):
            return str(self.numbering.first + self.numbering.step * index)
        return self.numbering[index]

    def seat_no(self, number: str) -> int | None:
        """The seat with this on it, or None when the row has no such seat."""
        return next((self.first_seat + index for index in range(self.seats) if self.number(index) == number), None)

    def flags(self, index: int) -> SeatFlag:
        flags = SeatFlag.AISLE if self._ends_on_aisle(index) else SeatFlag(0)
        for mark in self.marks:
            if mark.first <= index <= mark.last:
                flags |= mark.flag
        return flags

    def _ends_on_aisle(self, index: int) -> bool:
        match self.aisle_ends:
            case AisleEnds.NONE:
                return False
            case AisleEnds.FIRST:
                return index == 0
            case AisleEnds.LAST:
                return index == self.seats - 1
            case AisleEnds.BOTH:
                return index in {0, self.seats - 1}

    def runs(self) -> Iterator[range]:
        """Seat numbers without a gap between them: who sits in one run sits together."""
        starts = [0, *(gap.before for gap in self.gaps), self.seats]
        for first, end in pairwise(starts):
            yield range(self.first_seat + first, self.first_seat + end)

    def positions(self) -> list[Point]:
        """Where each seat is."""
        return list(map(self.line(), range(self.seats)))

    def line(self) -> Callable[[int], Point]:
        """Tells where a seat is, by its index: evenly spaced in the parameter of the quadratic through three points."""
        x0, y0, xm, ym, x1, y1 = self._three_points()
        slots = self._slots()
        last_slot = max(1, slots[-1])
        ax, bx = 2 * (x0 - 2 * xm + x1), 4 * xm - 3 * x0 - x1
        ay, by = 2 * (y0 - 2 * ym + y1), 4 * ym - 3 * y0 - y1

        def at(index: int) -> Point:
            t = slots[index] / last_slot
            return x0 + t * (bx + t * ax), y0 + t * (by + t * ay)

        return at

    def _three_points(self) -> tuple[float, float, float, float, float, float]:
        match self.curve:
            case (x0, y0):
                return x0, y0, x0, y0, x0, y0
            case (x0, y0, x1, y1):
                return x0, y0, (x0 + x1) / 2, (y0 + y1) / 2, x1, y1
            case (x0, y0, xm, ym, x1, y1):
                return x0, y0, xm, ym, x1, y1
            case _:
                raise AssertionError(self.curve)

    def _slots(self) -> Sequence[int]:
        """The slot of each seat; a gap takes up as many slots as it is wide."""
        if not self.gaps:
            return range(self.seats)
        slots: list[int] = []
        shift = 0
        for gap in (*self.gaps, Gap(before=self.seats, width=0)):
            slots += range(len(slots) + shift, gap.before + shift)
            shift += gap.width
        return slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the hall that people are sent to: seats in rows, or an area to stand in."""

    section_no: int
    label: str
    tier: str | None  # "Upper tier", "Dress circle"
    outline: Outline
    price_level: str
    first_seat: int
    seats: int
    rows: tuple[Row, ...]  # none: a standing area

    @property
    def standing(self) -> bool:
        return not self.rows

    @property
    def seat_nos(self) -> range:
        return range(self.first_seat, self.first_seat + self.seats)

    def row(self, label: str) -> Row | None:
        return next((row for row in self.rows if row.label == label), None)


@dataclass(frozen=True, slots=True)
class Stage:
    """What everybody has come to see: a stage, a screen, a pitch."""

    name: str
    outline: Outline
    focus: tuple[int, int]  # where eyes go; the nearer and the more central, the better the seat


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Where a seat number is. In a standing area there is neither row nor number."""

    section: Section
    row: Row | None
    number: str | None
    flags: SeatFlag
    price_level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatMap:
    """The geometry of a hall as one version of it is sold: sections, rows, and seat numbers 0 to seats - 1."""

    sha: SeatMapSha
    canonical: bytes = field(repr=False)
    name: str
    price_levels: tuple[str, ...]  # the dearest first
    stage: Stage
    sections: tuple[Section, ...] = field(repr=False)
    seats: int
    parts: tuple[Row | Section, ...] = field(init=False, repr=False, compare=False)  # rows and standing areas, in order
    _first_seats: "array[int]" = field(init=False, repr=False, compare=False)  # of each part

    def __post_init__(self) -> None:
        parts = tuple(part for section in self.sections for part in (section.rows or (section,)))
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "_first_seats", array("I", [part.first_seat for part in parts]))

    def __contains__(self, seat_no: int) -> bool:
        return 0 <= seat_no < self.seats

    @property
    def rows(self) -> Iterator[Row]:
        return (row for section in self.sections for row in section.rows)

    def section(self, label: str) -> Section | None:
        return next((section for section in self.sections if section.label == label), None)

    def part(self, seat_no: int) -> Row | Section:
        """The row or standing area of the seat. Ask `seat_no in seat_map` first when a stranger sent it."""
        assert seat_no in self, seat_no
        return self.parts[bisect_right(self._first_seats, seat_no) - 1]

    def section_of(self, seat_no: int) -> Section:
        return self.sections[self.part(seat_no).section_no]

    def row_of(self, seat_no: int) -> Row | None:
        part = self.part(seat_no)
        return part if isinstance(part, Row) else None

    def price_level(self, seat_no: int) -> str:
        return self.part(seat_no).price_level

    def place(self, seat_no: int) -> SeatPlace:
        """Where the seat is, in every respect."""
        part = self.part(seat_no)
        if isinstance(part, Section):
            return SeatPlace(part, None, None, SeatFlag(0), part.price_level)
        index, section = seat_no - part.first_seat, self.sections[part.section_no]
        return SeatPlace(section, part, part.number(index), part.flags(index), part.price_level)
