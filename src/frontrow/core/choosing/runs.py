"""Runs: seats side by side that are alike, and slices of a standing area. The pieces a seat map is chosen from.

A row is cut where there is a gap, and where places for wheelchairs and companions begin or end: those are for whoever
needs them. A run has patches of a few seats; how good a patch is, plan.py ranks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Final

from frontrow.core.choosing.quality import Quality
from frontrow.core.choosing.stretches import offers, offers_standing, patches
from frontrow.core.seat_maps import Point, Row, SeatFlag, SeatMap, Section
from frontrow.core.seat_maps.geometry import centroid, corners

Line = Callable[[int], Point]  # where each seat of a row is, by its index

STANDING_RUN_SEATS: Final = 512  # a number of so many bits is still quick to change
SET_ASIDE: Final = SeatFlag.ACCESSIBLE | SeatFlag.COMPANION


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Neighbouring seat numbers of one section, one price and one kind."""

    section_no: int
    first_seat: int
    seats: int
    price_level: str
    ends: tuple[Point, Point]
    heart: int  # the index nearest to the focus
    patch_costs: tuple[float, ...]
    standing: bool = False
    set_aside: bool = False

    @property
    def all_free(self) -> int:
        return (1 << self.seats) - 1

    def patch_bits(self, patch: int) -> int:
        return self.all_free if self.standing else patches(self.seats)[patch]

    def offers(self, free: int) -> tuple[int, ...]:
        return offers_standing(free) if self.standing else offers(free, self.seats)

    def point(self, index: float) -> Point:
        """Where a seat is: close enough to compare distances, for rows bend little."""
        (x0, y0), (x1, y1) = self.ends
        share = index / max(1, self.seats - 1)
        return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share

    def nearest(self, point: Point) -> int:
        return _nearest(self.ends, self.seats, point)


def runs_of(seat_map: SeatMap) -> Iterator[Run]:
    """All of the map, in the order of seat numbers."""
    lines = [row.line() for row in seat_map.rows]
    middles = [at(row.seats // 2) for row, at in zip(seat_map.rows, lines, strict=True)]
    middles += [centroid(corners(section.outline)) for section in seat_map.sections if section.standing]
    quality = Quality.before(seat_map.stage.focus, middles)
    of_rows = iter(lines)
    for section in seat_map.sections:
        for row in section.rows:
            yield from _runs_of_row(row, next(of_rows), quality)
        if section.standing:
            yield from _runs_of_area(section, quality)


def _runs_of_row(row: Row, at: Line, quality: Quality) -> Iterator[Run]:
    set_aside, restricted = _marked(row, SET_ASIDE), _marked(row, SeatFlag.RESTRICTED_VIEW)
    for seat_nos in row.runs():
        indexes = range(seat_nos.start - row.first_seat, seat_nos.stop - row.first_seat)
        for is_set_aside, group in groupby(indexes, set_aside.__contains__):
            first, *rest = group
            seats = 1 + len(rest)
            ends = at(first), at(first + seats - 1)
            yield Run(
                section_no=row.section_no,
                first_seat=row.first_seat + first,
                seats=seats,
                price_level=row.price_level,
                ends=ends,
                heart=_nearest(ends, seats, quality.focus),
                patch_costs=tuple(_patch_costs(at, first, seats, restricted, quality)),
                set_aside=is_set_aside,
            )


def _runs_of_area(section: Section, quality: Quality) -> Iterator[Run]:
    middle = centroid(corners(section.outline))
    for first_seat in section.seat_nos[::STANDING_RUN_SEATS]:
        yield Run(
            section_no=section.section_no,
            first_seat=first_seat,
            seats=min(STANDING_RUN_SEATS, section.seat_nos.stop - first_seat),
            price_level=section.price_level,
            ends=(middle, middle),
            heart=0,
            patch_costs=(quality.cost(middle),),
            standing=True,
        )


def _patch_costs(at: Line, first: int, seats: int, restricted: set[int], quality: Quality) -> Iterator[float]:
    """Of the patches of so many seats from the first on: each is judged by the seat in its middle."""
    for bits in patches(seats):
        size = bits.bit_count()
        share = sum(index in restricted for index in range(first, first + size)) / size if restricted else 0.0
        yield quality.cost(at(first + (size - 1) // 2), share)
        first += size


def _marked(row: Row, flags: SeatFlag) -> set[int]:
    return {index for mark in row.marks if mark.flag in flags for index in range(mark.first, mark.last + 1)}


def _nearest(ends: tuple[Point, Point], seats: int, point: Point) -> int:
    (x0, y0), (x1, y1) = ends
    length = (x1 - x0) ** 2 + (y1 - y0) ** 2
    if not length:
        return 0
    share = ((point[0] - x0) * (x1 - x0) + (point[1] - y0) * (y1 - y0)) / length
    return ceil(min(1.0, max(0.0, share)) * (seats - 1) - 0.5)  # as stretches.middle: of two, the lower
