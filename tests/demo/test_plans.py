"""The demo's plans: as many seats as promised, and a hall in which everybody could sit."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from math import dist
from typing import Final

import pytest

from frontrow.core.seat_maps import Point, SeatFlag, SeatMap, Section, read
from frontrow.core.seat_maps.drawing import draw
from frontrow.core.seat_maps.geometry import contains, corners, overlap
from frontrow.demo.plans.arena import arena, arena_in_the_round
from frontrow.demo.plans.cinema import cinema
from frontrow.demo.plans.stadium import stadium
from frontrow.demo.plans.theatre import theatre

Plan = Callable[[], SeatMap]

SEATS: Final[dict[Plan, int]] = {
    cinema: 200,
    theatre: 1_800,
    arena: 20_000,
    arena_in_the_round: 20_000,
    stadium: 100_000,
}
SPACING_CM_MIN: Final = 45  # less is no seat
WHEELCHAIR_SPACING_CM_MIN: Final = 85

every_plan = pytest.mark.parametrize("plan", SEATS, ids=lambda plan: plan.__name__)


@pytest.fixture(scope="module")
def maps() -> dict[Plan, SeatMap]:
    return {plan: plan() for plan in SEATS}


@every_plan
def test_has_exactly_the_seats_it_promises(plan: Plan, maps: dict[Plan, SeatMap]):
    assert maps[plan].seats == SEATS[plan]


@every_plan
def test_same_call_gives_the_same_bytes(plan: Plan, maps: dict[Plan, SeatMap]):
    assert plan().sha == maps[plan].sha
    assert read(maps[plan].canonical) == maps[plan]


@every_plan
def test_no_two_seats_are_in_each_others_way(plan: Plan, maps: dict[Plan, SeatMap]):
    closest = min(_distances(list(_positions(maps[plan]))))
    assert closest >= SPACING_CM_MIN


def test_distances_finds_the_closest_pair():
    assert min(_distances([(0, 0), (300, 0), (299, 60), (60, 20)])) == pytest.approx(60.01, abs=0.01)  # pyright: ignore[reportUnknownMemberType] -- pytest types approx loosely


@every_plan
def test_seats_are_inside_the_outline_of_their_section(plan: Plan, maps: dict[Plan, SeatMap]):
    outside = [
        (section.label, row.label)
        for section in maps[plan].sections
        for row in section.rows
        for position in row.positions()
        if not contains(corners(section.outline), position)
    ]
    assert outside == []


@every_plan
def test_no_section_overlaps_another_or_the_stage(plan: Plan, maps: dict[Plan, SeatMap]):
    shapes = [(section.label, corners(section.outline)) for section in maps[plan].sections]
    shapes.append(("stage", corners(maps[plan].stage.outline)))
    assert [(one, two) for (one, a), (two, b) in combinations(shapes, 2) if overlap(a, b)] == []


@every_plan
def test_wheelchair_spaces_have_room_and_company(plan: Plan, maps: dict[Plan, SeatMap]):
    platforms = [row for row in maps[plan].rows if any(mark.flag is SeatFlag.ACCESSIBLE for mark in row.marks)]
    assert platforms
    for row in platforms:
        flags = [row.flags(index) & (SeatFlag.ACCESSIBLE | SeatFlag.COMPANION) for index in range(row.seats)]
        assert flags == [SeatFlag.ACCESSIBLE, SeatFlag.COMPANION] * (row.seats // 2)
        assert min(dist(a, b) for a, b in pairwise(row.positions())) >= WHEELCHAIR_SPACING_CM_MIN


@every_plan
def test_somebody_sits_on_an_aisle_and_not_everybody(plan: Plan, maps: dict[Plan, SeatMap]):
    share = _share(maps[plan], SeatFlag.AISLE)
    assert 0.05 < share < 0.4


@pytest.mark.parametrize(
    ("plan", "low", "high"),
    [
        (cinema, 0.005, 0.05),  # the corners of the front rows
        (theatre, 0.01, 0.1),  # the boxes beside the stage and the ends of the rows
        (arena, 0.01, 0.15),  # beside the stage
        (arena_in_the_round, 0.0, 0.0),  # everybody looks at the middle
        (stadium, 0.0, 0.0),  # nothing stands between anybody and a pitch
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_restricted_view_is_where_it_is_in_a_hall_like_this(
    plan: Plan, low: float, high: float, maps: dict[Plan, SeatMap]
):
    assert low <= _share(maps[plan], SeatFlag.RESTRICTED_VIEW) <= high


@pytest.mark.parametrize("plan", [theatre, arena, arena_in_the_round, stadium], ids=lambda plan: plan.__name__)
def test_dearer_seats_are_nearer_to_the_stage(plan: Plan, maps: dict[Plan, SeatMap]):
    away = _metres_to_stage(maps[plan])
    assert list(away) == list(maps[plan].price_levels)
    assert list(away.values()) == sorted(away.values())


def test_dearest_seats_of_a_cinema_are_towards_the_back(maps: dict[Plan, SeatMap]):
    premium, standard, front = _metres_to_stage(maps[cinema]).values()
    assert premium > standard > front


def test_people_stand_in_front_of_the_end_stage_only(maps: dict[Plan, SeatMap]):
    standing = {plan: [section for section in maps[plan].sections if section.standing] for plan in SEATS}
    assert [plan for plan, sections in standing.items() if sections] == [arena]
    for section in standing[arena]:
        assert 0.2 < _square_metres(section) / section.seats < 0.6, section.label


def test_rows_of_a_storey_curve_around_the_stage(maps: dict[Plan, SeatMap]):
    for plan in (cinema, theatre):
        curved = [row for row in maps[plan].rows if len(row.curve) == 6]
        assert curved
        for row in curved:
            (_, y0), (_, ym), (_, y1) = corners(row.curve)
            assert ym > (y0 + y1) / 2, (plan.__name__, row.label)  # the middle is farther from the stage's line


@every_plan
def test_drawing_has_a_dot_for_every_seat_and_one_on_it_for_every_mark(plan: Plan, maps: dict[Plan, SeatMap]):
    seated = sum(section.seats for section in maps[plan].sections if not section.standing)
    marked = sum(
        flag in row.flags(index)
        for row in maps[plan].rows
        for index in range(row.seats)
        for flag in (SeatFlag.ACCESSIBLE, SeatFlag.COMPANION, SeatFlag.RESTRICTED_VIEW)
    )
    assert draw(maps[plan]).count("h0") == seated + marked


def _positions(seat_map: SeatMap) -> Iterator[Point]:
    return (position for row in seat_map.rows for position in row.positions())


def _distances(points: list[Point]) -> Iterator[float]:
    """The distances of all pairs that are nearer than a metre or so: those in the same or in neighbouring squares."""
    squares: dict[tuple[int, int], list[Point]] = defaultdict(list)
    for point in points:
        squares[int(point[0] // 100), int(point[1] // 100)].append(point)
    for (x, y), inside in squares.items():
        yield from (dist(a, b) for a, b in combinations(inside, 2))
        for right, down in ((1, -1), (1, 0), (1, 1), (0, 1)):
            yield from (dist(a, b) for a, b in product(inside, squares.get((x + right, y + down), ())))


def _share(seat_map: SeatMap, flag: SeatFlag) -> float:
    seats = [row.flags(index) for row in seat_map.rows for index in range(row.seats)]
    return sum(flag in flags for flags in seats) / len(seats)


def _metres_to_stage(seat_map: SeatMap) -> dict[str, float]:
    """The average distance of each price level's seats; a standing area counts at its middle."""
    away: dict[str, list[float]] = {level: [] for level in seat_map.price_levels}
    for section in seat_map.sections:
        if section.standing:
            shape = corners(section.outline)
            middle = sum(x for x, _ in shape) / len(shape), sum(y for _, y in shape) / len(shape)
            away[section.price_level] += [dist(middle, seat_map.stage.focus) / 100] * section.seats
        for row in section.rows:
            away[row.price_level] += [dist(position, seat_map.stage.focus) / 100 for position in row.positions()]
    return {level: sum(metres) / len(metres) for level, metres in away.items()}


def _square_metres(section: Section) -> float:
    points = corners(section.outline)
    turns = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*points, points[0]]))
    return abs(turns) / 2 / 10_000
