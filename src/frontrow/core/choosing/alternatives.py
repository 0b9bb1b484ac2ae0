"""What to offer a fan whose seats went to somebody quicker: as many, together, as near as possible."""

from collections.abc import Sequence
from typing import Final

from frontrow.core.choosing.nearby import Group, nearest_groups
from frontrow.core.choosing.plan import Patches, SeatPlan
from frontrow.core.choosing.runs import Run
from frontrow.core.choosing.stretches import QUANTITY_MAX
from frontrow.core.choosing.supply import Supply

ALTERNATIVES: Final = 3  # as many as one takes in at a glance


def alternatives(supply: Supply, wanted: Sequence[int], count: int = ALTERNATIVES) -> tuple[Group, ...]:
    """Up to `count` free groups as large as the wanted one; those of the same price come first, the nearest first.

    Who wanted a place for a wheelchair is offered such places; nobody else is.
    """
    assert 1 <= len(wanted) <= QUANTITY_MAX, wanted
    plan, middle_seat = supply.plan, sorted(wanted)[(len(wanted) - 1) // 2]
    run = plan.runs[plan.run_no(middle_seat)]
    found: list[Group] = []
    for asked in _same_price_first(plan, run):
        if len(found) < count and asked & supply.fitting(len(wanted)):
            found += nearest_groups(supply, len(wanted), middle_seat, asked, count - len(found))
    return tuple(found)


def _same_price_first(plan: SeatPlan, run: Run) -> tuple[Patches, Patches]:
    price = plan.price_of[run.price_level]
    all_patches, up_to_price = plan.asked(None, None), plan.asked(None, price)
    same_price = up_to_price & ~plan.asked(None, price - 1)
    kind = all_patches & ~plan.for_anybody if run.set_aside else plan.for_anybody
    return same_price & kind, all_patches & ~same_price & kind
