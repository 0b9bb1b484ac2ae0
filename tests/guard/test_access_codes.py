"""Access codes: what is one, what becomes of it, and who gets in by it while an event sells to invited fans alone."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.on_sale import fan_no
from tests.web import fans
from tests.web.asking import Answer, Header
from tests.web.fans import KEY, Service, bearer, cookie, seats_of

from frontrow.adapters.postgres.pool import Database
from frontrow.core.access_codes import NUMBER_BITS, AccessCodes, AccessPass, CodeNumber, PassKeys
from frontrow.core.catalogue import Event, EventId
from frontrow.core.fans import foreign_fan
from frontrow.core.holds import FanId
from frontrow.processes import presales
from frontrow.web import access

CODES: Final = AccessCodes([KEY.encode()])
PASSES: Final = PassKeys([KEY.encode()])
FORGER: Final = AccessCodes([b"somebody else's key, of 32 bytes!"])
ADA, BOB = fan_no(1), fan_no(2)
IN_AN_HOUR: Final = timedelta(hours=1)

numbers = st.integers(0, 2**NUMBER_BITS - 1).map(CodeNumber)
events = st.integers(1, 10**18 - 1).map(EventId)


class TestWhatIsOne:
    @given(event_id=events, number=numbers)
    def test_it_is_read_however_it_is_typed(self, event_id: EventId, number: CodeNumber):
        code = CODES.code(event_id, number)
        assert len(code) == 23
        for typed in (code, code.lower(), code.replace("-", ""), f" {code.replace('-', ' ')}\t"):
            assert CODES.number(event_id, typed) == number
        likely = code.replace("0", "o").replace("1", "l")
        assert CODES.number(event_id, likely) == number

    @given(
        event_id=events,
        number=numbers,
        place=st.integers(0, 22),
        letter=st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
    )
    def test_every_letter_counts(self, event_id: EventId, number: CodeNumber, place: int, letter: str):
        code = CODES.code(event_id, number)
        altered = code[:place] + letter + code[place + 1 :]
        if code[place] not in {letter, "-"}:
            assert CODES.number(event_id, altered) is None

    @pytest.mark.parametrize(
        "typed", ["", "-", "U" * 20, "0" * 20, "0" * 19, "0" * 21, "é" * 20, "\x00" * 20, "0" * 10_000, "\u0660" * 20]
    )
    def test_what_is_none(self, typed: str):
        assert CODES.number(EventId(18), typed) is None

    def test_of_another_event_or_another_key_it_is_none(self):
        number = CodeNumber(7)
        assert CODES.number(EventId(19), CODES.code(EventId(18), number)) is None
        assert CODES.number(EventId(18), FORGER.code(EventId(18), number)) is None
        both = AccessCodes([b"somebody else's key, of 32 bytes!", KEY.encode()])
        assert both.number(EventId(18), CODES.code(EventId(18), number)) == number

    @given(event_id=events, fan=st.uuids())
    def test_a_pass_says_whose_it_is(self, event_id: EventId, fan: UUID):
        given_out = AccessPass(event_id, FanId(fan))
        token = PASSES.token(given_out).encode()
        assert PASSES.access(token) == given_out
        for place in (5, 20, len(token) - 1):
            altered = token[:place] + (b"A" if token[place : place + 1] != b"A" else b"B") + token[place + 1 :]
            assert PASSES.access(altered) is None


@pytest.fixture
async def service(database: Database, database_url: str, valkey_url: str) -> AsyncIterator[Service]:
    async with fans.service(database, database_url, valkey_url, proof_of_work="never") as service:
        await database.pool.execute(
            "INSERT INTO fan (fan_id, email, met_at, signed_in_at) "
            "VALUES ($1, 'ada@example.org', now(), now()), ($2, 'bob@example.org', now(), now())",
            ADA, BOB,
        )  # fmt: skip
        yield service


async def invited(service: Service, until: timedelta = IN_AN_HOUR, **terms: object) -> Event:
    """An event on sale that asks for codes."""
    event = await service.sell(**terms)
    assert await service.database.access_codes.set_presale(event.event_id, datetime.now(UTC) + until)
    return event


async def use(service: Service, event: Event, fan_id: FanId | None, code: str) -> Answer:
    headers = [bearer(fan_id)] if fan_id else []
    return await service.ask("POST", f"/api/v1/events/{event.event_id}/access", headers=headers, json={"code": code})


async def enter(service: Service, event: Event, *headers: Header) -> Answer:
    return await service.ask("POST", f"/api/v1/events/{event.event_id}/enter", headers=headers)


def pass_of(answer: Answer) -> Header:
    assert answer.status == 200, answer.body
    return "frontrow-access", answer.json()["access_pass"]


def told(answer: Answer) -> tuple[int, str, str]:
    return answer.status, answer.problem(), answer.json()["reason"]


class TestUsing:
    async def test_it_is_the_fan_s_who_used_it(self, service: Service):
        event = await invited(service)
        code = CODES.code(event.event_id, CodeNumber(7))
        first = await use(service, event, ADA, code)
        assert first.json()["fan_id"] == str(ADA)
        assert PASSES.access(pass_of(first)[1].encode()) == AccessPass(event.event_id, ADA)
        assert "frontrow-access-" in first.headers["set-cookie"]
        assert told(await use(service, event, BOB, code)) == (403, "code-refused", "used")
        assert pass_of(await use(service, event, ADA, code.lower())) == pass_of(first)  # again, or on another device

    async def test_of_fifty_who_use_one_at_once_it_is_one_s(self, service: Service):
        event = await invited(service)
        book, number = service.database.access_codes, CodeNumber(7)
        used = await asyncio.gather(*(book.use(event.event_id, number, fan_no(fan)) for fan in range(50)))
        assert used.count(True) == 1

    async def test_a_second_code_of_the_same_fan_stays_unused(self, service: Service):
        event = await invited(service)
        first, second = (CODES.code(event.event_id, CodeNumber(number)) for number in (7, 8))
        assert pass_of(await use(service, event, ADA, first)) == pass_of(await use(service, event, ADA, second))
        assert (await use(service, event, BOB, second)).status == 200

    async def test_what_is_no_code_changes_nothing(self, service: Service):
        event = await invited(service)
        for code in ("", "nonsense", "x" * 64, FORGER.code(event.event_id, CodeNumber(7))):
            assert told(await use(service, event, ADA, code)) == (403, "code-refused", "unknown")
        assert (await use(service, event, ADA, "x" * 65)).problem() == "invalid"
        assert await service.database.pool.fetchval("SELECT count(*) FROM access_code") == 0

    async def test_nobody_nameless_is_invited(self, service: Service):
        event = await invited(service)
        code = CODES.code(event.event_id, CodeNumber(7))
        for nobody in (None, fan_no(3)):
            assert (await use(service, event, nobody, code)).problem() == "sign-in-needed"
        assert (await use(service, event, foreign_fan("https://id.example", "ada"), code)).status == 200

    async def test_guessing_is_slow(self, service: Service):
        event = await invited(service)
        answers = [await use(service, event, ADA, "nonsense") for _ in range(access.FAN_AT_ONCE + 1)]
        assert (answers[-1].status, answers[-1].problem()) == (429, "slow-down")
        assert 0 < int(answers[-1].headers["retry-after"]) <= 30
        assert (await use(service, event, BOB, "nonsense")).status == 403

    async def test_an_event_that_nobody_knows(self, service: Service):
        answer = await service.ask("POST", "/api/v1/events/99/access", headers=[bearer(ADA)], json={"code": "x"})
        assert answer.problem() == "not-found"


class TestEntering:
    @pytest.mark.parametrize("waiting_room", [False, True])
    async def test_with_a_code_alone(self, service: Service, *, waiting_room: bool):
        event = await invited(service, waiting_room=waiting_room)
        refused = await enter(service, event, bearer(ADA))
        assert (refused.status, refused.problem()) == (403, "code-needed")
        assert refused.json()["codes_until"] > datetime.now(UTC).isoformat()
        mine = pass_of(await use(service, event, ADA, CODES.code(event.event_id, CodeNumber(7))))
        assert (await enter(service, event, bearer(ADA), mine)).status in {200, 202}
        assert (await enter(service, event, bearer(BOB), mine)).problem() == "code-needed"
        assert (await enter(service, event, mine)).problem() == "code-needed"

    async def test_a_browser_brings_the_pass_by_itself(self, service: Service):
        event = await invited(service)
        name, token = pass_of(await use(service, event, ADA, CODES.code(event.event_id, CodeNumber(7))))
        kept = cookie(ADA)[1] + f"; {name}-{event.event_id}={token}"
        assert (await enter(service, event, ("cookie", kept))).status == 200

    async def test_a_pass_of_another_event_is_none(self, service: Service):
        event, other = await invited(service), await invited(service)
        theirs = pass_of(await use(service, other, ADA, CODES.code(other.event_id, CodeNumber(7))))
        assert (await enter(service, event, bearer(ADA), theirs)).problem() == "code-needed"

    async def test_no_seat_is_held_around_the_door(self, service: Service):
        """Where everybody may enter, a fan's token is enough to hold seats. Here it is not."""
        event = await invited(service)
        fan = service.fan(1)
        assert (await fan.hold(event, "mine", 0)).problem() == "not-admitted"
        mine = pass_of(await use(service, event, ADA, CODES.code(event.event_id, CodeNumber(7))))
        session = (await enter(service, event, bearer(ADA), mine)).json()["session_token"]
        inside = fans.Fan(service, ADA, [("frontrow-session", session)])
        assert seats_of(await inside.hold(event, "mine", 0)) == [0]

    async def test_once_it_is_over_everybody_may(self, service: Service):
        event = await invited(service, until=-IN_AN_HOUR)
        assert (await enter(service, event, bearer(BOB))).status == 200
        assert seats_of(await service.fan(2).hold(event, "mine", 0)) == [0]

    async def test_the_event_says_until_when(self, service: Service):
        asks, free = await invited(service), await service.sell()
        for event, is_told in ((asks, True), (free, False)):
            said = (await service.ask("GET", f"/api/v1/events/{event.event_id}")).json()["codes_until"]
            assert (said is not None) == is_told


class TestPresales:
    async def test_it_is_set_moved_and_ended(self, service: Service, database_url: str):
        event = await service.sell()
        for hours in (1, 2):
            until = datetime.now(UTC) + timedelta(hours=hours)
            await presales.ask_until(database_url, event.event_id, until)
            assert await service.database.pool.fetchval("SELECT until FROM presale") == until
        assert await presales.ask_no_more(database_url, event.event_id)
        assert not await presales.ask_no_more(database_url, event.event_id)

    async def test_of_no_event_there_is_none(self, service: Service, database_url: str):
        assert service
        with pytest.raises(presales.Halt, match="there is no event 99"):
            await presales.ask_until(database_url, EventId(99), datetime.now(UTC))
