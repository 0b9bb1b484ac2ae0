# noqa: INP001 -- a script, run by name
"""How quickly seats are chosen in the stadium of 100,000. Run `python bench/choosing.py`.

First a sale from empty to full, group after group, as a seller does it: choose, then take. Then a stadium whose free
seats are scattered at random, which is the worst there is: few groups fit anywhere, so many are split. Figures are of
one core, without a database; times in microseconds, choices per second without taking.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter_ns
from typing import Final, TypeVar

from frontrow.core.catalogue import PriceLevel
from frontrow.core.choosing import SeatPlan, Supply, alternatives, choose, plan_seats
from frontrow.core.money import Money
from frontrow.demo.plans.stadium import stadium

QUANTITIES: Final = (1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 8)  # most come in twos, many in fours
STEP_SEATS: Final = 20_000
FREE_SHARES: Final = (0.5, 0.2, 0.05, 0.01, 0.001)
DEAREST_MINOR, CHEAPER_MINOR = 12_000, 1_500  # each level is so much cheaper than the one before
CALLS: Final = 1_500
NS_PER_US: Final = 1_000

Answer = TypeVar("Answer")


def main() -> None:
    seat_map = stadium()
    levels = [
        PriceLevel(level, level, Money(DEAREST_MINOR - place * CHEAPER_MINOR, "EUR"), Money(0, "EUR"))
        for place, level in enumerate(seat_map.price_levels)
    ]
    plan_ns: list[int] = []
    plan = timed(plan_ns, lambda: plan_seats(seat_map, levels))
    say(f"{plan.seats} seats in {len(plan.runs)} runs, planned in {plan_ns[0] / 1e6:.0f} ms\n")
    say(f"{'seats free':>24}  choices/s   p50   p99 | take p50   p99 | alternatives p50   p99\n")
    random = Random(1)  # noqa: S311 -- the same sale each time; nothing depends on its luck
    fill(plan, random)
    for share in FREE_SHARES:
        scatter(plan, share, random)


def fill(plan: SeatPlan, random: Random) -> None:
    supply, free = Supply(plan), plan.seats
    while free:
        until = max(0, free - STEP_SEATS)
        figures: tuple[list[int], list[int], list[int]] = ([], [], [])
        first = free
        while free > until:
            quantity = min(random.choice(QUANTITIES), free)
            free -= len(sell(supply, quantity, random, figures))
        line(f"{first} to {free}", figures)


def scatter(plan: SeatPlan, share: float, random: Random) -> None:
    """Each group is given back, so that the share stays as it is."""
    supply = Supply(plan)
    supply.take(random.sample(range(plan.seats), round(plan.seats * (1 - share))))
    figures: tuple[list[int], list[int], list[int]] = ([], [], [])
    for _ in range(CALLS):
        supply.give_back(sell(supply, random.choice(QUANTITIES), random, figures))
    line(f"{share:.1%} scattered", figures)


def sell(
    supply: Supply, quantity: int, random: Random, figures: tuple[list[int], list[int], list[int]]
) -> Sequence[int]:
    choosing, taking, offering = figures
    chance = random.random()
    group = timed(choosing, lambda: choose(supply, quantity, chance=chance))
    assert group, f"no {quantity} seats left"
    timed(taking, lambda: supply.take(group))
    timed(offering, lambda: alternatives(supply, group))
    return group


def timed(into: list[int], work: Callable[[], Answer]) -> Answer:
    begun = perf_counter_ns()
    answer = work()
    into.append(perf_counter_ns() - begun)
    return answer


def line(title: str, figures: Sequence[list[int]]) -> None:
    (p50, p99), (take50, take99), (other50, other99) = ((at(ns, 0.5), at(ns, 0.99)) for ns in figures)
    rate = len(figures[0]) / sum(figures[0]) * 1e9
    say(f"{title:>24} {rate:>10,.0f} {p50:>5.1f} {p99:>5.0f} | {take50:>8.1f} {take99:>5.0f}")
    say(f" | {other50:>16.1f} {other99:>5.0f}\n")


def at(ns: Sequence[int], share: float) -> float:
    return sorted(ns)[int(len(ns) * share)] / NS_PER_US


def say(words: str) -> None:
    sys.stdout.write(words)


if __name__ == "__main__":
    main()
