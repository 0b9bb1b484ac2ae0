"""The door: never more sessions than the cap, one for each fan, and a place that is free again is the next fan's."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from tests.line.room import TICKETS, Room, bearer, fan_no

from frontrow.core.line import GATHERED, LineTicket
from frontrow.core.line.visits import Full, Inside, SessionState


async def test_a_hundred_knock_at_once_with_one_ticket(two_gates: Room):
    room = two_gates
    event = await room.sell()
    await room.open(event)
    await room.call_everybody(event)
    ticket = TICKETS.token(LineTicket(event.event_id, fan_no(1), GATHERED))
    answers = await asyncio.gather(
        *(room.gates[number % 2].enter(event.event_id, bearer(1), line_ticket=ticket) for number in range(100))
    )
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json()["session_token"] for answer in answers}) == 1
    assert await room.active(event) == 1


async def test_the_cap_is_kept_by_two_gates(two_gates: Room):
    room = two_gates
    event = await room.sell(cap=10)
    await room.open(event)
    await room.call_everybody(event)
    answers = await asyncio.gather(
        *(room.gates[number % 2].enter(event.event_id, bearer(number)) for number in range(100))
    )
    late = [answer.status for answer in answers]
    assert late.count(200) == 10
    assert late.count(202) == 90
    assert await room.active(event) == 10


async def test_control_who_looks_first_and_then_lets_in_passes_the_cap(room: Room):
    event = await room.sell(cap=10)
    await room.open(event)
    terms = replace(room.line(event).terms, cap=10**6)  # the count in the script counts for nothing

    async def looked_first(number: int) -> bool:
        inside = await room.door.look(event.event_id, now=room.clock.now)
        if inside.active >= 10:
            return False
        met = await room.door.admit(terms, fan_no(number), joined_at=0, number=number, now=room.clock.now)
        return isinstance(met, Inside)

    assert sum(await asyncio.gather(*map(looked_first, range(40)))) > 10


@pytest.mark.parametrize("how", ["leaves", "expires", "buys"])
async def test_a_place_that_is_free_is_the_next_fan_s(room: Room, how: str):
    event = await room.sell(cap=1, visit=60)
    await room.open(event)
    await room.call_everybody(event)
    assert (await room.gate.enter(event.event_id, bearer(1))).status == 200
    assert (await room.gate.enter(event.event_id, bearer(2))).status == 202, "the control: it is not free yet"
    if how == "leaves":
        assert (await room.gate.ask("DELETE", event.event_id, "session", bearer(1))).status == 204
    elif how == "expires":
        room.clock.now += 61
    else:
        await _buy(room, event.event_id)
        await room.turn(0.5, times=3)
    await room.call_everybody(event)
    assert (await room.gate.enter(event.event_id, bearer(2))).status == 200
    state = (await room.gate.ask("GET", event.event_id, "session", bearer(1))).json()["state"]
    assert state == {"leaves": "cancelled", "expires": "expired", "buys": "finished"}[how]


async def test_whoever_left_does_not_choose_seats_any_more(room: Room):
    event = await room.sell()
    await room.open(event)
    await room.call_everybody(event)
    admitted = (await room.gate.enter(event.event_id, bearer(1))).json()
    known = await room.door.session(event.event_id, fan_no(1))
    assert known
    assert not room.gate.lines.is_over(event.event_id, known.number)
    header = ("frontrow-session", admitted["session_token"])
    assert (await room.gate.ask("DELETE", event.event_id, "session", header)).status == 204
    await room.gate.lines.look()
    assert room.gate.lines.is_over(event.event_id, known.number)
    assert (await room.gate.ask("DELETE", event.event_id, "session", header)).status == 204, "again changes nothing"


async def test_a_purchase_from_before_ends_no_session(room: Room):
    event = await room.sell()
    await room.open(event)
    await room.call_everybody(event)
    await _buy(room, event.event_id)
    room.clock.now += 3_600
    assert (await room.gate.enter(event.event_id, bearer(1))).status == 200
    await room.turn(0.5, times=3)
    assert await room.active(event) == 1


async def test_who_sends_no_session(room: Room):
    event = await room.sell()
    for method in ("GET", "DELETE"):
        assert (await room.gate.ask(method, event.event_id, "session")).problem() == "sign-in-needed"
        assert (await room.gate.ask(method, event.event_id, "session", bearer(3))).problem() == "not-found"


async def test_sold_out_while_fans_are_let_in(room: Room):
    """Of those who knock while the last seats go, none is let in after it was heard."""
    event = await room.sell(on_sale_in=1)
    await room.open(event)
    await room.call_everybody(event)
    before = await asyncio.gather(*(room.gate.enter(event.event_id, bearer(number)) for number in range(20)))
    await room.database.ledger.block_seats(event.event_id, [[*range(7)]])  # pyright: ignore[reportArgumentType] -- numbers
    await room.turn(0.5)
    after = await asyncio.gather(*(room.gate.enter(event.event_id, bearer(number)) for number in range(20, 40)))
    assert {answer.status for answer in before} == {200}
    assert {answer.status for answer in after} == {410}


class TestOperators:
    async def test_paused_with_a_reason_and_every_place_stays(self, room: Room):
        event = await room.sell(on_sale_in=2)
        ticket = (await room.gate.enter(event.event_id, bearer(1))).json()["line_ticket"]
        await _say(room, event.event_id, "paused = 'The payment service is slow.'")
        await room.turn(1, times=12)
        waiting = await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert waiting.status == 202
        said = waiting.json()
        assert (said["phase"], said["message"]) == ("paused", "The payment service is slow.")
        assert said["line_ticket"] == ticket
        assert room.line(event).told.frontier == 0
        await _say(room, event.event_id, "paused = NULL")
        await room.turn(1, times=8)
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 200

    async def test_drained_lets_nobody_in_and_sends_nobody_out(self, room: Room):
        event = await room.sell()
        await room.open(event)
        await room.call_everybody(event)
        inside = await room.gate.enter(event.event_id, bearer(1))
        await _say(room, event.event_id, "is_drained = true")
        await room.turn(0.5)
        await room.call_everybody(event)
        assert (await room.gate.enter(event.event_id, bearer(2))).status == 202
        again = await room.gate.enter(event.event_id, bearer(1))
        assert again.json()["session_token"] == inside.json()["session_token"]
        await _say(room, event.event_id, "is_drained = false")
        await room.turn(0.5)
        await room.call_everybody(event)
        assert (await room.gate.enter(event.event_id, bearer(2))).status == 200

    async def test_throttled(self, room: Room):
        event = await room.sell(on_sale_in=2)
        await _say(room, event.event_id, "per_second_max = 0")
        ticket = (await room.gate.enter(event.event_id, bearer(1))).json()["line_ticket"]
        await room.turn(1, times=12)
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 202

    async def test_over_reveals_the_seed_that_was_promised(self, room: Room):
        event = await room.sell()
        before = (await room.gate.ask("GET", event.event_id, "line")).json()
        assert before["seeds"] == []
        async with room.database.pool.acquire() as connection:
            await connection.execute("UPDATE event SET publication = 'cancelled' WHERE event_id = $1", event.event_id)
        await room.turn(1)
        after = (await room.gate.ask("GET", event.event_id, "line")).json()
        assert (after["phase"], after["commitments"]) == ("over", before["commitments"])
        terms = room.line(event).terms
        assert after["seeds"] == [terms.seed.hex()]
        assert after["commitments"] == [terms.commitment.hex()]
        answer = await room.gate.enter(event.event_id, bearer(1))
        assert (answer.status, answer.problem()) == (409, "not-on-sale")


async def test_nobody_new_comes_in_through_a_door_that_is_not_open(room: Room):
    event = await room.sell()
    met = await room.door.admit(room.line(event).terms, fan_no(1), joined_at=0, number=1, now=room.clock.now)
    assert met == Full()
    await room.open(event)
    met = await room.door.admit(room.line(event).terms, fan_no(1), joined_at=0, number=1, now=room.clock.now)
    assert isinstance(met, Inside), "the control"


async def test_a_session_is_at_the_checkout(room: Room):
    event = await room.sell()
    await room.open(event)
    now = room.clock.now
    await room.door.admit(room.line(event).terms, fan_no(1), joined_at=0, number=1, now=now)
    door = room.door
    assert await door.mark(event.event_id, fan_no(1), SessionState.CHECKOUT, now=now, began_by=now)
    assert not await door.mark(event.event_id, fan_no(1), SessionState.CHECKOUT, now=now, began_by=now)
    known = await door.session(event.event_id, fan_no(1))
    assert known
    assert known.state is SessionState.CHECKOUT
    assert (await door.look(event.event_id, now=now)).active == 1, "who pays is still inside"


async def _say(room: Room, event_id: int, said: str) -> None:
    async with room.database.pool.acquire() as connection:
        await connection.execute(f"UPDATE line SET {said} WHERE event_id = $1", event_id)  # noqa: S608 -- of these tests


async def _buy(room: Room, event_id: int) -> None:
    """The fan number 1 holds a seat and has paid it, as the ledger stores that."""
    async with room.database.pool.acquire() as connection:
        await connection.execute(
            "INSERT INTO hold (hold_id, event_id, fan_id, state, seats, tickets, placed_at, expires_at)"
            " VALUES ($1, $2, $3, 'sold', '{0}', 1, to_timestamp($4::float8), to_timestamp($4::float8 + 480))",
            uuid4(), event_id, fan_no(1), room.clock.now,
        )  # fmt: skip
