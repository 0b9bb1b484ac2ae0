"""Crowds: what they wish for, that each wish is one fan's, and that a crowd goes when its time is over."""

import asyncio
from collections import Counter
from itertools import islice

import pytest

from frontrow.bench.crowds import WANTED_SEATS, WISHES_PER_SEAT, come, contended, spread
from frontrow.bench.hold_parts import contended as contended_over_http
from frontrow.bench.strategies import AtWork
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest

EVENT = EventId(1)


@pytest.mark.parametrize("seats", [2, 3, 200, 1_801])
def test_a_spread_crowd_wants_each_seat_once(seats: int):
    wanted = [seat for wish in spread(seats) for seat in wish]
    assert wanted == list(range(seats // 2 * 2))


@pytest.mark.parametrize("seats", [2, 3, WANTED_SEATS, WANTED_SEATS + 1, 1_801])
def test_a_contended_crowd_wants_neighbours_that_there_are(seats: int):
    wishes = list(contended(seats))
    assert all(first >= 0 and second == first + 1 < seats for first, second in wishes)
    assert len(wishes) >= (seats - 1) * WISHES_PER_SEAT
    assert list(contended(seats)) == wishes, "the same crowd each time"


def test_a_crowd_over_http_wants_fifty_seats_two_by_two():
    wishes = list(contended_over_http(EVENT, 1_000))
    assert len(wishes) == 1_000
    wanted = Counter(pair for _, pair in wishes)
    assert set(wanted) == {(seat, seat + 1) for seat in range(0, 50, 2)}
    assert set(wanted.values()) == {1_000 // 25}


async def test_every_wish_is_one_fans_and_every_answer_is_heard():
    asked: list[HoldRequest] = []

    async def hold(_event_id: EventId, request: HoldRequest) -> bool:
        asked.append(request)
        await asyncio.sleep(0)
        return request.seats[0] % 4 == 0

    heard = await come(AtWork(put_on_sale=_nothing, hold=hold), EVENT, spread(100), fans=7, seconds=30)
    assert sorted(request.seats for request in asked) == list(spread(100))
    assert len({request.hold_id for request in asked}) == len({request.fan_id for request in asked}) == 50
    assert len(heard.took) == 50
    assert len(heard.held) == heard.refused == 25


async def test_a_crowd_goes_when_its_time_is_over():
    async def hold(_event_id: EventId, _request: HoldRequest) -> bool:
        await asyncio.sleep(0.01)
        return True

    heard = await come(AtWork(put_on_sale=_nothing, hold=hold), EVENT, spread(1_000_000), fans=3, seconds=0.05)
    assert 3 <= len(heard.held) < 500_000
    assert heard.seconds >= 0.05


async def test_a_fault_ends_the_measurement():
    async def hold(_event_id: EventId, _request: HoldRequest) -> bool:
        raise ConnectionResetError

    with pytest.raises(ExceptionGroup):
        await come(AtWork(put_on_sale=_nothing, hold=hold), EVENT, islice(spread(100), 10), fans=3, seconds=5)


async def _nothing() -> EventId:
    return EVENT
