"""The seat plan of an event: every patch of seats ranked, the best first. Made once, shared, never changed.

Best means: dearest first, because the price level is the organizer's own word for how good a seat is; at one price,
nearest to the focus. Patches are written as sets: a number whose bit r stands for the patch of rank r, so that the
best patch of a set is its lowest bit, and "in this section, up to this price, with three free together" is an `&`.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from math import hypot
from typing import Final, TypeAlias

from frontrow.core.catalogue import PriceLevel
from frontrow.core.choosing.runs import Run, runs_of
from frontrow.core.choosing.stretches import QUANTITY_MAX
from frontrow.core.seat_maps import Point, SeatMap, Section
from frontrow.core.seat_maps.geometry import centroid, corners

Patches: TypeAlias = int  # bit r: the patch of rank r

# A patch is as good as the best one when it costs the same and is at most this much farther away.
ALIKE_SHARE: Final = 0.05
ALIKE_CM: Final = 150  # two rows


@dataclass(frozen=True, slots=True)
class SectionPlan:
    run_nos: range
    patches: Patches
    centre: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlan:
    """Everything about an event's seats that does not change while they sell."""

    seats: int
    runs: tuple[Run, ...]  # by seat number
    first_seats: "array[int]"  # of each run
    first_patches: "array[int]"  # of each run: the number of its first patch
    ranks: "array[int]"  # of each patch, 0 the best
    patches: "array[int]"  # of each rank: the number of the patch
    alike_until: "array[int]"  # of each rank: the first one that is not as good any more
    sections: tuple[SectionPlan, ...]
    price_of: Mapping[str, int]  # of each level, in minor units and all-in
    prices: tuple[int, ...]  # ascending
    price_ends: tuple[int, ...]  # the rank at which each price ends, the dearest first
    within_price: tuple[Patches, ...]  # at place n: the patches of the n cheapest prices
    for_anybody: Patches  # all but the places set aside for wheelchairs and companions
    all_free: tuple[Patches, ...]  # what each quantity would find if every seat were free
    near: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]], repr=False)

    def run_no(self, seat_no: int) -> int:
        assert 0 <= seat_no < self.seats, seat_no
        return bisect_right(self.first_seats, seat_no) - 1

    def point(self, seat_no: int) -> Point:
        run = self.runs[self.run_no(seat_no)]
        return run.point(seat_no - run.first_seat)

    def asked(self, section: Section | None, price_max: int | None) -> Patches:
        """The patches in a section and up to a price."""
        until = len(self.prices) if price_max is None else bisect_right(self.prices, price_max)
        patches = self.within_price[until]
        return patches if section is None else patches & self.sections[section.section_no].patches

    def as_dear(self, rank: int) -> Patches:
        """The patches that cost what this one costs, and the dearer ones."""
        return (1 << self.price_ends[bisect_right(self.price_ends, rank)]) - 1

    def patch(self, rank: int) -> tuple[int, int]:
        """The run the patch is in, and which one of its patches it is."""
        patch_no = self.patches[rank]
        run_no = bisect_right(self.first_patches, patch_no) - 1
        return run_no, patch_no - self.first_patches[run_no]

    def contains(self, patches: Patches, run_no: int) -> bool:
        """The run is one of those asked for. All patches of a run are, or none is."""
        return bool(patches >> self.ranks[self.first_patches[run_no]] & 1)

    def sections_near(self, section_no: int) -> tuple[int, ...]:
        """All sections, the nearest first. Worked out when somebody asks: most sections are never asked about."""
        if section_no not in self.near:
            x, y = self.sections[section_no].centre
            apart = [hypot(section.centre[0] - x, section.centre[1] - y) for section in self.sections]
            self.near[section_no] = tuple(sorted(range(len(apart)), key=apart.__getitem__))
        return self.near[section_no]


def plan_seats(seat_map: SeatMap, price_levels: Sequence[PriceLevel]) -> SeatPlan:
    """The plan of a map at an event's prices. It has a price for every level of the map."""
    price_of = {level.level: level.all_in.amount for level in price_levels}
    runs = tuple(runs_of(seat_map))
    run_of_patch = [run_no for run_no, run in enumerate(runs) for _ in run.patch_costs]
    price_of_patch = [price_of[runs[run_no].price_level] for run_no in run_of_patch]
    costs = [cost for run in runs for cost in run.patch_costs]
    offered = [patch for run in runs for patch in run.offers(run.all_free)]
    order = sorted(range(len(costs)), key=lambda patch: (-price_of_patch[patch], costs[patch]))
    ranks = array("I", order)
    for rank, patch in enumerate(order):
        ranks[patch] = rank
    patches_at = Counter(price_of_patch)
    prices = sorted(patches_at)
    return SeatPlan(
        seats=seat_map.seats,
        runs=runs,
        first_seats=array("I", [run.first_seat for run in runs]),
        first_patches=array("I", accumulate((len(run.patch_costs) for run in runs[:-1]), initial=0)),
        ranks=ranks,
        patches=array("I", order),
        alike_until=array("I", _alike_until([(price_of_patch[patch], costs[patch]) for patch in order])),
        sections=tuple(_sections(seat_map, runs, ranks)),
        price_of=price_of,
        prices=tuple(prices),
        price_ends=tuple(accumulate(patches_at[price] for price in reversed(prices))),
        within_price=tuple(
            _last(cheaper, len(order)) for cheaper in accumulate((patches_at[price] for price in prices), initial=0)
        ),
        for_anybody=_columns([not runs[run_of_patch[patch]].set_aside for patch in order], 1)[0],
        all_free=_columns([offered[patch] for patch in order], 2 * QUANTITY_MAX),
    )


def _last(patches: int, of: int) -> Patches:
    """So many patches with the last ranks, of all there are."""
    return (1 << of) - (1 << of - patches)


def _columns(rows: Sequence[int], bits: int) -> tuple[Patches, ...]:
    """For each bit, the patches in whose number it is set; there is a number for each rank.

    All numbers are written one below the other, as digits, and read from the bottom up.
    """
    digits = "".join([f"{row:0{bits}b}" for row in reversed(rows)])
    return tuple(int(digits[bits - 1 - bit :: bits], 2) for bit in range(bits))


def _alike_until(ranked: Sequence[tuple[int, float]]) -> Iterator[int]:
    until = 0
    for price, cost in ranked:
        limit = cost * (1 + ALIKE_SHARE) + ALIKE_CM
        while until < len(ranked) and ranked[until][0] == price and ranked[until][1] <= limit:
            until += 1
        yield until


def _sections(seat_map: SeatMap, runs: Sequence[Run], ranks: Sequence[int]) -> Iterator[SectionPlan]:
    """Sections follow each other in seat numbers, so their runs and the patches of these do, too."""
    next_run = next_patch = 0
    for section_no, group in groupby(runs, lambda run: run.section_no):
        of_section = list(group)
        run_nos = range(next_run, next_run + len(of_section))
        last_patch = next_patch + sum(len(run.patch_costs) for run in of_section)
        patches = bytearray(len(ranks) // 8 + 1)
        for rank in ranks[next_patch:last_patch]:
            patches[rank // 8] |= 1 << rank % 8
        yield SectionPlan(
            run_nos, int.from_bytes(patches, "little"), centroid(corners(seat_map.sections[section_no].outline))
        )
        next_run, next_patch = run_nos.stop, last_patch
