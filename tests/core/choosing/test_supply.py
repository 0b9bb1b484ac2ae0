"""The supply stays what it would be if it were made anew, whatever is taken and given back in between."""

from hypothesis import given
from hypothesis import strategies as st
from tests.core.choosing.halls import Hall, halls

from frontrow.core.choosing import Supply
from frontrow.core.choosing.stretches import QUANTITY_MAX


def state(supply: Supply) -> list[int]:
    found = [supply.free(run_no) for run_no in range(len(supply.plan.runs))]
    for quantity in range(1, QUANTITY_MAX + 1):
        found += [supply.tidy(quantity), supply.fitting(quantity)]
    return found


@given(halls(), st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 300), max_size=9)), max_size=12))
def test_changes_one_by_one_or_all_at_once(hall: Hall, changes: list[tuple[bool, list[int]]]):
    supply, free = hall.supply(), hall.free
    for is_taking, numbers in changes:
        seats = [number % hall.seat_map.seats for number in numbers]
        if is_taking:
            supply.take(seats)
            free.difference_update(seats)
        else:
            supply.give_back(seats)
            free.update(seats)

    anew = Supply(hall.plan)
    anew.take(set(range(hall.seat_map.seats)) - free)

    assert state(supply) == state(anew)
    assert {seat for seat in range(hall.seat_map.seats) if seat in supply} == free


@given(halls())
def test_give_back_restores(hall: Hall):
    supply = hall.supply()
    before = state(supply)

    supply.take(hall.free)
    assert not any(supply.fitting(quantity) for quantity in range(1, QUANTITY_MAX + 1))
    supply.give_back(hall.free)

    assert state(supply) == before
