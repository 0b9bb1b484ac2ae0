"""Which sections fans want first: told before a sale begins, when nobody has bought anything yet.

It is a guess from the plan alone: at every price, the seats nearest to the focus are the first to go.
"""

from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean
from typing import Final

from frontrow.core.choosing.plan import SeatPlan

HOT_SHARE: Final = 0.1  # of the seats at each price


def hot_sections(plan: SeatPlan) -> frozenset[int]:
    """The numbers of the sections that have the best tenth of the seats at their price."""
    if len(plan.sections) == 1:
        return frozenset()  # nothing to choose between
    return frozenset(_hot(plan))


def _hot(plan: SeatPlan) -> Iterator[int]:
    by_price: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for section_no, section in enumerate(plan.sections):
        runs = [plan.runs[run_no] for run_no in section.run_nos]
        price = max(plan.price_of[run.price_level] for run in runs)
        first, last = plan.first_patches[section.run_nos[0]], plan.first_patches[section.run_nos[-1]]
        by_price[price].append((fmean(plan.ranks[first : last + 1]), section_no, sum(run.seats for run in runs)))
    for sections in by_price.values():
        wanted = HOT_SHARE * sum(seats for _, _, seats in sections)
        for _, section_no, seats in sorted(sections):
            yield section_no
            wanted -= seats
            if wanted <= 0:
                break
