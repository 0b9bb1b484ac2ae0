"""Attempts to pay and refunds in PostgreSQL. Satisfies `flows.ports.Attempts`.

Each call is one statement and one transaction, with faults as in orders.py.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.catalogue import EventId
from frontrow.core.money import Money
from frontrow.core.orders import DELAYED_SECONDS, OrderId
from frontrow.core.payments import (
    Attempt,
    AttemptId,
    AttemptRequest,
    AttemptState,
    Begun,
    BegunBefore,
    PayAnswer,
    PayRefusal,
    Refund,
    RefundId,
    RefundSeen,
    RefundState,
)
from frontrow.core.updates import Batch, Update

ASK_SECONDS: Final = 20.0  # whoever began an attempt asks at once; whoever died in between is missed after this
ASK_AGAIN_SECONDS: Final = 5.0  # after an answer that was lost; then twice as long each time
ASK_AGAIN_SECONDS_MAX: Final = 300.0
WAIT_SECONDS: Final = 120.0  # for a bank; webhooks tell sooner

_SQL: Final = sql.statements("payments")
_BEFORE: Final = "attempt-"
_NO_SEATS: Final = Update(0, datetime.min.replace(tzinfo=UTC), (), "", b"", None)


class PostgresAttempts:
    """Remembers what was asked of a provider, and what it said."""

    def __init__(self, transactions: Transactions, *, provider: str) -> None:
        """`provider`: whom attempts that begin here are made at, by name."""
        self._transactions = transactions
        self._provider = provider

    async def begin(self, _: EventId, requests: Sequence[AttemptRequest]) -> Batch[PayAnswer]:
        """Store these attempts, before anybody is asked for money. Whatever event they are of."""
        rows = await self._transactions.fetch(
            _SQL["begin_attempts"],
            [request.order_id for request in requests],
            [request.fan_id for request in requests],
            [request.attempt_id for request in requests],
            [request.payment_method for request in requests],
            self._provider,
            int(ASK_SECONDS),
        )
        return Batch(_NO_SEATS, tuple(map(_pay_answer, rows)))

    async def attempt(self, attempt_id: AttemptId) -> Attempt | None:
        rows = await self._transactions.fetch(_SQL["attempt"], attempt_id, None, None)
        return _attempt(rows[0]) if rows else None

    async def since(self, since: datetime, *, limit: int) -> Sequence[Attempt]:
        """Those that were made since then, the newest first, at most so many."""
        return [
            _attempt(row)
            for row in await self._transactions.fetch(_SQL["attempts_since"], self._provider, since, limit)
        ]

    async def take_due(self, *, limit: int) -> Sequence[Attempt]:
        """Attempts that the provider is to be asked about. Nobody else gets them before their next time."""
        words = (self._provider, limit, ASK_AGAIN_SECONDS, ASK_AGAIN_SECONDS_MAX)
        return [_attempt(row) for row in await self._transactions.fetch(_SQL["take_attempts"], *words)]

    async def note_challenged(self, attempt_id: AttemptId, *, ref: str, url: str) -> None:
        await self._note(attempt_id, AttemptState.CHALLENGED, ref, None, url, WAIT_SECONDS)

    async def note_pending(self, attempt_id: AttemptId, *, ref: str) -> None:
        await self._note(attempt_id, AttemptState.PENDING, ref, None, None, WAIT_SECONDS)

    async def note_declined(self, attempt_id: AttemptId, *, ref: str | None, reason: str) -> None:
        await self._note(attempt_id, AttemptState.DECLINED, ref, reason, None, None)

    async def note_unknown(self, attempt_id: AttemptId) -> None:
        """No answer came. Its order has a little longer, once."""
        await self._transactions.fetch(_SQL["note_unknown"], attempt_id, ASK_AGAIN_SECONDS, float(DELAYED_SECONDS))

    async def note_captured(self, _: EventId, attempts: Sequence[AttemptId]) -> Batch[bool]:
        """The money of these is ours. Whether that is news, of each."""
        rows = await self._transactions.fetch(_SQL["note_captured"], attempts)
        news = {row["captured"] for row in rows}
        return Batch(_NO_SEATS, tuple(attempt_id in news for attempt_id in attempts))

    async def note_voided(self, attempt_id: AttemptId) -> None:
        await self._transactions.fetch(_SQL["note_voided"], attempt_id)

    async def ask_soon(self, attempt_id: AttemptId | None, *, ref: str | None) -> bool:
        """There is news of an attempt. False: of none that is undecided here."""
        return bool(await self._transactions.fetch(_SQL["ask_soon"], attempt_id, self._provider, ref))

    async def refund(self, refund_id: RefundId) -> Refund | None:
        rows = await self._transactions.fetch(_SQL["refund"], refund_id)
        if not rows:
            return None
        row, attempt = rows[0], _attempt(rows[0])
        amount = Money(row["refund_minor"], attempt.amount.currency)
        return Refund(refund_id, attempt, amount, RefundState(row["refund_state"]), row["refund_ref"])

    async def note_refund(self, refund_id: RefundId, seen: RefundSeen) -> None:
        await self._transactions.fetch(_SQL["note_refund"], refund_id, seen.ref, seen.state.value)

    async def _note(
        self,
        attempt_id: AttemptId,
        state: AttemptState,
        ref: str | None,
        reason: str | None,
        url: str | None,
        seconds: float | None,
    ) -> None:
        await self._transactions.fetch(_SQL["note_standing"], attempt_id, state.value, ref, reason, url, seconds)


def _pay_answer(row: asyncpg.Record) -> PayAnswer:
    answer: str = row["answer"]
    if answer == "begun":
        return Begun(EventId(row["of_event"]), Money(row["amount_minor"], row["currency"]))
    if answer.startswith(_BEFORE):
        return BegunBefore(AttemptState(answer.removeprefix(_BEFORE)))
    return PayRefusal(answer)


def _attempt(row: asyncpg.Record) -> Attempt:
    return Attempt(
        AttemptId(row["attempt_id"]),
        OrderId(row["order_id"]),
        EventId(row["event_id"]),
        AttemptState(row["state"]),
        row["payment_method"],
        Money(row["amount_minor"], row["currency"]),
        row["provider_ref"],
        row["made_at"],
        row["reason"],
        row["next_url"],
    )
