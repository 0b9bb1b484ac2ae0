"""The free groups nearest to a seat: in its row, in the rows before and behind it, in the sections beside its own."""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import dist
from typing import Final

from frontrow.core.choosing.plan import Patches
from frontrow.core.choosing.runs import Run
from frontrow.core.choosing.stretches import bits_from, middle, nearest_bit, starts, tidy_starts
from frontrow.core.choosing.supply import Supply
from frontrow.core.seat_maps import Point

LOOK_FURTHER: Final = 2  # so many groups more than asked for are looked at in a section before the nearest are picked

Group = tuple[int, ...]  # seat numbers, ascending


def nearest_groups(supply: Supply, quantity: int, seat_no: int, asked: Patches, count: int) -> list[Group]:
    """Up to `count` groups among the patches asked for, at most one of each run, the nearest to the seat first."""
    plan, here = supply.plan, supply.plan.point(seat_no)
    run_no = plan.run_no(seat_no)
    home = plan.runs[run_no].section_no
    depth = run_no - plan.sections[home].run_nos.start
    offering = asked & supply.fitting(quantity)
    found: list[tuple[float, Group]] = []
    for section_no in plan.sections_near(home):
        section = plan.sections[section_no]
        if section.patches & offering:
            run_nos = _around(section.run_nos, min(depth, len(section.run_nos) - 1))
            found += islice(_groups(supply, quantity, here, asked, run_nos), count + LOOK_FURTHER)
            if len(found) >= count:
                break
    return [group for _, group in sorted(found)[:count]]


def _groups(
    supply: Supply, quantity: int, here: Point, asked: Patches, run_nos: Iterable[int]
) -> Iterator[tuple[float, Group]]:
    """The groups of these runs, each with its distance."""
    for run_no in run_nos:
        free = supply.free(run_no)
        if free and supply.plan.contains(asked, run_no):
            run = supply.plan.runs[run_no]
            group = _group_in(run, free, quantity, here)
            if group:
                yield dist(here, run.point(group[middle(quantity)] - run.first_seat)), group


def _group_in(run: Run, free: int, quantity: int, here: Point) -> Group | None:
    """The free group of a run that is nearest to the point; a tidy one if there is any."""
    if run.standing:
        return standing_group(run, free, quantity, 0) if free.bit_count() >= quantity else None
    found = starts(free, quantity)
    return group_at(run, tidy_starts(free, quantity) or found, quantity, run.nearest(here)) if found else None


def group_at(run: Run, found: int, quantity: int, index: int) -> Group:
    """The group, of those that start at the bits found, with its middle nearest to the index."""
    first = run.first_seat + nearest_bit(found << middle(quantity), index) - middle(quantity)
    return tuple(range(first, first + quantity))


def standing_group(run: Run, free: int, quantity: int, index: int) -> Group:
    return tuple(sorted(run.first_seat + bit for bit in bits_from(free, index, quantity)))


def _around(run_nos: range, place: int) -> Iterator[int]:
    yield run_nos[place]
    for step in range(1, len(run_nos)):
        if place - step >= 0:
            yield run_nos[place - step]
        if place + step < len(run_nos):
            yield run_nos[place + step]
