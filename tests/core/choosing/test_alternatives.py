"""Alternatives to seats that somebody else took."""

from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.choosing.halls import Hall, drawn, hall, halls, is_together, places_together

from frontrow.core.choosing import alternatives


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        (["x.....", "......"], [0, 1], ["x##...", "......"]),  # one seat along
        (["xxxxx.", "......"], [2, 3], ["xxxxx.", "..##.."]),  # right behind
        (["xxx...", "xxxx.."], [1, 2], ["xxx##.", "xxxx.."]),  # the same row, though one seat is stranded
        (["xxx....", "xxxx..x"], [1, 2], ["xxx##..", "xxxx..x"]),  # in its row, and nobody is stranded
        (["xxx.x.", "xx.x.x"], [0, 1], None),  # never apart
        (["Ww....", "ww...."], [0], ["W#....", "ww...."]),  # who needs a place for a wheelchair is offered one
        (["x.wwww", "xxxxxx"], [0], ["x#wwww", "xxxxxx"]),
        (["xxwwww", "xxxxxx"], [0], None),  # who does not need one is not
    ],
)
def test_nearest_alternative(before: list[str], wanted: list[int], after: list[str] | None):
    found = alternatives(hall(("A", before)).supply(), wanted)

    assert (drawn(before, found[0]) if found else None) == after


def test_the_same_price_comes_first():
    near_but_dearer = hall(("A", ["...."]), ("B", ["xx", "xx", "xx", "xx", ".."]))

    same_price, dearer = alternatives(near_but_dearer.supply(), (4, 5))

    assert same_price == (12, 13)
    assert set(dearer) <= {0, 1, 2, 3}


def test_one_is_enough_when_one_is_asked_for():
    assert len(alternatives(hall(("A", ["...", "...", "..."])).supply(), (0,), count=1)) == 1


@given(halls(), st.integers(0, 300), st.integers(1, 4))
def test_alternatives_keep_the_rules(hall: Hall, first: int, quantity: int):
    wanted = [(first + step) % hall.seat_map.seats for step in range(min(quantity, hall.seat_map.seats))]
    middle = sorted(wanted)[(len(wanted) - 1) // 2]
    same_kind = {seat for seat in hall.free if hall.set_aside(seat) == hall.set_aside(middle)}

    found = alternatives(hall.supply(), wanted)

    assert len(found) <= 3
    assert bool(found) == any(places_together(hall, same_kind, len(wanted)))
    assert not any(set(one) & set(other) for one, other in combinations(found, 2))
    for group in found:
        assert len(group) == len(wanted)
        assert same_kind.issuperset(group)
        assert is_together(hall, group)
    prices = [hall.price(group[0]) != hall.price(middle) for group in found]
    assert prices == sorted(prices), "the same price comes first"


@given(halls())
def test_nearest_first(hall: Hall):
    supply = hall.supply()
    here = supply.plan.point(0)

    for same_price in (True, False):
        groups = [
            group for group in alternatives(supply, (0,)) if (hall.price(group[0]) == hall.price(0)) == same_price
        ]
        distances = [dist(here, supply.plan.point(group[0])) for group in groups]
        assert distances == sorted(distances)
