"""Entering an event, and who may choose seats of it: sessions of all kinds of fans, and of some who are none."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie

import pytest
from tests.ledger.on_sale import fan_no
from tests.web import fans
from tests.web.asking import Answer, Header
from tests.web.fans import FANS, KEYS, Fan, Service, bearer, cookie, seats_of, session, time_of

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, EventId, Publication
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.sessions import SESSION_SECONDS, SessionKeys

FORGER = SessionKeys([b"somebody else's key, of 32 bytes!"])
FORGER_OF_FANS = FanKeys([b"somebody else's key, of 32 bytes!"])


async def enter(service: Service, event: Event, *headers: Header, body: bytes = b"") -> Answer:
    return await service.ask("POST", f"/api/v1/events/{event.event_id}/enter", headers=headers, body=body)


class TestEntering:
    async def test_a_stranger_becomes_a_fan(self, service: Service, event: Event):
        answer = await enter(service, event)
        said = answer.json()
        assert (answer.status, said["state"], answer.headers["cache-control"]) == (200, "admitted", "no-store")
        ends_in = time_of(said["ends_at"]) - datetime.now(UTC)
        assert timedelta(0) < ends_in <= timedelta(seconds=SESSION_SECONDS + 60)
        known = KEYS.session(said["session_token"].encode(), now=0)
        assert known
        assert (known.event_id, str(known.fan_id)) == (event.event_id, said["fan_id"])
        assert FANS.fan(said["fan_token"].encode(), now=0) == known.fan_id

    async def test_the_browser_keeps_who_they_are_and_no_script_reads_it(self, service: Service, event: Event):
        answer = await enter(service, event)
        [kept] = SimpleCookie(answer.headers["set-cookie"]).values()
        assert (kept.key, kept.value) == ("frontrow-fan", answer.json()["fan_token"])
        assert (kept["path"], kept["httponly"], kept["samesite"], kept["secure"]) == ("/", True, "Lax", "")

    async def test_behind_tls_it_travels_over_nothing_else(
        self, database: Database, database_url: str, valkey_url: str
    ):
        async with fans.service(database, database_url, valkey_url, behind_tls=True) as service:
            answer = await enter(service, await service.sell())
        [kept] = SimpleCookie(answer.headers["set-cookie"]).values()
        assert kept["secure"] is True

    async def test_strangers_are_different_fans(self, service: Service, event: Event):
        answers = await asyncio.gather(*(enter(service, event) for _ in range(20)))
        assert len({answer.json()["fan_id"] for answer in answers}) == 20
        assert len({answer.json()["session_token"] for answer in answers}) == 20

    @pytest.mark.parametrize(
        ("sent_by", "is_known"),
        [
            ([], True),  # no browser says nothing
            ([("origin", "http://tickets.example")], True),
            ([("origin", "http://evil.example")], False),
            ([("origin", "http://tickets.example:8000")], False),  # the same machine, and somebody else's service
            ([("sec-fetch-site", "same-site")], False),
            ([("sec-fetch-site", "same-origin")], True),
        ],
    )
    async def test_a_cookie_counts_only_where_our_own_page_sent_it(
        self, service: Service, event: Event, sent_by: list[Header], *, is_known: bool
    ):
        answer = await enter(service, event, fans.cookie(fan_no(7)), *sent_by)
        assert (answer.json()["fan_id"] == str(fan_no(7))) is is_known

    async def test_who_is_known_stays_who_they_are(self, service: Service, event: Event):
        fan_id = fan_no(7)
        for header in (
            bearer(fan_id),
            cookie(fan_id),
            session(event.event_id, fan_id),
            session(EventId(event.event_id + 1), fan_id, ends_at=1),  # of another event, long ago
        ):
            assert (await enter(service, event, header)).json()["fan_id"] == str(fan_id)

    async def test_with_what_was_given_seats_can_be_held(self, service: Service, event: Event):
        given = (await enter(service, event)).json()
        by_session = Fan(service, fan_no(0), [("frontrow-session", given["session_token"])])
        by_token = Fan(service, fan_no(0), [("authorization", f"Bearer {given['fan_token']}")])
        by_cookie = Fan(service, fan_no(0), [("cookie", f"frontrow-fan={given['fan_token']}")])
        assert seats_of(await by_session.hold(event, "mine", 0)) == [0]
        for same_fan in (by_token, by_cookie):
            assert seats_of(await same_fan.read("mine")) == [0]

    @pytest.mark.parametrize("body", [b"", b"{}", b'{"line_ticket": null, "proof": "x", "more": [1]}'])
    async def test_what_one_brings_along_is_not_needed(self, service: Service, event: Event, body: bytes):
        assert (await enter(service, event, body=body)).status == 200

    @pytest.mark.parametrize(
        ("body", "problem"),
        [
            (b"{", "bad-request"),
            (b"[]", "invalid"),
            (b"null", "invalid"),
            (b'{"proof": 7}', "invalid"),
            (b"\xff", "bad-request"),
            (b'{"proof": "' + b"x" * 70_000 + b'"}', "too-large"),
        ],
    )
    async def test_what_is_no_such_thing(self, service: Service, event: Event, body: bytes, problem: str):
        assert (await enter(service, event, body=body)).problem() == problem

    async def test_an_event_with_a_waiting_room_has_a_line(self, service: Service):
        event = await service.sell(waiting_room=True)
        answer = await enter(service, event, bearer(fan_no(1)))
        assert (answer.status, answer.json()["state"]) == (202, "waiting")
        document = await service.ask("GET", f"/api/v1/events/{event.event_id}/line")
        assert (document.status, document.json()["phase"]) == (200, "admitting")
        assert document.headers["cache-control"] == "public, max-age=1"

    async def test_an_event_that_nobody_knows(self, service: Service):
        draft = await service.sell(publication=Publication.DRAFT)
        for number in (draft.event_id, "x", "9" * 30):
            answer = await service.ask("POST", f"/api/v1/events/{number}/enter")
            assert (answer.status, answer.problem()) == (404, "not-found")

    async def test_sold_out(self, service: Service, event: Event):
        await service.database.ledger.block_seats(event.event_id, [[*range(7)]])  # pyright: ignore[reportArgumentType] -- numbers
        answer = await enter(service, event)
        assert (answer.status, answer.problem()) == (410, "sold-out")


@dataclass(frozen=True)
class Brought:
    """What somebody brings, and whether it lets them choose seats: of an event with a waiting room, of one without."""

    name: str
    headers: Sequence[Header]
    with_line: bool = False
    without: bool = False


def brought(event_id: EventId) -> Sequence[Brought]:
    fan_id, other_event = fan_no(1), EventId(event_id + 1)
    name, token = session(event_id, fan_id)
    others_token, altered = bearer(fan_no(2)), token[:30] + ("B" if token[30] == "A" else "A") + token[31:]
    return [
        Brought("a session", [(name, token)], with_line=True, without=True),
        Brought("a session and another fan's token", [others_token, (name, token)], with_line=True, without=True),
        Brought("a fan's token", [bearer(fan_id)], without=True),
        Brought("the cookie", [cookie(fan_id)], without=True),
        Brought("cookies in two headers, as HTTP 2 has them", [("cookie", "a=b"), cookie(fan_id)], without=True),
        Brought("nothing", []),
        Brought("no bearer", [("authorization", "Basic " + fans.token(fan_id))]),
        Brought("a bearer of nothing", [("authorization", "Bearer")]),
        Brought("no cookies", [("cookie", '"')]),
        Brought("garbage in cookies", [("cookie", "frontrow-fan=\xff; a=\x01;;=")]),
        Brought("another event's session", [session(other_event, fan_id)]),
        Brought("an old session", [session(event_id, fan_id, ends_at=1)]),
        Brought("an old session and a token", [session(event_id, fan_id, ends_at=1), bearer(fan_id)]),
        Brought("a forged session", [session(event_id, fan_id, keys=FORGER)]),
        Brought("a forged token", [("authorization", "Bearer " + fans.token(fan_id, keys=FORGER_OF_FANS))]),
        Brought("an altered session", [(name, altered)]),
        Brought("a token for a session", [(name, fans.token(fan_id))]),
        Brought("a session for a token", [("authorization", f"Bearer {token}")]),
        Brought("half a session", [(name, token[:40])]),
        Brought("a session of 60 kB", [(name, "A" * 60_000)]),
    ]


class TestAdmitted:
    @pytest.mark.parametrize("waiting_room", [True, False])
    async def test_who_is_and_who_is_not(self, service: Service, *, waiting_room: bool):
        event = await service.sell(waiting_room=waiting_room)
        for case in brought(event.event_id):
            answer = await Fan(service, fan_no(1), case.headers).hold(event, case.name, 0)
            if case.with_line if waiting_room else case.without:
                assert answer.status == 201, case.name
                assert (await service.fan(1).release(case.name)).status == 204
            else:
                assert (answer.status, answer.problem()) == (403, "not-admitted"), case.name
        assert await service.database.pool.fetchval("SELECT count(*) FROM hold WHERE fan_id <> $1", fan_no(1)) == 0
        assert await service.database.pool.fetchval("SELECT count(*) FROM claim") == 0

    async def test_a_session_ends_by_postgres_clock(self, service: Service, event: Event):
        """Not by ours, which may be wrong."""
        now: float = await service.database.pool.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8")
        for ends_at, status in ((int(now) + 3600, 201), (int(now) - 1, 403)):
            fan = Fan(service, fan_no(1), [session(event.event_id, fan_no(1), ends_at=ends_at)])
            assert (await fan.hold(event, "mine", 0)).status == status

    async def test_the_words_fit_the_event(self, service: Service, event: Event):
        with_line = await service.sell(waiting_room=True)
        nobody = Fan(service, fan_no(1))
        assert "waiting room" in (await nobody.hold(with_line, "mine", 0)).json()["detail"]
        assert "waiting room" not in (await nobody.hold(event, "mine", 0)).json()["detail"]
