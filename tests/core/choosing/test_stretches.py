"""Groups in one run, drawn: `.` free, `x` taken; `#` where a group may start."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.choosing.stretches import (
    FITTING,
    QUANTITY_MAX,
    TIDY,
    bits_from,
    middle,
    nearest_bit,
    offers,
    offers_standing,
    patches,
    starts,
    tidy_starts,
)


def bits(picture: str, mark: str) -> int:
    return sum(1 << index for index, sign in enumerate(picture) if sign == mark)


@pytest.mark.parametrize(
    ("row", "quantity", "fits", "leaves_nobody"),
    [
        ("....", 1, "####", "#__#"),  # the second seat would cut off the first
        ("....", 2, "###_", "#_#_"),  # in the middle, both ends are left alone
        ("....", 3, "##__", "____"),  # three of four always leave one
        ("....", 4, "#___", "#___"),
        ("....", 5, "____", "____"),
        (".....", 2, "####_", "#__#_"),
        ("......", 2, "#####_", "#_#_#_"),
        ("x...x", 1, "_###_", "_#_#_"),  # in the middle, two would be alone
        (".x..x", 2, "__#__", "__#__"),  # the single seat was there before
        ("..x..", 2, "#__#_", "#__#_"),  # nobody sits across a taken seat
        (".", 1, "#", "#"),  # the last one strands nobody
        ("xxx", 1, "___", "___"),
    ],
)
def test_where_a_group_may_start(row: str, quantity: int, fits: str, leaves_nobody: str):
    free = bits(row, ".")

    assert starts(free, quantity) == bits(fits, "#")
    assert tidy_starts(free, quantity) == bits(leaves_nobody, "#")


@given(st.integers(1, 40).flatmap(lambda seats: st.tuples(st.just(seats), st.integers(0, (1 << seats) - 1))))
def test_patches_offer_what_the_run_does(row: tuple[int, int]):
    seats, free = row
    offered = offers(free, seats)

    for quantity in range(1, QUANTITY_MAX + 1):
        for first, find in ((TIDY, tidy_starts), (FITTING, starts)):
            middles = find(free, quantity) << middle(quantity)
            for patch, in_patch in enumerate(patches(seats)):
                assert bool(offered[patch] >> first + quantity - 1 & 1) == bool(middles & in_patch)


@pytest.mark.parametrize("seats", [1, 8, 9, 24, 1_000])
def test_patches_cover_a_run_once(seats: int):
    parts = patches(seats)

    assert sum(parts) == (1 << seats) - 1, "no seat twice, none left out"
    assert max(part.bit_count() for part in parts) - min(part.bit_count() for part in parts) <= 1


def test_standing_places_offer_as_many_as_are_free():
    three = (1 << 3) - 1

    assert offers_standing(bits(".x.x.", ".")) == (three << TIDY | three << FITTING,)
    assert offers_standing(0) == (0,)


@pytest.mark.parametrize(
    ("row", "index", "nearest"),
    [
        ("#..#", 0, 0),
        ("#..#", 1, 0),
        ("#..#", 2, 3),
        ("#...#", 2, 0),  # as near: the lower
        ("...#", 0, 3),
        ("#...", 9, 0),  # beyond the end
    ],
)
def test_nearest_bit(row: str, index: int, nearest: int):
    assert nearest_bit(bits(row, "#"), index) == nearest


@pytest.mark.parametrize(
    ("start", "count", "taken"),
    [
        (0, 2, [0, 2]),
        (3, 2, [5, 6]),
        (6, 3, [6, 0, 2]),  # round the end
    ],
)
def test_bits_from(start: int, count: int, taken: list[int]):
    assert bits_from(bits("#.#..##", "#"), start, count) == taken
