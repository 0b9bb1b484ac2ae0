"""Every way of holding seats is one: all seats or none, to one of those who want them, and stored as it was told."""

import asyncio
from itertools import pairwise

from tests import servers
from tests.bench.conftest import Stage
from tests.bench.wishing import wish

from frontrow.bench.proof import Proof, Told, prove
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest

NOTHING_WRONG = Proof(0, 0, 0, 0)
CROWD = 60


async def proved(stage: Stage, event_id: EventId, held: list[HoldRequest]) -> Proof:
    await stage.at_work.settle()
    told = [Told(event_id, request) for request in held]
    return await prove(stage.bench.database_url, told, stored=stage.strategy.stored, audited=stage.strategy.audited)


async def test_a_taken_seat_is_refused_and_the_free_one_beside_it_stays_free(stage: Stage):
    event_id = await stage.at_work.put_on_sale()
    first, overlapping, beside = wish(4, 5), wish(5, 6), wish(6, 7)
    assert await stage.at_work.hold(event_id, first)
    assert not await stage.at_work.hold(event_id, overlapping)
    assert await stage.at_work.hold(event_id, beside), "all or none: seat 6 was not taken with the refused hold"
    assert await proved(stage, event_id, [first, beside]) == NOTHING_WRONG


async def test_events_have_nothing_to_do_with_each_other(stage: Stage):
    one, other = await stage.at_work.put_on_sale(), await stage.at_work.put_on_sale()
    assert one != other
    assert await stage.at_work.hold(one, wish(0, 1))
    assert await stage.at_work.hold(other, wish(0, 1))


async def test_a_crowd_for_the_same_seats_shares_them(stage: Stage):
    event_id = await stage.at_work.put_on_sale()
    wanted = [pair for pair in pairwise(range(6)) for _ in range(CROWD // 5)]
    requests = [wish(*pair) for pair in wanted]
    answers = await asyncio.gather(*(stage.at_work.hold(event_id, request) for request in requests))
    held = [request for request, is_held in zip(requests, answers, strict=True) if is_held]
    seats = [seat for request in held for seat in request.seats]
    assert len(seats) == len(set(seats)), "a seat is had once"
    assert held, "somebody got something"
    assert await proved(stage, event_id, held) == NOTHING_WRONG


async def test_what_redis_forgot_is_taken_back_and_its_fan_was_told_otherwise(stage: Stage):
    """Why one of them is not durable, and that the proof notices: PostgreSQL has the last word, too late."""
    if stage.strategy.durable:
        return
    event_id = await stage.at_work.put_on_sale()
    first, second = wish(0, 1), wish(1, 2)
    assert await stage.at_work.hold(event_id, first)
    await stage.at_work.settle()
    servers.empty_valkey(stage.bench.valkey_url)
    assert await stage.at_work.hold(event_id, second), "Valkey knows of nobody who has seat 1"
    proof = await proved(stage, event_id, [first, second])
    assert proof == Proof(lost=2, doubled=1, untold=0, audit=0)
