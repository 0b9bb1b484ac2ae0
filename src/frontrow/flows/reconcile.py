"""Reconciliation: every payment at the provider is compared with ours, both ways. What differs is repaired, or told.

Settlement asks about attempts that it knows are not decided. This finds what it cannot know of: an attempt that was
decided here and stands otherwise there, and payments of which there is no attempt here, as after a database was put
back from a backup. Those are told, and left as they are: another copy of Frontrow may share the
account.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import structlog

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.payments import (
    UNDECIDED,
    Attempt,
    AttemptId,
    AttemptState,
    Declined,
    Gone,
    Kept,
    PaymentSeen,
    ProviderAnswer,
    Taken,
)
from frontrow.flows.ports import Attempts, Clock, Provider
from frontrow.flows.settle_payments import Settlement

HOURS: Final = timedelta(hours=25)  # what was begun since then: a payment may be pending for a day
EVERY_SECONDS: Final = 3_600.0
ATTEMPTS_MAX: Final = 1_000_000  # a day of the largest sales there are
YOUNG: Final = timedelta(minutes=2)  # what is younger may be under way: it is compared the next time

_log = structlog.stdlib.get_logger(__name__)


class Difference(StrEnum):
    """What is not the same there and here."""

    UNDECIDED = "undecided"  # here; there it may be known
    OTHERWISE = "otherwise"  # decided here, and not as it stands there
    AMOUNT = "amount"  # of another amount or currency
    NOT_HERE = "not here"  # there is no attempt of it here
    NOT_THERE = "not there"  # the provider has no payment of it


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference."""

    kind: Difference
    attempt_id: str | None
    ref: str | None
    here: str | None
    there: str | None
    is_repaired: bool = False


@dataclass(frozen=True, slots=True)
class Reconciled:
    """How much was compared, and what was found."""

    payments: int
    attempts: int
    findings: Sequence[Finding]


class Reconcile:
    """Compares, and repairs what there is one way to repair."""

    def __init__(self, provider: Provider, attempts: Attempts, settlement: Settlement) -> None:
        self._provider = provider
        self._attempts = attempts
        self._settlement = settlement

    async def run(self, *, clock: Clock) -> None:
        """For ever, once an hour. Any number of processes may; there is little to find twice."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await self.compare(since=clock() - HOURS, now=clock())
            except (UnavailableError, OutcomeUnknownError) as error:
                _log.warning("payments.not_compared", why=str(error))

    async def compare(self, *, since: datetime, now: datetime) -> Reconciled:
        """All that was begun since then. Faults as of the provider and of the database."""
        ours = {attempt.attempt_id: attempt for attempt in await self._attempts.since(since, limit=ATTEMPTS_MAX)}
        seen = [payment async for payment in self._provider.payments(since=since)]
        findings: list[Finding] = []
        for payment in seen:
            attempt = ours.get(payment.attempt_id) if payment.attempt_id else None
            if found := await self._compared(payment, attempt, now):
                findings.append(found)
        there = {payment.attempt_id for payment in seen}
        findings += [
            Finding(Difference.NOT_THERE, str(attempt.attempt_id), attempt.provider_ref, attempt.state, None)
            for attempt in ours.values()
            if attempt.provider_ref and attempt.amount.amount and attempt.attempt_id not in there
        ]
        for found in findings:
            _log.warning("payment.differs", kind=found.kind, ref=found.ref, here=found.here, repaired=found.is_repaired)
        return Reconciled(len(seen), len(ours), findings)

    async def _compared(self, payment: PaymentSeen, attempt: Attempt | None, now: datetime) -> Finding | None:
        if now - payment.made_at < YOUNG:
            return None
        stands = type(payment.stands).__name__.lower()
        if attempt is None:
            if isinstance(payment.stands, Gone | Declined):
                return None
            return Finding(Difference.NOT_HERE, _text(payment.attempt_id), payment.ref, None, stands)
        if payment.amount != attempt.amount:
            return Finding(Difference.AMOUNT, _text(payment.attempt_id), payment.ref, attempt.state, stands)
        if agree(attempt.state, payment.stands):
            return None
        kind = Difference.UNDECIDED if attempt.state in UNDECIDED else Difference.OTHERWISE
        is_repaired = await self._is_repaired(attempt, payment.stands)
        return Finding(kind, _text(payment.attempt_id), payment.ref, attempt.state, stands, is_repaired=is_repaired)

    async def _is_repaired(self, attempt: Attempt, stands: ProviderAnswer) -> bool:
        """Do what follows from how it stands, and see whether that is how it is here, then."""
        try:
            await self._settlement.apply(attempt, stands)
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("payment.not_repaired", attempt_id=str(attempt.attempt_id), why=str(error))
            return False
        after = await self._attempts.attempt(attempt.attempt_id)
        return after is not None and after.state is not attempt.state


def agree(here: AttemptState, there: ProviderAnswer) -> bool:
    """Whether an attempt may be so here while it stands so there."""
    match there:
        case Kept():
            return here is AttemptState.VOIDING
        case Taken():
            return here in {AttemptState.CAPTURED, AttemptState.REFUNDING, AttemptState.REFUNDED}
        case Gone() | Declined():
            return here in {AttemptState.DECLINED, AttemptState.VOIDING, AttemptState.VOIDED}
        case _:
            return here in {*UNDECIDED, AttemptState.VOIDING}


def _text(attempt_id: AttemptId | None) -> str | None:
    return str(attempt_id) if attempt_id else None
