"""Holds end at their time. Real sweepers see to it that everybody sees so, however many run and however they end.

That a hold past its time keeps nobody out where no sweeper runs is in tests/ledger/scenarios.py and test_clock_skew.py.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import asyncpg
import pytest
from tests.chaos.on_sale import open_sale
from tests.chaos.services import sweeper
from tests.chaos.way import Stop, way_to
from tests.ledger.on_sale import fan_no, hold_no, pooled, wish
from tests.ledger.stage import age
from tests.postgres.watching import until

from frontrow.adapters.postgres.audit import violations
from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import EventId

HOLDS: Final = 200
HOLD_SECONDS: Final = 300
PROMPT_SECONDS: Final = 1.0
APART_SECONDS: Final = 0.01  # the ends of two holds
HEAD_START_SECONDS: Final = 0.5  # from putting the ends to the first of them
SWEEP: Final = "ledger.expire_holds"


@dataclass(frozen=True)
class Sale:
    """An event with holds of a seat each."""

    database_url: str
    pool: asyncpg.Pool
    event_id: EventId

    async def states(self) -> Sequence[str]:
        rows = await self.pool.fetch("SELECT state FROM hold WHERE event_id = $1", self.event_id)
        return [row["state"] for row in rows]

    async def has_ended(self, count: int = HOLDS) -> bool:
        return (await self.states()).count("expired") == count

    async def frees(self) -> Sequence[int]:
        """How often the journal says of each seat that it is available: of those that it says it of."""
        rows = await self.pool.fetch(
            """
            SELECT count(*)
              FROM journal, unnest(seats, string_to_array(states, NULL)) AS told (seat_no, state)
             WHERE event_id = $1 AND state = 'a'
             GROUP BY seat_no
            """,
            self.event_id,
        )  # fmt: skip -- one statement
        return [row["count"] for row in rows]

    async def check(self) -> None:
        """The ledger is played by itself here: its holds are paid without orders."""
        told = await violations(self.pool)
        assert [each for each in told if each.invariant != "inv_hold_without_order"] == []


@pytest.fixture
async def sale(database_url: str) -> AsyncIterator[Sale]:
    event_id = await open_sale(database_url, seats=HOLDS, hold_seconds=HOLD_SECONDS)
    async with pooled(database_url, 4) as pool:
        ledger = PostgresLedger(pool)
        for number in range(HOLDS):  # an update each
            await ledger.hold_seats(event_id, [wish(number, number, number)])
        yield Sale(database_url, pool, event_id)


@pytest.mark.slow
async def test_seats_are_seen_to_be_free_within_a_second(sale: Sale):
    """From the end to the update that says so, by PostgreSQL's clock. The middle one of all: machines are busy."""
    async with sweeper(sale.database_url) as sweeps:
        await until(sweeps.says("sweeper.started"))
        await _let_end_soon(sale)
        await until(sale.has_ended)
    delays = await _delays(sale)
    assert len(delays) == HOLDS
    assert min(delays) >= 0
    assert median(delays) < PROMPT_SECONDS
    await sale.check()


async def test_control_without_a_sweeper_nobody_sees_it(sale: Sale):
    await age(sale.pool, sale.event_id, HOLD_SECONDS)
    assert set(await sale.states()) == {"held"}


@pytest.mark.slow
async def test_two_sweepers_free_each_seat_once(sale: Sale):
    await age(sale.pool, sale.event_id, HOLD_SECONDS)
    async with sweeper(sale.database_url), sweeper(sale.database_url):
        await until(sale.has_ended)
    assert await sale.frees() == [1] * HOLDS
    await sale.check()


@pytest.mark.slow
@pytest.mark.parametrize(("stop", "freed"), [(Stop.UNSENT, 0), (Stop.UNANSWERED, HOLDS)])
async def test_what_a_killed_sweeper_left_the_next_one_finds(sale: Sale, stop: Stop, freed: int):
    await age(sale.pool, sale.event_id, HOLD_SECONDS)
    async with way_to(sale.database_url) as way, sweeper(way.url) as killed:
        way.stop_at(stop, SWEEP)
        await way.reached()
        killed.kill()
    assert await sale.has_ended(freed)
    async with sweeper(sale.database_url):
        await until(sale.has_ended)
    assert await sale.frees() == [1] * HOLDS
    await sale.check()


async def test_what_is_being_paid_is_left_alone(sale: Sale):
    paid = [(hold_no(number), fan_no(number)) for number in range(0, HOLDS, 2)]
    await PostgresLedger(sale.pool).begin_checkouts(sale.event_id, paid, pay_seconds=1)
    await age(sale.pool, sale.event_id, 2 * HOLD_SECONDS)
    async with sweeper(sale.database_url):
        await until(lambda: sale.has_ended(HOLDS - len(paid)))
    assert (await sale.states()).count("checkout") == len(paid)
    await sale.check()


async def test_an_event_whose_lane_is_taken_keeps_no_other_waiting(sale: Sale):
    """As by somebody who stopped in the middle of something."""
    other = await open_sale(sale.database_url, seats=HOLDS)
    await PostgresLedger(sale.pool).hold_seats(other, [wish(0, 0, 0)])
    await age(sale.pool, sale.event_id, HOLD_SECONDS)
    await age(sale.pool, other, 2 * HOLD_SECONDS)
    async with sale.pool.acquire() as keeper, keeper.transaction():
        await keeper.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", sale.event_id)
        async with sweeper(sale.database_url):
            await until(lambda: _has_none_held(sale, other))
            assert set(await sale.states()) == {"held"}


async def _let_end_soon(sale: Sale) -> None:
    """One after the other, from a moment on that is to come."""
    await sale.pool.execute(
        """
        WITH soon AS (
            UPDATE hold
               SET expires_at = clock_timestamp() + make_interval(secs => $2 + seats[1] * $3::double precision)
             WHERE event_id = $1
            RETURNING hold_id, seats[1] AS seat_no, expires_at
        ), theirs AS (
            UPDATE claim SET expires_at = soon.expires_at
              FROM soon
             WHERE claim.event_id = $1 AND claim.seat_no = soon.seat_no
        )
        UPDATE journal SET expires_at = soon.expires_at FROM soon WHERE event_id = $1 AND seats = ARRAY[soon.seat_no]
        """,
        sale.event_id,
        HEAD_START_SECONDS,
        APART_SECONDS,
    )  # fmt: skip -- one statement


async def _delays(sale: Sale) -> Sequence[float]:
    rows = await sale.pool.fetch(
        """
        SELECT extract(epoch FROM journal.at - hold.expires_at)::double precision AS delay
          FROM hold
          JOIN journal USING (event_id)
         WHERE event_id = $1 AND hold.seats[1] = ANY (journal.seats) AND journal.states ~ '^a+$'
        """,
        sale.event_id,
    )  # fmt: skip -- one statement
    return [row["delay"] for row in rows]


async def _has_none_held(sale: Sale, event_id: EventId) -> bool:
    return await sale.pool.fetchval("SELECT held = 0 FROM lane WHERE event_id = $1", event_id)
