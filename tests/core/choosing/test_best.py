"""The best seats: drawn examples, the rules against a slow oracle, and the fairness of chance."""

from collections import Counter

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.core.choosing.halls import (
    Hall,
    drawn,
    hall,
    halls,
    is_together,
    places_together,
    planned,
    side_by_side,
    strands,
)

from frontrow.core.choosing import Supply, choose
from frontrow.core.choosing.best import CHOICES_MAX
from frontrow.core.choosing.plan import ALIKE_CM, ALIKE_SHARE
from frontrow.demo.plans.stadium import stadium

CHANCES = st.floats(0, 1, exclude_max=True)
QUANTITIES = st.sampled_from([1, 2, 3, 4, 6, 10])
PRICES = st.sampled_from([999, 1_000, 3_500, 5_000])
WISHES = st.tuples(st.integers(0, 2) | st.none(), PRICES | st.none(), st.booleans())


@pytest.mark.parametrize(
    ("before", "quantity", "after"),
    [
        (["......", "......"], 2, ["..##..", "......"]),  # front and centre
        ([".....", "....."], 2, ["...##", "....."]),  # next to the centre, so that nobody is stranded
        (["xx..xx", "......"], 2, ["xx##xx", "......"]),
        (["xx.x.x", "......"], 2, ["xx.x.x", "..##.."]),  # together matters more than the front row
        (["...", ".."], 2, ["...", "##"]),  # so does stranding nobody
        (["...", "x.."], 3, ["###", "x.."]),
        (["..."], 2, [".##"]),  # if it must be, somebody is stranded
        ([".. .."], 4, ["## ##"]),  # a gap is no neighbour, but near
        (["..x", "x.x", "..."], 5, ["##x", "x.x", "###"]),  # three and two, nobody alone
        (["...x", "xx.."], 4, [".##x", "xx##"]),  # two and two rather than three and one
        (["...x..x.", "x......."], 10, ["###x..x.", "x#######"]),  # two groups rather than three
        (["....x.x."], 5, ["####x#x."]),  # four and one rather than three, one and one
        (["w..w", ".xx."], 2, ["w##w", ".xx."]),
        (["ww.x", ".xxx"], 2, ["ww#x", "#xxx"]),  # two apart rather than two places for wheelchairs
        (["ww.x", "xxxx"], 2, None),  # which are for those who ask for them
        (["xx", "x."], 2, None),
    ],
)
def test_best_seats(before: list[str], quantity: int, after: list[str] | None):
    supply = hall(("A", before)).supply()

    group = choose(supply, quantity, chance=0)

    assert (group and drawn(before, group)) == after


def test_places_set_aside_are_for_those_who_ask():
    rows = ["ww..", "...."]

    group = choose(hall(("A", rows)).supply(), 2, accessible=True, chance=0)

    assert group
    assert drawn(rows, group) == ["##..", "...."]
    assert choose(hall(("A", rows)).supply(), 3, accessible=True, chance=0) is None


@pytest.mark.parametrize(
    ("section_no", "price_max", "after"),
    [
        (None, None, ["##..", "....", "...."]),  # the dearest are the best
        (None, 5_000, ["##..", "....", "...."]),  # up to a price includes it
        (None, 4_999, ["....", "##..", "...."]),
        (None, 1_000, ["....", "....", "##.."]),
        (2, None, ["....", "....", "##.."]),
        (1, 1_000, None),  # nothing in that section is so cheap
        (None, 0, None),
    ],
)
def test_best_of_what_was_asked_for(section_no: int | None, price_max: int | None, after: list[str] | None):
    rows = ["....", "....", "...."]
    three = hall(("A", rows[:1]), ("B", rows[1:2]), ("C", rows[2:]))
    section = None if section_no is None else three.seat_map.sections[section_no]

    group = choose(three.supply(), 2, section=section, price_max=price_max, chance=0)

    assert (group and drawn(rows, group)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["...", "...."], [".##", "...."]),  # better a stranded seat than a worse one for the fan
        ([".x.", "...."], [".x.", "##.."]),  # better a worse one than apart
        ([".x.", ".x.x"], ["#x#", ".x.x"]),
    ],
)
def test_dearer_before_tidy_and_together_before_dearer(before: list[str], after: list[str]):
    two_prices = hall(("A", before[:1]), ("B", before[1:]))

    group = choose(two_prices.supply(), 2, chance=0)

    assert group
    assert drawn(before, group) == after


@given(halls(), QUANTITIES, WISHES, CHANCES)
def test_choice_keeps_the_rules(hall: Hall, quantity: int, wish: tuple[int | None, int | None, bool], chance: float):
    section_no, price_max, accessible = wish
    section = None if section_no is None else hall.seat_map.sections[section_no % len(hall.seat_map.sections)]
    asked = hall.asked(section and section.section_no, price_max)
    of_kind = {seat for seat in asked if hall.set_aside(seat) == accessible}

    group = choose(hall.supply(), quantity, section=section, price_max=price_max, accessible=accessible, chance=chance)

    if group is None:
        assert len(of_kind) < quantity
        event("too few seats")
        return
    assert len(set(group)) == quantity
    assert list(group) == sorted(group)
    assert of_kind.issuperset(group)
    together = list(places_together(hall, of_kind, quantity))
    if not together:
        event("split")
        return
    assert is_together(hall, group)
    dearest = max(hall.price(place[0]) for place in together)
    assert hall.price(group[0]) == dearest
    tidy = [place for place in together if hall.price(place[0]) == dearest and not strands(hall, hall.free, place)]
    event("together, tidy" if tidy else "together")
    assert not tidy or not strands(hall, hall.free, group)


@given(halls(), QUANTITIES, CHANCES)
def test_choosing_changes_nothing(hall: Hall, quantity: int, chance: float):
    supply = hall.supply()

    assert choose(supply, quantity, chance=chance) == choose(supply, quantity, chance=chance)
    assert all((seat in supply) == (seat in hall.free) for seat in range(hall.seat_map.seats))


@given(halls(), QUANTITIES)
def test_split_group_leaves_no_room_unused(hall: Hall, quantity: int):
    """The first group of a split is as large as any that fits, or one smaller to spare somebody sitting alone."""
    free = {seat for seat in hall.free if not hall.set_aside(seat)}
    group = choose(hall.supply(), quantity, chance=0)
    if group is None or len(free) < quantity or next(places_together(hall, free, quantity), None):
        return
    longest = next(size for size in range(quantity, 0, -1) if next(places_together(hall, free, size), None))

    parts = [len(set(group).intersection(run)) for run in side_by_side(hall)]
    parts += [len(set(group).intersection(section.seat_nos)) for section in hall.seat_map.sections if section.standing]

    assert max(parts) >= longest - 1


def test_chance_is_fair_among_places_as_good_as_the_best():
    seat_map = stadium()
    supply, draws = Supply(planned(seat_map)), 3_200
    best = choose(supply, 2, chance=0)
    assert best

    picked = Counter(choose(supply, 2, chance=draw / draws) for draw in range(draws))

    assert len(picked) == CHOICES_MAX
    assert set(picked.values()) == {draws // CHOICES_MAX}
    for group in picked:
        assert group
        assert seat_map.price_level(group[0]) == seat_map.price_level(best[0])
        assert away(supply, group[0]) < away(supply, best[0]) * (1 + ALIKE_SHARE) + 2 * ALIKE_CM


def away(supply: Supply, seat: int) -> float:
    x, y = supply.plan.point(seat)
    return (x**2 + y**2) ** 0.5


def test_chance_does_not_choose_among_seats_that_are_not_as_good():
    two_prices = hall(("A", [".."]), ("B", ["..", "..", ".."]))

    assert {choose(two_prices.supply(), 2, chance=draw / 10) for draw in range(10)} == {(0, 1)}


def test_crowd_in_a_large_standing_area_rarely_wants_the_same_places():
    crowd = hall(("A", ["~" + 5_000 * "."]))

    groups = [choose(crowd.supply(), 2, chance=draw / 100) for draw in range(100)]

    assert len({seat for group in groups if group for seat in group}) > 190


def test_standing_area_is_filled_to_the_last_place():
    crowd = hall(("A", ["~" + 1_025 * "."]))
    supply, taken = crowd.supply(), set[int]()

    while group := choose(supply, min(4, 1_025 - len(taken)) or 1, chance=0.7):
        assert not taken.intersection(group)
        supply.take(group)
        taken.update(group)

    assert len(taken) == 1_025
