"""Holding seats over HTTP: placing, looking up and giving back, as the contract has it."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest
from tests.flows.shop import away
from tests.ledger.on_sale import fan_no
from tests.ledger.stage import age
from tests.postgres.watching import until, until_waiting
from tests.web import fans
from tests.web.fans import Fan, Service, bearer, cookie, seats_of, session, time_of

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, Publication
from frontrow.core.holds import HoldId
from frontrow.flows.group_commit import WAITING_MAX


def new_id() -> str:
    return str(uuid4())


class TestPlacing:
    async def test_these_seats(self, service: Service, event: Event):
        hold_id = new_id()
        before: datetime = await service.database.pool.fetchval("SELECT clock_timestamp()")
        answer = await service.fan(1).hold(event, hold_id, 1, 0, 4)
        said = answer.json()
        expires_at = time_of(said.pop("expires_at"))
        assert answer.status == 201
        assert answer.headers["cache-control"] == "no-store"
        assert said == {
            "hold_id": hold_id,
            "event_id": str(event.event_id),
            "state": "held",
            "seats": [
                _seat(0, "Stalls", "1", "1", 4800),
                _seat(1, "Stalls", "1", "2", 4800),
                _seat(4, "Floor", None, None, 2700),
            ],
            "total": {"amount": 12_300, "currency": "EUR"},
        }
        after: datetime = await service.database.pool.fetchval("SELECT clock_timestamp()")
        assert before <= expires_at - timedelta(seconds=event.hold_seconds) <= after  # by PostgreSQL's clock

    async def test_the_best_there_are(self, service: Service, event: Event):
        assert seats_of(await service.fan(1).hold_best(event, new_id(), 4)) == [0, 1, 2, 3]
        assert set(seats_of(await service.fan(2).hold_best(event, new_id(), 3))) == {4, 5, 6}

    async def test_any_places_of_a_standing_area(self, service: Service, event: Event):
        answers = [await service.fan(fan).hold_best(event, new_id(), 1, section="Floor") for fan in range(3)]
        assert sorted(seat for answer in answers for seat in seats_of(answer)) == [4, 5, 6]
        assert answers[0].json()["seats"][0]["row"] is None
        full = await service.fan(3).hold_best(event, new_id(), 1, section="Floor")
        assert (full.problem(), full.json()["taken"], full.json()["alternatives"]) == ("seats-taken", [], [])

    async def test_the_best_within_limits(self, service: Service, event: Event):
        cheap = await service.fan(1).hold_best(event, new_id(), 1, price_max=2_700)
        assert cheap.json()["seats"][0]["section"] == "Floor"
        assert (await service.fan(2).hold_best(event, new_id(), 1, price_max=2_699)).problem() == "seats-taken"
        assert (await service.fan(2).hold_best(event, new_id(), 1, accessible=True)).problem() == "seats-taken"
        nothing_said = await service.fan(2).hold_best(event, new_id(), 1, section=None, price_max=None)
        assert nothing_said.status == 201

    @pytest.mark.parametrize(
        "hold_id",
        ["1", "my hold", "h" * 64, "ÄÖÜ ☃", "%2F?#", "...", "0189e4a2-7b5c-7def-8123-456789abcdef".upper()],
    )
    async def test_an_id_is_any_text_that_fits_into_a_path(self, service: Service, event: Event, hold_id: str):
        answer = await service.fan(1).hold(event, hold_id, 0)
        assert answer.json()["hold_id"] == hold_id
        assert (await service.fan(1).hold(event, hold_id, 0)).json() == answer.json()
        assert (
            await service.fan(1).hold(event, hold_id + "x" if len(hold_id) < 64 else "x", 1)
        ).problem() == "hold-exists"

    async def test_an_id_that_is_a_uuid_is_stored_as_it_is(self, service: Service, event: Event):
        hold_id = new_id()
        await service.fan(1).hold(event, hold_id, 0)
        assert await service.database.pool.fetchval("SELECT hold_id FROM hold") == UUID(hold_id)

    async def test_two_events_may_have_holds_of_one_id(self, service: Service, event: Event):
        other = await service.sell()
        assert [(await service.fan(1).hold(each, "mine", 0)).status for each in (event, other)] == [201, 201]


def _seat(seat: int, section: str, row: str | None, number: str | None, amount: int) -> dict[str, object]:
    price = {"amount": amount, "currency": "EUR"}
    return {"seat": seat, "section": section, "row": row, "number": number, "price": price}


class TestRefused:
    async def test_somebody_was_faster(self, service: Service, event: Event):
        await service.fan(1).hold(event, new_id(), 1)
        answer = await service.fan(2).hold(event, new_id(), 0, 1)
        assert (answer.status, answer.problem(), answer.json()["taken"]) == (409, "seats-taken", [1])
        alternatives = answer.json()["alternatives"]
        assert alternatives
        assert all(len(group) == 2 and 1 not in group for group in alternatives)
        # They are free, as was said.
        assert (await service.fan(2).hold(event, new_id(), *alternatives[0])).status == 201

    async def test_of_500_fans_who_want_one_seat_one_wins(self, service: Service, event: Event):
        answers = await asyncio.gather(*(service.fan(fan).hold(event, new_id(), 2) for fan in range(500)))
        statuses = [answer.status for answer in answers]
        assert (statuses.count(201), statuses.count(409)) == (1, 499)
        assert {tuple(answer.json()["taken"]) for answer in answers if answer.status == 409} == {(2,)}
        assert await service.violations() == []
        assert await service.database.pool.fetchval("SELECT count(*) FROM hold") == 1

    async def test_what_one_fan_may_have(self, service: Service, event: Event):
        fan = service.fan(1)
        assert (await fan.hold(event, new_id(), 0, 1, 2, 3, 4)).json()["seats_per_hold_max"] == 4
        await _buy(service, event, fan, 0, 1, 2)
        answer = await fan.hold(event, new_id(), 3, 4, 5)
        assert (answer.status, answer.problem(), answer.json()["tickets_per_fan_max"]) == (409, "limit-reached", 5)
        assert (await fan.hold(event, new_id(), 3)).status == 201
        answer = await fan.hold(event, new_id(), 4)
        assert (answer.status, answer.problem()) == (409, "hold-exists")

    async def test_before_and_after_the_sale(self, service: Service, event: Event):
        now = datetime.now(UTC)
        soon = await service.sell(on_sale_at=now + timedelta(days=1))
        over = await service.sell(starts_at=now - timedelta(days=2), ends_at=now - timedelta(days=1))
        cancelled = await service.sell(publication=Publication.CANCELLED)
        for each in (soon, over, cancelled):
            answer = await service.fan(1).hold(each, new_id(), 0)
            assert (answer.status, answer.problem()) == (409, "not-on-sale")
            assert time_of(answer.json()["on_sale_at"]) == each.on_sale_at
        assert (await service.fan(1).hold(event, new_id(), 0)).status == 201

    async def test_sold_out(self, service: Service, event: Event):
        await _buy(service, event, service.fan(1), 0, 1, 2, 3)
        await service.fan(2).hold(event, new_id(), 4, 5, 6)
        assert (await service.fan(3).hold(event, new_id(), 0)).problem() == "seats-taken"  # three may come back
        assert (await service.fan(3).hold_best(event, new_id(), 1)).problem() == "seats-taken"
        await _pay(service, event, service.fan(2))
        for answer in (
            await service.fan(3).hold(event, new_id(), 0),
            await service.fan(3).hold_best(event, new_id(), 1),
        ):
            assert (answer.status, answer.problem()) == (410, "sold-out")

    async def test_an_event_that_nobody_knows(self, service: Service, event: Event):
        draft = await service.sell(publication=Publication.DRAFT)
        arabic_one = "\u0661"
        for number in (str(draft.event_id), "0", "9" * 18, "9" * 19, "9" * 400, "-1", "1.0", "x", arabic_one, "%31"):
            answer = await service.fan(1).ask(
                "POST", f"/api/v1/events/{number}/holds", json={"hold_id": "x", "seats": [0]}
            )
            assert (answer.status, answer.problem()) == (404, "not-found"), number
        del event

    @pytest.mark.slow
    async def test_too_many_wait(self, service: Service, database_url: str, event: Event):
        """Nothing moves while somebody has the lane: so many may wait, and whoever comes then is told at once."""
        await service.fan(0).ask("GET", f"/api/v1/events/{event.event_id}/availability")  # it is at hand
        somebody = await asyncpg.connect(database_url)
        async with somebody.transaction():
            await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
            first = asyncio.create_task(service.fan(0).hold(event, new_id(), 0))
            await until_waiting(somebody, 1)
            # In one turn of the loop: nobody leaves before the last one has come.
            waiting = [
                asyncio.create_task(service.fan(fan).hold(event, new_id(), fan % 7))
                for fan in range(1, WAITING_MAX + 21)
            ]
            refused = await asyncio.gather(*waiting[WAITING_MAX:])
        assert {(answer.status, answer.problem(), answer.headers["retry-after"]) for answer in refused} == {
            (429, "slow-down", "1")
        }
        answers = await asyncio.gather(first, *waiting[:WAITING_MAX])
        assert {answer.status for answer in answers} <= {201, 409, 503}
        assert await service.violations() == []
        await somebody.close()


class TestTwoEvents:
    async def test_one_that_is_stuck_keeps_the_other_from_nothing(
        self, monkeypatch: pytest.MonkeyPatch, database: Database, database_url: str, valkey_url: str
    ):
        """It is stuck for longer than anybody waits: who had to wait for it would be told no."""
        monkeypatch.setitem(pool.SESSION, "lock_timeout", "60s")
        async with fans.service(database, database_url, valkey_url) as service:
            hot, quiet = await service.sell(), await service.sell()
            for each in (hot, quiet):
                await service.ask("GET", f"/api/v1/events/{each.event_id}/availability")  # they are at hand
            somebody = await asyncpg.connect(database_url)
            async with somebody.transaction():
                await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", hot.event_id)
                crowd = [asyncio.create_task(service.fan(fan).hold(hot, new_id(), fan % 7)) for fan in range(500)]
                await until_waiting(somebody, 1)
                answers = [await service.fan(fan).hold(quiet, new_id(), fan) for fan in range(7)]
            assert [answer.status for answer in answers] == [201] * 7
            assert {answer.status for answer in await asyncio.gather(*crowd)} <= {201, 409, 503}
            await somebody.close()


async def _buy(service: Service, event: Event, fan: Fan, *seats: int) -> None:
    assert (await fan.hold(event, new_id(), *seats)).status == 201
    await _pay(service, event, fan)


async def _pay(service: Service, event: Event, fan: Fan) -> None:
    """What a checkout will do. The service hears of it in the journal."""
    hold_id: UUID = await service.database.pool.fetchval(
        "SELECT hold_id FROM hold WHERE event_id = $1 AND fan_id = $2 AND state = 'held'", event.event_id, fan.fan_id
    )
    ledger = service.database.ledger
    await ledger.begin_checkouts(event.event_id, [(HoldId(hold_id), fan.fan_id)], pay_seconds=60)
    sold = await ledger.sell_holds(event.event_id, [HoldId(hold_id)])
    await until(lambda: _has_heard(service, event, sold.update.update_no))


async def _has_heard(service: Service, event: Event, update_no: int) -> bool:
    answer = await service.ask("GET", f"/api/v1/events/{event.event_id}/availability")
    return answer.json()["update_no"] >= update_no


class TestAgain:
    async def test_the_same_request_gets_the_same_answer(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        first = await fan.hold(event, hold_id, 0, 1)
        for _ in range(3):
            again = await fan.hold(event, hold_id, 0, 1)
            assert (again.status, again.json()) == (201, first.json())

    async def test_also_at_the_same_time(self, service: Service, event: Event):
        hold_id = new_id()
        answers = await asyncio.gather(*(service.fan(1).hold_best(event, hold_id, 2) for _ in range(20)))
        assert len({answer.body for answer in answers}) == 1
        assert await service.database.pool.fetchval("SELECT count(*) FROM claim") == 2

    async def test_after_the_client_went_away(self, service: Service, database_url: str, event: Event):
        """The request is under way when its task ends, as when it runs out of time: what it did is there, once."""
        fan, hold_id = service.fan(1), new_id()
        somebody = await asyncpg.connect(database_url)
        async with somebody.transaction():
            await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
            asked = asyncio.create_task(fan.hold(event, hold_id, 0))
            await until_waiting(somebody, 1)
            asked.cancel()
            await asyncio.wait({asked})
        assert (await fan.hold(event, hold_id, 0)).status == 201
        assert await service.database.pool.fetchval("SELECT count(*) FROM hold") == 1
        await somebody.close()

    async def test_after_it_was_given_back(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        await fan.hold(event, hold_id, 0)
        await fan.release(hold_id)
        answer = await fan.hold(event, hold_id, 0)
        assert (answer.status, answer.problem()) == (410, "hold-ended")
        assert (await fan.hold(event, new_id(), 0)).status == 201

    async def test_the_id_of_somebody_else(self, service: Service, event: Event):
        hold_id = new_id()
        await service.fan(1).hold(event, hold_id, 0)
        answer = await service.fan(2).hold(event, hold_id, 1)
        assert (answer.status, answer.problem()) == (409, "hold-exists")
        assert "in use" in answer.json()["detail"]


class TestAway:
    async def test_nothing_is_stored_and_the_fan_is_told_when_to_ask_again(
        self, service: Service, database_url: str, event: Event
    ):
        fan, hold_id = service.fan(1), new_id()
        await service.ask("GET", f"/api/v1/events/{event.event_id}/availability")
        before = await service.stored()
        async with away(database_url):
            answers = [
                await fan.hold(event, hold_id, 0),
                await fan.hold(event, hold_id, 0),
                await fan.hold_best(event, hold_id, 2),
                await fan.read(hold_id),
                await fan.release(hold_id),
                await fan.ask("POST", f"/api/v1/events/{event.event_id + 1}/enter"),  # one that is not at hand
                await fan.ask("GET", f"/api/v1/events/{event.event_id + 1}/availability"),
                await fan.ask("GET", f"/api/v1/events/{event.event_id + 1}/seats.bin"),
            ]
        assert {answer.status for answer in answers} == {503}
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        assert {answer.problem() for answer in answers[1:]} == {"unavailable"}
        assert await service.stored() == before
        assert (await fan.hold(event, hold_id, 0)).status == 201

    async def test_who_only_looks_still_sees(self, service: Service, database_url: str, event: Event):
        path = f"/api/v1/events/{event.event_id}/seats.bin"
        before = await service.ask("GET", path)
        async with away(database_url):
            assert (await service.ask("GET", path)).body == before.body

    async def test_what_became_of_it_is_unknown_until_it_is_asked_again(
        self, service: Service, database_url: str, event: Event
    ):
        """The server breaks off in the middle of a batch, and stays away."""
        fan, hold_id = service.fan(1), new_id()
        assert (await service.fan(2).hold(event, new_id(), 6)).status == 201
        somebody = await asyncpg.connect(database_url)
        await somebody.transaction().start()
        await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
        asked = asyncio.create_task(fan.hold(event, hold_id, 0))
        await until_waiting(somebody, 1)
        async with away(database_url):
            answer = await asked
            assert (answer.status, answer.problem()) == (503, "timed-out")  # not certain, and said so
        assert seats_of(await fan.hold(event, hold_id, 0)) == [0]
        somebody.terminate()


class TestLookingUp:
    async def test_what_became_of_it(self, service: Service, event: Event):
        ledger = service.database.ledger
        fan, hold_id = service.fan(1), new_id()
        placed = await fan.hold(event, hold_id, 0, 1)
        read = await fan.read(hold_id)
        assert (read.status, read.json()) == (200, placed.json())
        assert read.headers["cache-control"] == "no-store"
        await ledger.begin_checkouts(event.event_id, [(HoldId(UUID(hold_id)), fan.fan_id)], pay_seconds=60)
        assert (await fan.read(hold_id)).json()["state"] == "checkout"
        await ledger.sell_holds(event.event_id, [HoldId(UUID(hold_id))])
        assert (await fan.read(hold_id)).json()["state"] == "sold"
        assert seats_of(await fan.hold(event, hold_id, 0, 1)) == [0, 1]  # asked again, it is still theirs

    async def test_one_whose_time_is_over_although_nobody_swept_it(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        await fan.hold(event, hold_id, 0)
        await age(service.database.pool, event.event_id, event.hold_seconds)
        assert (await fan.read(hold_id)).json()["state"] == "expired"
        assert (await fan.release(hold_id)).status == 204
        assert (await fan.read(hold_id)).json()["state"] == "expired"

    async def test_by_everything_that_says_who_one_is(self, service: Service, event: Event):
        hold_id, fan_id = new_id(), fan_no(1)
        await service.fan(1).hold(event, hold_id, 0)
        other = await service.sell()
        for header in (
            bearer(fan_id),
            ("authorization", bearer(fan_id)[1].replace("Bearer", "bEaReR")),
            cookie(fan_id),
            session(event.event_id, fan_id),
            session(event.event_id, fan_id, ends_at=1),  # over: whose it was it still says
            session(other.event_id, fan_id),
        ):
            assert seats_of(await Fan(service, fan_id, [header]).read(hold_id)) == [0], header

    async def test_by_nobody_else(self, service: Service, event: Event):
        hold_id = new_id()
        await service.fan(1).hold(event, hold_id, 0)
        before = await service.stored()
        for stranger in (service.fan(2), service.fan(2, event)):
            for answer in (await stranger.read(hold_id), await stranger.release(hold_id)):
                assert (answer.status, answer.problem()) == (404, "not-found")
        nobody = Fan(service, fan_no(1))
        for answer in (await nobody.read(hold_id), await nobody.release(hold_id)):
            assert (answer.status, answer.problem()) == (401, "sign-in-needed")
        assert await service.stored() == before

    @pytest.mark.parametrize("hold_id", ["nothing", "x" * 400, "%00", "☃", str(UUID(int=0))])
    async def test_one_that_there_never_was(self, service: Service, hold_id: str):
        answers = [await service.fan(1).read(hold_id), await service.fan(1).release(hold_id)]
        assert {(answer.status, answer.problem()) for answer in answers} == {(404, "not-found")}


class TestGivingBack:
    async def test_once_or_twice_is_the_same(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        await fan.hold(event, hold_id, 0)
        for _ in range(3):
            answer = await fan.release(hold_id)
            assert (answer.status, answer.body) == (204, b"")
        assert (await fan.read(hold_id)).json()["state"] == "released"
        assert (await service.fan(2).hold(event, new_id(), 0)).status == 201  # at once

    async def test_also_at_the_same_time(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        await fan.hold(event, hold_id, 0)
        answers = await asyncio.gather(*(fan.release(hold_id) for _ in range(20)))
        assert {answer.status for answer in answers} == {204}
        assert await service.violations() == []

    async def test_what_is_being_paid_is_kept(self, service: Service, event: Event):
        fan, hold_id = service.fan(1), new_id()
        await fan.hold(event, hold_id, 0)
        asked = [(HoldId(UUID(hold_id)), fan.fan_id)]
        await service.database.ledger.begin_checkouts(event.event_id, asked, pay_seconds=60)
        answer = await fan.release(hold_id)
        assert (answer.status, answer.problem()) == (409, "not-releasable")
        assert (await fan.read(hold_id)).json()["state"] == "checkout"
