"""Calls to the ledger that meet: none commits before every one of them has come as far as it gets.

Chance has no part in it. Whoever writes an update waits at a gate, at its commit; the others wait for whatever it has
taken, or pass by it. When all stand still the gate is opened. So a test sees the worst case of a race each time, and
its control, with a guard off, sees the damage each time.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

import asyncpg
from tests.ledger.commands import Command
from tests.ledger.on_sale import plant, pooled, put_on_sale
from tests.ledger.rewriting import rewrite
from tests.ledger.scenarios import CLOCK
from tests.ledger.stage import TERMS
from tests.postgres.watching import until
from tests.races.guards import Guard

from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import Event
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import Hold, Known, Placed, SeatsTaken
from frontrow.core.updates import Batch

Outcome: TypeAlias = Batch[object] | UnavailableError

# A gate at the commit of everything that writes an update, and a clock that stands where a test has put it.
STAGING: Final = """
CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1);
    RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER gate AFTER UPDATE ON lane
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_gate();
CREATE TABLE hands (now_ timestamptz);
INSERT INTO hands VALUES (NULL);
CREATE FUNCTION hands() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT now_ FROM hands';
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One batch, and the second at which it is asked for."""

    at: int
    command: Command


class Meeting:
    """An event where calls meet. The clock begins at second 0."""

    def __init__(self, pool: asyncpg.Pool, keeper: Connection, event: Event) -> None:
        """`keeper`: a connection that no call uses, which keeps the gate and the clock."""
        self.pool = pool
        self.event = event
        self._keeper = keeper

    async def play(self, *calls: Call) -> Sequence[Batch[object]]:
        """One after the other, as if nobody else were there."""
        answers: list[Batch[object]] = []
        for call in calls:
            await self._set_clock(call.at)
            answers.append(await self._asked(call.command))
        return answers

    async def meet(self, *calls: Call, meanwhile: int | None = None) -> Sequence[Outcome]:
        """All of them at once, in this order. `meanwhile`: the second it is when the gate opens."""
        begun: list[asyncio.Task[Batch[object]]] = []
        await self._keeper.execute("SELECT pg_advisory_lock(1)")
        for call in calls:
            await self._set_clock(call.at)
            begun.append(asyncio.create_task(self._asked(call.command)))
            await until(lambda: self._all_stand(begun))
        if meanwhile is not None:
            await self._set_clock(meanwhile)
        await self._keeper.execute("SELECT pg_advisory_unlock(1)")
        return [_outcome(answer) for answer in await asyncio.gather(*begun, return_exceptions=True)]

    async def do_without(self, *guards: Guard) -> None:
        for guard in guards:
            await guard.take_away(self.pool)

    async def states(self) -> dict[int, str]:
        """The seats that are not available. A seat with two claims has both of their states."""
        rows = await self.pool.fetch(
            "SELECT seat_no, string_agg(state, ', ') AS states FROM claim WHERE event_id = $1 GROUP BY 1 ORDER BY 1",
            self.event.event_id,
        )
        return {row["seat_no"]: row["states"] for row in rows}

    async def updates(self) -> int:
        return await self.pool.fetchval(
            "SELECT count(*) FROM journal WHERE event_id = $1", self.event.event_id
        )  # fmt: skip -- one statement

    async def violations(self) -> Sequence[str]:
        """The ledger is played by itself here: its holds are paid without orders."""
        rows = await self.pool.fetch("SELECT DISTINCT invariant FROM violations_v1(9) ORDER BY 1")
        return [row["invariant"] for row in rows if row["invariant"] != "inv_hold_without_order"]

    async def _asked(self, command: Command) -> Batch[object]:
        return await command.by_postgres(PostgresLedger(self.pool), self.event.event_id)

    async def _set_clock(self, second: int) -> None:
        await self._keeper.execute("UPDATE hands SET now_ = $1", CLOCK + timedelta(seconds=second))

    async def _all_stand(self, begun: Sequence[asyncio.Task[Batch[object]]]) -> bool:
        """Each has ended, or waits for somebody."""
        waiting: int = await self._keeper.fetchval("""
            SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'
        """)
        return waiting + sum(task.done() for task in begun) >= len(begun)


@asynccontextmanager
async def at_an_event(url: str, *, rivals: int, **settings: str) -> AsyncGenerator[Meeting]:
    """A meeting of at most so many, in a database of the test's own. `settings` are PostgreSQL's."""
    async with pooled(url, rivals, **settings) as pool, pooled(url, 1) as keepers, keepers.acquire() as keeper:
        await keeper.execute(STAGING)
        await rewrite(pool, "take_lane_v1", {"clock_timestamp()": "hands()"})
        season = await plant(keeper)
        event = await put_on_sale(keeper, season, **TERMS)
        yield Meeting(pool, keeper, event)


def in_words(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What each call was told. Each asked for one thing; `fault`: it was undone."""
    return tuple(_word(outcome) for outcome in outcomes)


def _word(outcome: Outcome) -> str:  # noqa: PLR0911 -- a table: one answer, one line
    if isinstance(outcome, UnavailableError):
        return "fault"
    if not outcome.answers:
        return f"freed {len(outcome.update.seats)}"
    [answer] = outcome.answers
    match answer:
        case Placed():
            return "placed"
        case SeatsTaken():
            return "seats-taken"
        case Known(hold):
            return f"known {hold.state}"
        case Hold(state=state):
            return state
        case None:
            return "blocked"
        case refusal:
            return str(refusal)


def _outcome(answer: Any) -> Outcome:  # noqa: ANN401 -- what gather gives back
    if isinstance(answer, BaseException) and not isinstance(answer, UnavailableError):
        raise answer
    return answer
