"""The best seats for a group, relaxed step by step.

1. Together, at the dearest price at which they fit; at that price, leaving no single free seat beside them.
2. The same, leaving one: it is better to strand a seat than to send fans to a worse one.
3. Split up: with as few as possible sitting alone, in as few groups as possible, near each other. This step looks at
   some ways, not at all of them.

Places set aside for wheelchairs and companions are for those who ask for them: nobody else gets one, and who asks gets
no other.

Where several places are as good as the best, chance decides, so that requests decided at once by several processes
rarely want the same seats.
"""

from functools import partial
from itertools import chain
from math import dist
from typing import Final

from frontrow.core.choosing.nearby import Group, group_at, nearest_groups, standing_group
from frontrow.core.choosing.plan import Patches, SeatPlan
from frontrow.core.choosing.stretches import QUANTITY_MAX, lowest_bit, middle, starts, tidy_starts
from frontrow.core.choosing.supply import Supply
from frontrow.core.seat_maps import Section

CHOICES_MAX: Final = 32  # of places as good as the best; more would help nobody
SPLITS_TRIED: Final = 4  # ways to split a group up, of which the best is chosen
PAIR: Final = 2


def choose(
    supply: Supply,
    quantity: int,
    *,
    section: Section | None = None,
    price_max: int | None = None,
    accessible: bool = False,
    chance: float,
) -> Group | None:
    """The best free seats, ascending, or None when there are too few.

    `price_max` is for one seat, in minor units and all-in; `chance` is drawn evenly from [0, 1).
    """
    assert 1 <= quantity <= QUANTITY_MAX, quantity
    assert 0 <= chance < 1, chance
    for_anybody = supply.plan.for_anybody
    asked = supply.plan.asked(section, price_max) & (~for_anybody if accessible else for_anybody)
    return _together(supply, quantity, asked, chance) or _split(supply, quantity, asked, chance)


def _together(supply: Supply, quantity: int, asked: Patches, chance: float) -> Group | None:
    fitting = supply.fitting(quantity) & asked
    if not fitting:
        return None
    tidy = supply.tidy(quantity) & asked & supply.plan.as_dear(lowest_bit(fitting))
    rank, luck = _one_of_the_best(supply.plan, tidy or fitting, chance)
    run_no, patch = supply.plan.patch(rank)
    run, free = supply.plan.runs[run_no], supply.free(run_no)
    if run.standing:
        return standing_group(run, free, quantity, int(luck * run.seats))
    found = tidy_starts(free, quantity) if tidy else starts(free, quantity)
    return group_at(run, found & run.patch_bits(patch) >> middle(quantity), quantity, run.heart)


def _one_of_the_best(plan: SeatPlan, found: Patches, chance: float) -> tuple[int, float]:
    """The rank of a patch as good as the best one found, and what is left of the chance."""
    best = lowest_bit(found)
    alike = (found >> best) & ((1 << plan.alike_until[best] - best) - 1)
    choice, luck = divmod(chance * min(alike.bit_count(), CHOICES_MAX), 1)
    for _ in range(int(choice)):
        alike &= alike - 1
    return best + lowest_bit(alike), luck


def _split(supply: Supply, quantity: int, asked: Patches, chance: float) -> Group | None:
    """The best of a few ways to split up, each begun at another place among the best."""
    ways = [
        _split_from(supply, quantity, asked, (chance + way / SPLITS_TRIED) % 1, sparing=way % 2 == 0)
        for way in range(SPLITS_TRIED)
    ]
    splits = [groups for groups in ways if groups]
    if not splits:
        return None
    return tuple(sorted(chain.from_iterable(min(splits, key=partial(_regret, supply.plan)))))


def _split_from(supply: Supply, quantity: int, asked: Patches, chance: float, *, sparing: bool) -> list[Group] | None:
    """One group after the other, each as near to the first as possible. The supply is as before when this is done."""
    groups: list[Group] = []
    left = quantity
    try:
        while left:
            size = _next_size(supply, left, asked, sparing=sparing)
            group = _next_group(supply, size, asked, groups, chance) if size else None
            if group is None:
                return None
            supply.take(group)
            groups.append(group)
            left -= size
    finally:
        supply.give_back(chain.from_iterable(groups))
    return groups


def _next_size(supply: Supply, left: int, asked: Patches, *, sparing: bool) -> int:
    """As many as fit together, so that there are few groups. Sparing: one less where one would be left alone."""
    size = next((size for size in range(left, 0, -1) if supply.fitting(size) & asked), 0)
    return size - 1 if sparing and left - size == 1 and size > PAIR else size


def _next_group(supply: Supply, size: int, asked: Patches, groups: list[Group], chance: float) -> Group | None:
    if not groups:
        return _together(supply, size, asked, chance)
    first = groups[0]
    return next(iter(nearest_groups(supply, size, first[middle(len(first))], asked, 1)), None)


def _regret(plan: SeatPlan, groups: list[Group]) -> tuple[int, int, float]:
    """How many sit alone, in how many groups, and how far the farthest is from the first. The least is the best."""
    first, *others = (plan.point(group[middle(len(group))]) for group in groups)
    alone = sum(len(group) == 1 for group in groups)
    return alone, len(groups), max((dist(first, other) for other in others), default=0.0)
