"""The plan of a hall: everything on it is where the hall has it, and can be read."""

import pytest
from tests.postgres.small_season import SEATS, map_document

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.seat_maps import SeatMap, canonical, read
from frontrow.demo.plans.arena import arena_in_the_round
from frontrow.demo.plans.cinema import cinema
from frontrow.demo.plans.stadium import stadium
from frontrow.web.pages.hall_plan import CHARACTER_WIDTH, HallPlan, HallPlans, plan_of

SMALL = canonical(map_document())
SHA = SeatMapSha("0" * 64)


def points(text: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in (point.split(",") for point in text.split())]


@pytest.mark.parametrize("drawn", [cinema, arena_in_the_round, stadium])
def test_everything_is_on_the_plan(drawn: object):
    assert callable(drawn)
    seat_map = drawn()
    assert isinstance(seat_map, SeatMap)
    plan = plan_of(seat_map)
    assert [block.section for block in plan.blocks] == [section.label for section in seat_map.sections]
    corners = [
        corner for outline in (plan.stage, *(block.points for block in plan.blocks)) for corner in points(outline)
    ]
    assert all(plan.left <= x <= plan.left + plan.width and plan.top <= y <= plan.top + plan.height for x, y in corners)
    check_labels(plan)


def check_labels(plan: HallPlan) -> None:
    """No label is wider than its block."""
    for block in plan.blocks:
        if block.label:
            xs = [x for x, _ in points(block.points)]
            assert len(block.label.text) * block.label.size * CHARACTER_WIDTH <= max(xs) - min(xs)


def test_a_small_hall_has_a_dot_for_each_seat_and_a_large_one_has_none():
    room = cinema()
    assert sum(dots.path.count("h0") for dots in plan_of(room).dots) == room.seats
    assert plan_of(stadium()).dots == ()


async def test_a_map_is_read_once():
    asked: list[SeatMapSha] = []

    async def document_of(sha: SeatMapSha) -> bytes | None:
        asked.append(sha)
        return SMALL

    plans = HallPlans(document_of)
    first, second = await plans.of(SHA), await plans.of(SHA)
    assert first is second
    assert first
    assert first.seats == SEATS
    assert asked == [SHA]


@pytest.mark.parametrize("document", [None, b"", b"{}", b"no map"])
async def test_without_a_map_there_is_no_plan(document: bytes | None):
    async def document_of(_: SeatMapSha) -> bytes | None:
        return document

    assert await HallPlans(document_of).of(SHA) is None


def test_the_small_map_is_a_map():
    assert isinstance(read(SMALL), SeatMap)
