"""The ledger in PostgreSQL, where it is decided. Satisfies `flows.ports.Ledger`.

Each call is one statement and one transaction: a function of the schema decides a whole batch, and what it answers is
stored. A call that ends with `OutcomeUnknownError` may be stored or not; asking again with the same ids tells.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, LiteralString

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import FAULTS, MAY_BE_STORED, lent
from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import (
    DEFERRED,
    Deferred,
    FanId,
    Hold,
    HoldAnswer,
    HoldId,
    HoldRequest,
    HoldState,
    Known,
    Placed,
    Refusal,
    SeatsTaken,
)
from frontrow.core.seats import SeatNo
from frontrow.core.updates import NEVER, Batch, Update

_SQL: Final = sql.statements("ledger")
_STATES: Final = {state.value: state for state in HoldState}
_REFUSALS: Final = {refusal.value: refusal for refusal in Refusal}


class PostgresLedger:
    """Decides batches. What was decided is read in journal.py."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def hold_seats(self, event_id: EventId, requests: Sequence[HoldRequest]) -> Batch[HoldAnswer | Deferred]:
        """Hold all seats of each request, or none of them."""
        rows = await self._decide(
            _SQL["hold_seats"],
            event_id,
            [request.hold_id for request in requests],
            [request.fan_id for request in requests],
            [number for number, request in enumerate(requests, 1) for _ in request.seats],
            [seat for request in requests for seat in request.seats],
        )
        return Batch(update_of(rows[0]), tuple(map(_hold_answer, requests, rows[1:])))

    async def release_holds(self, event_id: EventId, asked: Sequence[tuple[HoldId, FanId]]) -> Batch[Hold | Refusal]:
        """Fans give held seats back."""
        holds, fans = [hold_id for hold_id, _ in asked], [fan_id for _, fan_id in asked]
        return _of_holds(holds, await self._decide(_SQL["release_holds"], event_id, holds, fans))

    async def begin_checkouts(
        self, event_id: EventId, asked: Sequence[tuple[HoldId, FanId]], *, pay_seconds: int
    ) -> Batch[Hold | Refusal]:
        """Paying has begun: a hold gets more time, once, and no clock ends it any more."""
        holds, fans = [hold_id for hold_id, _ in asked], [fan_id for _, fan_id in asked]
        return _of_holds(holds, await self._decide(_SQL["begin_checkouts"], event_id, holds, fans, pay_seconds))

    async def sell_holds(self, event_id: EventId, holds: Sequence[HoldId]) -> Batch[Hold | Refusal]:
        """The seats of holds in checkout are sold."""
        return _of_holds(holds, await self._decide(_SQL["sell_holds"], event_id, holds))

    async def end_checkouts(
        self, event_id: EventId, holds: Sequence[HoldId], *, outcome: HoldState
    ) -> Batch[Hold | Refusal]:
        """Holds in checkout are given up: released or expired."""
        return _of_holds(holds, await self._decide(_SQL["end_checkouts"], event_id, holds, outcome.value))

    async def sell_again(self, event_id: EventId, hold_id: HoldId) -> Batch[Hold | SeatsTaken | Refusal]:
        """Money for an expired hold came late: its seats are sold after all, if every one of them is free."""
        rows = await self._decide(_SQL["sell_again"], event_id, hold_id)
        taken = rows[1]["answer"] == "seats-taken"
        answer = SeatsTaken(tuple(rows[1]["seats"])) if taken else _what_it_is(hold_id, rows[1])
        return Batch(update_of(rows[0]), (answer,))

    async def return_seats(
        self, event_id: EventId, asked: Sequence[tuple[HoldId, Sequence[SeatNo]]]
    ) -> Batch[Hold | Refusal]:
        """Sold seats come back on sale, all of a request or none."""
        holds = [hold_id for hold_id, _ in asked]
        of_request, seats = flat([seats for _, seats in asked])
        return _of_holds(holds, await self._decide(_SQL["return_seats"], event_id, holds, of_request, seats))

    async def block_seats(
        self, event_id: EventId, asked: Sequence[Sequence[SeatNo]]
    ) -> Batch[SeatsTaken | Refusal | None]:
        """Take seats off sale, all of a request or none; None says that they are."""
        of_request, seats = flat(asked)
        rows = await self._decide(_SQL["block_seats"], event_id, len(asked), of_request, seats)
        return Batch(update_of(rows[0]), tuple(map(_block_answer, rows[1:])))

    async def unblock_seats(self, event_id: EventId, seats: Sequence[SeatNo]) -> Batch[None]:
        """Put blocked seats back on sale."""
        return Batch(update_of((await self._decide(_SQL["unblock_seats"], event_id, seats))[0]), ())

    async def expire_holds(self, event_id: EventId, holds: Sequence[HoldId]) -> Batch[None]:
        """End those of the holds whose time is over."""
        return Batch(update_of((await self._decide(_SQL["expire_holds"], event_id, holds))[0]), ())

    async def move_hold(
        self, event_id: EventId, hold_id: HoldId, *, from_fan: FanId, to_fan: FanId
    ) -> Batch[Hold | Refusal]:
        """A hold goes over to another fan, if it is held and they may have it."""
        return _of_holds([hold_id], await self._decide(_SQL["move_hold"], event_id, hold_id, from_fan, to_fan))

    async def _decide(self, statement: LiteralString, *words: object) -> list[asyncpg.Record]:
        is_asked = False
        try:
            async with lent(self._pool) as connection:
                is_asked = True
                return await connection.fetch(statement, *words)
        except FAULTS as error:
            may_be_stored = is_asked and isinstance(error, MAY_BE_STORED)
            kind = OutcomeUnknownError if may_be_stored else UnavailableError
            raise kind(str(error) or type(error).__name__) from error


def flat(seats: Sequence[Sequence[SeatNo]]) -> tuple[list[int], list[SeatNo]]:
    """Seats of all requests one after the other, and the number of the request that each is of."""
    return (
        [number for number, theirs in enumerate(seats, 1) for _ in theirs],
        [seat for theirs in seats for seat in theirs],
    )


def update_of(row: asyncpg.Record) -> Update:
    """A row of the journal, or the one that leads the answers to a batch."""
    return Update(
        row["update_no"], row["at"], tuple(row["seats"]), row["states"], row["holders"], _end(row["expires_at"])
    )


def _end(expires_at: datetime | None) -> datetime | None:
    """What asyncpg makes of infinity is the only time without a zone."""
    return NEVER if expires_at is not None and expires_at.tzinfo is None else expires_at


def _hold_answer(request: HoldRequest, row: asyncpg.Record) -> HoldAnswer | Deferred:
    answer: str = row["answer"]
    if answer == "placed":
        return Placed(Hold(request.hold_id, HoldState.HELD, tuple(row["seats"]), row["expires_at"]))
    if answer == "seats-taken":
        return SeatsTaken(tuple(row["seats"]))
    if answer == "deferred":
        return DEFERRED
    if state := _STATES.get(answer):
        return Known(Hold(request.hold_id, state, tuple(row["seats"]), row["expires_at"]))
    return _REFUSALS[answer]


def _of_holds(holds: Sequence[HoldId], rows: Sequence[asyncpg.Record]) -> Batch[Hold | Refusal]:
    return Batch(update_of(rows[0]), tuple(map(_what_it_is, holds, rows[1:])))


def _what_it_is(hold_id: HoldId, row: asyncpg.Record) -> Hold | Refusal:
    answer: str = row["answer"]
    if state := _STATES.get(answer):
        return Hold(hold_id, state, tuple(row["seats"]), row["expires_at"])
    return _REFUSALS[answer]


def _block_answer(row: asyncpg.Record) -> SeatsTaken | Refusal | None:
    match row["answer"]:
        case "blocked":
            return None
        case "seats-taken":
            return SeatsTaken(tuple(row["seats"]))
        case refusal:
            return Refusal(refusal)
