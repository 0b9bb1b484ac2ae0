"""The sweep, on a real PostgreSQL: what is over is ended, nothing else is, and nobody is in anybody's way."""

import asyncio
from collections.abc import Sequence
from statistics import median

import asyncpg
import pytest
from structlog.testing import capture_logs
from tests.flows.shop import Process, away, claims, sell, violations
from tests.ledger.on_sale import fan_no, hold_no, wish
from tests.ledger.stage import age
from tests.postgres.small_season import SmallSeason
from tests.postgres.watching import until, until_waiting

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, EventId
from frontrow.core.holds import HoldId
from frontrow.core.updates import Batch
from frontrow.flows import expire_holds as flow
from frontrow.flows.expire_holds import ExpireHolds


async def swept(sweep: ExpireHolds) -> None:
    await sweep.look()
    await sweep.finish()


async def states(database: Database, event: Event) -> dict[object, str]:
    rows = await database.pool.fetch("SELECT hold_id, state FROM hold WHERE event_id = $1", event.event_id)
    return {row["hold_id"]: row["state"] for row in rows}


class WatchedSweeps(PostgresLedger):
    """The real ledger, and of which events it was asked to end holds."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        super().__init__(pool)
        self.asked: list[EventId] = []

    async def expire_holds(self, event_id: EventId, holds: Sequence[HoldId]) -> Batch[None]:
        self.asked.append(event_id)
        return await super().expire_holds(event_id, holds)


@pytest.fixture
def sweep(database: Database) -> ExpireHolds:
    return ExpireHolds(database.ledger, database.journal)


async def test_what_is_over_is_ended_and_nothing_else(
    database: Database, event: Event, here: Process, sweep: ExpireHolds
):
    await here.hold(event, wish(0, 0, 0, 1))
    await here.hold(event, wish(1, 1, 2))
    await here.ledger.begin_checkouts(event.event_id, [(hold_no(1), fan_no(1))], pay_seconds=1)
    await age(database.pool, event.event_id, event.hold_seconds + 10)
    await here.hold(event, wish(2, 2, 3))  # just now
    await swept(sweep)
    assert await states(database, event) == {hold_no(0): "expired", hold_no(1): "checkout", hold_no(2): "held"}
    assert set(await claims(database, event)) == {2, 3}
    assert await violations(database) == []


async def test_it_is_an_update_that_everybody_hears(
    database: Database, event: Event, here: Process, sweep: ExpireHolds
):
    await here.hold(event, wish(0, 0, 0))
    await age(database.pool, event.event_id, event.hold_seconds)
    await swept(sweep)
    at_hand = await here.at_hand(event)
    await here.events.look()
    assert at_hand.seats.update_no == 2
    assert 0 in at_hand.seats.supply


async def test_more_than_fits_into_a_batch_takes_several(
    monkeypatch: pytest.MonkeyPatch, database: Database, event: Event, here: Process, sweep: ExpireHolds
):
    monkeypatch.setattr(flow, "HOLDS_AT_ONCE", 2)
    for fan in range(5):
        await here.hold(event, wish(fan, fan, fan))
    await age(database.pool, event.event_id, event.hold_seconds)
    await swept(sweep)
    assert await claims(database, event) == {}
    ended = await database.pool.fetchval(
        "SELECT count(*) FROM journal WHERE event_id = $1 AND states ~ '^a+$'", event.event_id
    )
    assert ended == 3


async def test_two_sweepers_at_once_are_harmless(database: Database, event: Event, here: Process):
    for fan in range(5):
        await here.hold(event, wish(fan, fan, fan))
    await age(database.pool, event.event_id, event.hold_seconds)
    sweepers = [ExpireHolds(database.ledger, database.journal) for _ in range(3)]
    await asyncio.gather(*map(swept, sweepers))
    assert await claims(database, event) == {}
    assert set((await states(database, event)).values()) == {"expired"}
    assert await violations(database) == []


async def test_an_event_whose_lane_is_taken_keeps_none_of_the_others_waiting(
    database: Database, database_url: str, season: SmallSeason, event: Event, here: Process
):
    ledger = WatchedSweeps(database.pool)
    sweep = ExpireHolds(ledger, database.journal)
    other = await sell(database, season)
    for each in (event, other):
        await here.hold(each, wish(0, 0, 0))
        await age(database.pool, each.event_id, each.hold_seconds)
    somebody = await asyncpg.connect(database_url)
    async with somebody.transaction():
        await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
        await sweep.look()
        await until_waiting(somebody, 1)
        await until(lambda: _is_swept(database, other))
        await sweep.look()  # and again, while the first one still waits
        assert not await _is_swept(database, event)
    await sweep.finish()
    assert sorted(ledger.asked) == [event.event_id, other.event_id]  # nothing was begun twice
    assert await _is_swept(database, event)
    await somebody.close()


async def _is_swept(database: Database, event: Event) -> bool:
    return await claims(database, event) == {}


async def test_it_goes_on_when_postgres_comes_back(
    monkeypatch: pytest.MonkeyPatch, database: Database, database_url: str, event: Event, here: Process
):
    monkeypatch.setattr(flow, "LOOK_SECONDS", 0.01)
    await here.hold(event, wish(0, 0, 0))
    await age(database.pool, event.event_id, event.hold_seconds)
    with capture_logs() as lines:
        async with away(database_url):
            running = asyncio.create_task(ExpireHolds(database.ledger, database.journal).run())
            await until(lambda: _is(bool(lines)))
        await until(lambda: _is_swept(database, event))
    assert [line["event"] for line in (lines[0], lines[-1])] == ["sweep.missed", "holds.expired"]
    running.cancel()
    await asyncio.wait({running})
    assert running.cancelled()


async def test_stopping_waits_for_what_has_begun(
    database: Database, database_url: str, event: Event, here: Process, sweep: ExpireHolds
):
    await here.hold(event, wish(0, 0, 0))
    await age(database.pool, event.event_id, event.hold_seconds)
    somebody = await asyncpg.connect(database_url)
    async with somebody.transaction():
        await somebody.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
        running = asyncio.create_task(sweep.run())
        await until_waiting(somebody, 1)
        running.cancel()
        await asyncio.sleep(0)
        assert not running.done()
    await asyncio.wait({running})
    assert await _is_swept(database, event)
    await somebody.close()


@pytest.mark.slow
async def test_seats_are_free_within_a_second_of_the_end(database: Database, season: SmallSeason, here: Process):
    """By PostgreSQL's clock alone: from the end of each hold to the update that frees its seat."""
    event = await sell(database, season, hold_seconds=1)
    running = asyncio.create_task(ExpireHolds(database.ledger, database.journal).run())
    for fan in range(7):
        await here.hold(event, wish(fan, fan, fan))
        await asyncio.sleep(0.07)  # they end one after the other
    await until(lambda: _is_swept(database, event))
    running.cancel()
    await asyncio.wait({running})
    late = await database.pool.fetch(
        """
        SELECT extract(epoch FROM freed.at - hold.expires_at) AS seconds
          FROM hold
          JOIN journal AS freed ON freed.event_id = hold.event_id AND freed.states ~ '^a+$'
                               AND hold.seats <@ freed.seats
         WHERE hold.event_id = $1
        """,
        event.event_id,
    )
    assert len(late) == 7
    assert all(row["seconds"] >= 0 for row in late)  # never before
    assert median(row["seconds"] for row in late) < 1


async def _is(fact: bool) -> bool:  # noqa: FBT001 -- what `until` asks for
    return fact
