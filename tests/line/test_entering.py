"""Joining a line, waiting in it and coming in, over HTTP; and what is refused."""

from dataclasses import replace
from http.cookies import SimpleCookie

import pytest
from tests.line.room import SESSIONS, TICKETS, Room, bearer, fan_no, gate_of
from tests.web.asking import Answer

from frontrow.core.catalogue import EventId
from frontrow.core.line import GATHERED, LineTicket, Policy, TicketKeys
from frontrow.core.sessions import Session


def ticket_of(answer: Answer) -> str:
    assert answer.status == 202, answer.body
    return answer.json()["line_ticket"]


class TestGathering:
    async def test_everybody_may_join_and_nobody_is_before_anybody(self, room: Room):
        event = await room.sell(on_sale_in=600)
        answers = [await room.gate.enter(event.event_id, bearer(number)) for number in range(20)]
        assert {answer.status for answer in answers} == {202}
        assert len({ticket_of(answer) for answer in answers}) == 20
        said = answers[0].json()
        assert (said["state"], said["phase"], said["eta"]) == ("waiting", "gathering", None)
        assert said["poll_seconds"] >= 2

    async def test_joining_again_is_the_same_ticket_byte_for_byte(self, room: Room):
        event = await room.sell(on_sale_in=600)
        tickets: set[str] = set()
        for _ in range(10):
            tickets.add(ticket_of(await room.gate.enter(event.event_id, bearer(1))))
            await room.turn(30)
        assert len(tickets) == 1

    async def test_before_it_opens_it_says_when(self, room: Room):
        event = await room.sell(on_sale_in=3_600)
        answer = await room.gate.enter(event.event_id, bearer(1))
        assert (answer.status, answer.problem()) == (403, "not-admitted")
        assert answer.json()["opens_at"] < answer.json()["on_sale_at"]

    async def test_a_stranger_is_a_fan_from_then_on_and_the_browser_keeps_the_place(self, room: Room):
        event = await room.sell(on_sale_in=600)
        first = await room.gate.enter(event.event_id)
        cookies = [SimpleCookie(value) for name, value in first.header_list if name == "set-cookie"]
        kept = "; ".join(f"{key}={morsel.value}" for cookie in cookies for key, morsel in cookie.items())
        assert all(morsel["httponly"] for cookie in cookies for morsel in cookie.values())
        again = await room.gate.enter(event.event_id, ("cookie", kept))
        assert again.json()["fan_id"] == first.json()["fan_id"]
        assert ticket_of(again) == ticket_of(first)

    async def test_nobody_comes_in_before_the_on_sale_whatever_the_frontier(self, room: Room):
        event = await room.sell(on_sale_in=600)
        await room.call_everybody(event)
        assert (await room.gate.enter(event.event_id, bearer(1))).status == 202


class TestComingIn:
    async def test_whoever_gathered_comes_in_after_the_on_sale(self, room: Room):
        event = await room.sell(on_sale_in=5)
        ticket = ticket_of(await room.gate.enter(event.event_id, bearer(1)))
        await room.turn(1, times=9)
        answer = await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert (answer.status, answer.json()["state"]) == (200, "admitted")
        session = SESSIONS.session(answer.json()["session_token"].encode(), now=room.clock.now)
        assert session
        assert (session.event_id, session.fan_id) == (event.event_id, fan_no(1))
        assert session.ends_at == pytest.approx(room.clock.now + 900, abs=1)

    async def test_another_device_has_the_same_session(self, room: Room):
        event = await room.sell()
        await room.open(event)
        await room.call_everybody(event)
        first = await room.gate.enter(event.event_id, bearer(1))
        other = await room.gate.enter(event.event_id, bearer(1))  # which brings no ticket
        assert first.status == 200
        assert other.json()["session_token"] == first.json()["session_token"]

    async def test_who_comes_late_and_again_has_the_place_from_before(self, room: Room):
        event = await room.sell()
        await room.turn(5)
        tickets: set[str] = set()
        for _ in range(5):
            tickets.add(ticket_of(await room.gate.enter(event.event_id, bearer(1))))
            room.clock.now += 7
        assert len(tickets) == 1

    @pytest.mark.parametrize("policy", Policy)
    async def test_every_policy_lets_everybody_in_when_there_is_room(self, room: Room, policy: Policy):
        event = await room.sell(on_sale_in=3, policy=policy)
        tickets = [ticket_of(await room.gate.enter(event.event_id, bearer(number))) for number in range(2)]
        await room.turn(1, times=5)
        answers = list[Answer]()
        for _ in range(60):
            answers = [
                await room.gate.enter(event.event_id, bearer(number), line_ticket=ticket)
                for number, ticket in enumerate(tickets)
            ]
            if {answer.status for answer in answers} == {200}:
                return
            await room.turn(2)
        raise AssertionError([answer.body for answer in answers])

    async def test_a_sale_that_is_open_for_long_lets_in_whoever_joins(self, room: Room):
        event = await room.sell(on_sale_in=-400 * 86_400)
        ticket = ticket_of(await room.gate.enter(event.event_id, bearer(1)))
        await room.turn(1, times=8)
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 200

    async def test_with_a_full_shop_one_waits_and_loses_nothing(self, room: Room):
        event = await room.sell(cap=1)
        await room.open(event)
        await room.call_everybody(event)
        assert (await room.gate.enter(event.event_id, bearer(1))).status == 200
        waiting = await room.gate.enter(event.event_id, bearer(2))
        assert (waiting.status, waiting.json()["eta"]) == (202, {"likely_minutes": 1, "at_most_minutes": 1})
        assert (await room.gate.ask("DELETE", event.event_id, "session", bearer(1))).status == 204
        answer = await room.gate.enter(event.event_id, bearer(2), line_ticket=ticket_of(waiting))
        assert answer.status == 200

    async def test_sold_out_is_told_to_whoever_waits(self, room: Room):
        event = await room.sell(on_sale_in=1)
        ticket = ticket_of(await room.gate.enter(event.event_id, bearer(1)))
        await room.database.ledger.block_seats(event.event_id, [[*range(7)]])  # pyright: ignore[reportArgumentType] -- numbers
        await room.turn(1, times=2)
        answer = await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert (answer.status, answer.problem()) == (410, "sold-out")
        document = (await room.gate.ask("GET", event.event_id, "line")).json()
        assert document["phase"] == "sold_out"


class TestRefused:
    async def test_a_ticket_that_was_edited_in_any_character(self, room: Room):
        event = await room.sell(on_sale_in=600)
        ticket = ticket_of(await room.gate.enter(event.event_id, bearer(1)))
        for place in range(len(ticket)):
            edited = ticket[:place] + ("B" if ticket[place] == "A" else "A") + ticket[place + 1 :]
            answer = await room.gate.enter(event.event_id, bearer(1), line_ticket=edited)
            assert (answer.status, answer.problem()) == (403, "ticket-refused"), place

    async def test_what_is_no_good_ticket(self, room: Room):
        event = await room.sell(on_sale_in=600)
        other_event = EventId(event.event_id + 1)
        rotated_out = TicketKeys([b"a key that is not accepted any more, long ago"])
        mine = LineTicket(event.event_id, fan_no(1), GATHERED)
        for name, token in (
            ("of another event", TICKETS.token(replace(mine, event_id=other_event))),
            ("of another fan", TICKETS.token(replace(mine, fan_id=fan_no(2)))),
            ("of a rotated-out key", rotated_out.token(mine)),
            ("nothing", ""),
            ("half of one", TICKETS.token(mine)[:40]),
            ("twice", TICKETS.token(mine) * 2),
            ("huge", "A" * 60),
            ("no letters", "\u00e9" * 84),
            ("a session", SESSIONS.token(_session(event.event_id))),
        ):
            answer = await room.gate.enter(event.event_id, bearer(1), line_ticket=token)
            assert (answer.status, answer.problem()) == (403, "ticket-refused"), name
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=TICKETS.token(mine))).status == 202

    async def test_a_ticket_is_good_once(self, room: Room):
        event = await room.sell(on_sale_in=1)
        ticket = ticket_of(await room.gate.enter(event.event_id, bearer(1)))
        await room.open(event)
        await room.call_everybody(event)
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 200
        assert (await room.gate.ask("DELETE", event.event_id, "session", bearer(1))).status == 204
        await room.turn(1)
        await room.call_everybody(event)
        replayed = await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert (replayed.status, replayed.problem()) == (403, "ticket-refused")
        anew = await room.gate.enter(event.event_id, bearer(1))
        assert anew.status == 200, "whoever joins again has a new place, and here it is their turn at once"

    async def test_so_many_visits_a_day(self, room: Room):
        event = await room.sell()
        await room.open(event)
        await room.call_everybody(event)
        for visit in range(7):
            answer = await room.gate.enter(event.event_id, bearer(1))
            if visit == 6:
                assert (answer.status, answer.problem()) == (403, "not-admitted")
            else:
                assert answer.status == 200
                await room.gate.ask("DELETE", event.event_id, "session", bearer(1))
                room.clock.now += 1

    async def test_an_event_without_a_line(self, room: Room):
        for what, method in (("enter", "POST"), ("line", "GET"), ("session", "GET"), ("session", "DELETE")):
            answer = await room.gate.ask(method, EventId(10**9), what, bearer(1))
            assert (answer.status, answer.problem()) == (404, "not-found")


async def test_keys_change_while_fans_wait(room: Room):
    event = await room.sell(on_sale_in=600)
    old, new = b"the key from before, which opens still", b"the key from now on, which also seals"
    before = gate_of(room.memory, room.clock, name="before", secrets=[old])
    after = gate_of(room.memory, room.clock, name="after", secrets=[new, old])
    without = gate_of(room.memory, room.clock, name="without", secrets=[new])
    for gate in (before, after, without):
        await gate.lines.look()
    first = await before.enter(event.event_id)
    again = await after.enter(event.event_id, line_ticket=ticket_of(first))
    assert (again.status, again.json()["fan_id"]) == (202, first.json()["fan_id"])
    refused = await without.enter(event.event_id, line_ticket=ticket_of(first))
    assert (refused.status, refused.problem()) == (403, "ticket-refused"), "the control: it is rotated out"


def _session(event_id: EventId) -> Session:
    return Session(event_id, fan_no(1), 1, 2**40)
