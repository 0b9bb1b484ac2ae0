"""The halls of the demo, sold seat by seat: every seat once, and the good ones first."""

from collections.abc import Callable
from random import Random

import pytest
from tests.core.choosing.halls import planned

from frontrow.core.choosing import Supply, choose
from frontrow.core.seat_maps import SeatMap
from frontrow.demo.plans.arena import arena, arena_in_the_round
from frontrow.demo.plans.cinema import cinema
from frontrow.demo.plans.stadium import stadium
from frontrow.demo.plans.theatre import theatre

HALLS = [cinema, theatre, arena, arena_in_the_round, stadium]


@pytest.mark.parametrize("plan_of", HALLS)
def test_sells_every_seat_once(plan_of: Callable[[], SeatMap]):
    seat_map, random = plan_of(), Random(3)  # noqa: S311 -- any sale will do, as long as it is the same again
    supply, left = Supply(planned(seat_map)), set(range(seat_map.seats))

    for accessible in (False, True):
        while choose(supply, 1, accessible=accessible, chance=0):
            group = choose(supply, random.randint(1, 8), accessible=accessible, chance=random.random())
            if group:  # near the end there are fewer left than this one wants
                assert left.issuperset(group)
                supply.take(group)
                left.difference_update(group)

    assert not left


@pytest.mark.parametrize("plan_of", HALLS)
def test_first_seats_are_near_and_central(plan_of: Callable[[], SeatMap]):
    seat_map = plan_of()
    supply = Supply(planned(seat_map))

    group = choose(supply, 2, chance=0)

    assert group
    dearest = [seat for seat in range(seat_map.seats) if seat_map.price_level(seat) == seat_map.price_levels[0]]
    assert group[0] in dearest
    assert (
        nearness(seat_map, supply, group[0])
        <= sorted(nearness(seat_map, supply, seat) for seat in dearest)[len(dearest) // 10]
    ), "among the nearest tenth"


def nearness(seat_map: SeatMap, supply: Supply, seat: int) -> float:
    (x, y), (focus_x, focus_y) = supply.plan.point(seat), seat_map.stage.focus
    return ((x - focus_x) ** 2 + (y - focus_y) ** 2) ** 0.5
