"""Where commands are played to PostgreSQL and to the core, which must answer the same and be in the same state.

Time passes where a step says so: holds are made older in both, since nobody can set PostgreSQL's clock.
"""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

import asyncpg
from tests import servers
from tests.ledger.commands import Command
from tests.ledger.on_sale import plant, put_on_sale, terms_of
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import Event, EventId
from frontrow.core.holds import HoldState, SeatsTaken
from frontrow.core.ledger import Claim, EventLedger
from frontrow.core.seats import SeatNo, SeatState
from frontrow.core.updates import NEVER, Batch, Update

CONNECTIONS: Final = 4
HOLD_SECONDS: Final = 100
TERMS: Final = {"hold_seconds": HOLD_SECONDS, "seats_per_hold_max": 3, "tickets_per_fan_max": 4}


@dataclass(frozen=True)
class Pass:
    """So many seconds go by."""

    seconds: int


Step: TypeAlias = Command | Pass


@dataclass(frozen=True)
class Theatre:
    """A database where stages are set, and an event loop, since Hypothesis calls a test many times."""

    loop: asyncio.Runner
    pool: asyncpg.Pool
    season: SmallSeason

    async def staged(self, **terms: Any) -> "Stage":  # noqa: ANN401 -- fields of Event
        """A fresh event, and the core's ledger of the same terms."""
        async with self.pool.acquire() as connection:
            event = await put_on_sale(connection, self.season, **(TERMS | terms))
        return Stage(self.pool, event, EventLedger(terms_of(event)))

    def stage(self, **terms: Any) -> "Stage":  # noqa: ANN401 -- fields of Event
        return self.loop.run(self.staged(**terms))

    def play(self, stage: "Stage", steps: Sequence[Step]) -> None:
        self.loop.run(stage.play(steps))

    def play_at_once(self, stage: "Stage", acts: Sequence[Sequence[Command]]) -> None:
        self.loop.run(stage.play_at_once(acts))

    def violations(self) -> list[asyncpg.Record]:
        """The ledger is played by itself here: its holds are sold without orders."""
        told = self.loop.run(self.pool.fetch("SELECT * FROM violations_v1(5)"))
        return [row for row in told if row["invariant"] != "inv_hold_without_order"]


@contextmanager
def opened(databases: servers.Databases) -> Generator[Theatre]:
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        pool = loop.run(_pool(url))
        yield Theatre(loop, pool, loop.run(_planted(pool)))
        loop.run(pool.close())


async def _pool(url: str) -> asyncpg.Pool:
    return await asyncpg.create_pool(url, min_size=CONNECTIONS, max_size=CONNECTIONS)


async def _planted(pool: asyncpg.Pool) -> SmallSeason:
    async with pool.acquire() as connection:
        return await plant(connection)


@dataclass(frozen=True)
class Stage:
    """One event, in PostgreSQL and in the core."""

    pool: asyncpg.Pool
    event: Event
    core: EventLedger

    async def play(self, steps: Sequence[Step]) -> None:
        """One step after the other. AssertionError where the two differ."""
        for step in steps:
            if isinstance(step, Pass):
                await self._age(step.seconds)
            else:
                self._compare(step, await self._answered(step))
        await self._compare_states()

    async def play_at_once(self, acts: Sequence[Sequence[Command]]) -> None:
        """The commands of an act at the same time. However batches meet, they were decided in some order.

        Updates tell it by their numbers; a batch that changed nothing has the number of what it saw.
        """
        for act in acts:
            answers = await asyncio.gather(*map(self._answered, act))
            played = sorted(
                zip(act, answers, strict=True),
                key=lambda each: (each[1].update.update_no, not each[1].update.seats),
            )
            for command, answered in played:
                self._compare(command, answered)
        await self._compare_states()

    async def _answered(self, command: Command) -> Batch[object]:
        return await command.by_postgres(PostgresLedger(self.pool), self.event.event_id)

    def _compare(self, command: Command, answered: Batch[object]) -> None:
        explained = command.by_core(self.core, answered.update.at)
        assert _comparable(answered) == _comparable(explained), command

    async def _compare_states(self) -> None:
        assert await _state_in_postgres(self.pool, self.event.event_id) == _state_in(self.core)

    async def _age(self, seconds: int) -> None:
        await age(self.pool, self.event.event_id, seconds)
        for record in self.core.holds.values():
            record.hold = replace(record.hold, expires_at=record.hold.expires_at - timedelta(seconds=seconds))


async def age(pool: asyncpg.Pool, event_id: EventId, seconds: int) -> None:
    """Let the holds of an event be older than they are."""
    await pool.execute(
        """
        UPDATE hold
           SET expires_at = expires_at - make_interval(secs => $2), placed_at = placed_at - make_interval(secs => $2)
         WHERE event_id = $1
        """,
        event_id,
        seconds,
    )  # fmt: skip -- one statement
    await pool.execute(
        """
        UPDATE claim
           SET expires_at = expires_at - make_interval(secs => $2)
         WHERE event_id = $1 AND expires_at <> 'infinity'
        """,
        event_id,
        seconds,
    )  # fmt: skip -- one statement
    await pool.execute(
        """
        UPDATE journal
           SET expires_at = expires_at - make_interval(secs => $2)
         WHERE event_id = $1 AND expires_at <> 'infinity'
        """,
        event_id,
        seconds,
    )  # fmt: skip -- one statement


def _comparable(batch: Batch[object]) -> tuple[object, ...]:
    """The order of seats within an update, and of those that are taken, says nothing."""
    return batch.update.update_no, batch.update.expires_at, _told(batch.update), [*map(_ordered, batch.answers)]


def _ordered(answer: object) -> object:
    return SeatsTaken(tuple(sorted(set(answer.taken)))) if isinstance(answer, SeatsTaken) else answer


def _told(update: Update) -> list[tuple[SeatNo, str]]:
    return sorted(zip(update.seats, update.states, strict=True))


@dataclass(frozen=True)
class State:
    """All that is known of an event, whoever holds it."""

    lane: tuple[int, ...]
    claims: dict[SeatNo, tuple[object, ...]]
    holds: dict[object, tuple[object, ...]]
    journal: list[tuple[object, ...]]


async def _state_in_postgres(pool: asyncpg.Pool, event_id: EventId) -> State:
    lane = await pool.fetchrow("SELECT update_no, held, sold, blocked FROM lane WHERE event_id = $1", event_id)
    claims = await pool.fetch("SELECT seat_no, state, hold_id, expires_at FROM claim WHERE event_id = $1", event_id)
    holds = await pool.fetch("SELECT * FROM hold WHERE event_id = $1", event_id)
    journal = await pool.fetch("SELECT * FROM journal WHERE event_id = $1 ORDER BY update_no", event_id)
    assert lane is not None
    return State(
        tuple(lane),
        {row["seat_no"]: (row["state"], row["hold_id"], _end(row["expires_at"])) for row in claims},
        {
            row["hold_id"]: (row["fan_id"], row["state"], tuple(row["seats"]), row["tickets"], row["expires_at"])
            for row in holds
        },
        [(row["update_no"], row["at"], sorted(zip(row["seats"], row["states"], strict=True))) for row in journal],
    )


def _state_in(core: EventLedger) -> State:
    states = [claim.state for claim in core.claims.values()]
    return State(
        (len(core.journal), *map(states.count, (SeatState.HELD, SeatState.SOLD, SeatState.BLOCKED))),
        {seat: (claim.state.value, claim.hold_id, _end_of(claim, core)) for seat, claim in core.claims.items()},
        {
            hold_id: (record.fan_id, hold.state.value, hold.seats, record.tickets, hold.expires_at)
            for hold_id, record in core.holds.items()
            for hold in [record.hold]
        },
        [(update.update_no, update.at, _told(update)) for update in core.journal],
    )


def _end(expires_at: datetime) -> datetime:
    """What asyncpg makes of infinity is the only time without a zone."""
    return NEVER if expires_at.tzinfo is None else expires_at


def _end_of(claim: Claim, core: EventLedger) -> datetime:
    """A claim ends with its hold while a clock may end that."""
    hold = None if claim.hold_id is None else core.holds[claim.hold_id].hold
    return hold.expires_at if hold and hold.state is HoldState.HELD else NEVER
