"""Settling payments: what a provider says of an attempt becomes what we know, and what follows from it is done.

There is one way from an answer to its consequences, whoever asked: the request of the fan who pays, the sweeper that
asks again because no answer came, or a webhook that told of news. Whatever dies in between is found by
`SettlePayments`: each attempt that is not decided has a time at which the provider is asked.

Money that is kept sells the seats first, and is taken then; so nobody is charged without a seat. Where the order is not
open any more, it buys the same seats after all or goes back, which the transaction decides that learns of it.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.jobs import GivenUp, JobKind, JobTaken
from frontrow.core.payments import (
    KEY_SECONDS,
    Attempt,
    AttemptId,
    AttemptState,
    Challenged,
    Declined,
    Gone,
    Kept,
    MoneyCame,
    Pending,
    ProviderAnswer,
    RefundId,
    RefundState,
    Sale,
    Taken,
)
from frontrow.core.tickets import TicketKeyId
from frontrow.core.updates import Batch, Update
from frontrow.flows.group_commit import GroupCommit
from frontrow.flows.ports import Attempts, Clock, Orders, Provider

LOOK_SECONDS: Final = 0.25  # a look at an index; a fan waits for what comes of it
AT_ONCE: Final = 16  # attempts asked about at a time: most of it is waiting for somebody else
CAPTURE_SECONDS_MAX: Final = 4.0  # of a fan who waits for tickets that are theirs already
NO_EVENT: Final = EventId(0)  # attempts of all events are noted in one batch: no seat changes by it

# Made by the functions that decide (sql/schema/9_orders_functions.sql). Money that is not ours has to go.
VOID_PAYMENT: Final = JobKind("void-payment", urgency=1, attempts_max=30)
REFUND_PAYMENT: Final = JobKind("refund-payment", urgency=1, attempts_max=60)

_log = structlog.stdlib.get_logger(__name__)


class Settlement:
    """From what a provider says to what is stored, and on to what is to be asked next."""

    def __init__(
        self,
        orders: Orders,
        attempts: Attempts,
        provider: Provider,
        *,
        key_id: TicketKeyId,
        mail: JobKind | None,
        return_url: Callable[[Attempt], str],
        decided: Callable[[EventId, Update, float], None],
    ) -> None:
        """`key_id`: what tickets are signed with; `return_url`: where a fan's bank sends them back to.

        `decided` is told of each update, and when it was asked for.
        """
        self._orders = orders
        self._attempts = attempts
        self._provider = provider
        self._key_id = key_id
        self._mail = mail
        self._return_url = return_url
        self._heard = decided
        self._selling = GroupCommit[MoneyCame, Sale](self._sell, wants=_attempt, early=_never, decided=decided)
        self._capturing = GroupCommit[AttemptId, bool](
            attempts.note_captured, wants=_itself, early=_never, decided=_nothing_changed
        )

    async def begin(self, attempt: Attempt) -> ProviderAnswer:
        """Ask for the money, and do what follows. Faults as of a provider; what was stored says how far it got."""
        if attempt.amount.amount == 0:
            answer: ProviderAnswer = Taken(str(attempt.attempt_id))  # there is nobody to be asked
        else:
            answer = await self._provider.authorize(attempt, return_url=self._return_url(attempt))
        await self.apply(attempt, answer)
        return answer

    async def ask(self, attempt: Attempt, *, age: timedelta) -> ProviderAnswer:
        """Ask how an attempt stands, and do what follows. `age`: how long ago it was made."""
        if attempt.state is AttemptState.AUTHORIZED:
            return await self.capture(attempt, _known(attempt))
        if attempt.provider_ref is not None:
            answer = await self._provider.look(attempt.provider_ref)
        elif age.total_seconds() < KEY_SECONDS:
            return await self.begin(attempt)  # the same request once more
        else:
            answer = await self._provider.find(attempt) or Declined(None, "never_asked")
        await self.apply(attempt, answer)
        return answer

    async def apply(self, attempt: Attempt, answer: ProviderAnswer) -> None:
        """Store what was said, and do what follows."""
        attempt_id = attempt.attempt_id
        match answer:
            case Kept(ref):
                if await self._sold(attempt, MoneyCame(attempt_id, ref, is_taken=False)):
                    await self._captured_soon(attempt, ref)
            case Taken(ref):
                await self._sold(attempt, MoneyCame(attempt_id, ref, is_taken=True))
            case Challenged(ref, url):
                await self._attempts.note_challenged(attempt_id, ref=ref, url=url)
            case Pending(ref):
                await self._attempts.note_pending(attempt_id, ref=ref)
            case Declined(ref, reason):
                await self._attempts.note_declined(attempt_id, ref=ref, reason=reason)
            case Gone(ref):
                await self._attempts.note_declined(attempt_id, ref=ref, reason="gone")

    async def capture(self, attempt: Attempt, ref: str) -> ProviderAnswer:
        """Take the money of an attempt whose order is paid by it."""
        answer = await self._provider.capture(attempt.attempt_id, ref)
        if isinstance(answer, Taken):
            await self._capturing.ask(NO_EVENT, attempt.attempt_id)
        elif not isinstance(answer, Kept):  # kept for too long, or taken back by somebody at the provider
            _log.error("payment.lost", attempt_id=str(attempt.attempt_id), stands=type(answer).__name__)
        return answer

    async def void(self, job: JobTaken) -> GivenUp | None:
        """The work of VOID_PAYMENT."""
        attempt = await self._attempts.attempt(AttemptId(_ABOUT.decode(job.payload).attempt_id))
        if attempt is None or attempt.state is not AttemptState.VOIDING:
            return None
        answer = await self._provider.void(attempt.attempt_id, _known(attempt))
        match answer:
            case Gone() | Declined():
                await self._attempts.note_voided(attempt.attempt_id)
                _log.info("payment.voided", attempt_id=str(attempt.attempt_id))
            case Taken(ref):  # somebody was quicker: then it goes back the other way
                await self._sold(attempt, MoneyCame(attempt.attempt_id, ref, is_taken=True))
            case _:
                raise UnavailableError(f"not let go yet: {type(answer).__name__}")
        return None

    async def refund(self, job: JobTaken) -> GivenUp | None:
        """The work of REFUND_PAYMENT."""
        refund = await self._attempts.refund(RefundId(_ABOUT_REFUND.decode(job.payload).refund_id))
        if refund is None or refund.state is RefundState.ARRIVED:
            return None
        if refund.attempt.state is AttemptState.AUTHORIZED:
            raise UnavailableError("not taken yet")
        seen = await self._provider.refund(refund)
        await self._attempts.note_refund(refund.refund_id, seen)
        _log.info("refund.seen", refund_id=str(refund.refund_id), state=seen.state)
        if seen.state is RefundState.FAILED:
            return GivenUp("the provider could not give it back: find another way to the fan")
        if seen.state is not RefundState.ARRIVED:
            raise UnavailableError("on its way")
        return None

    async def close(self) -> None:
        await self._selling.close()
        await self._capturing.close()

    async def _captured_soon(self, attempt: Attempt, ref: str) -> None:
        """The order is paid, whatever comes of this: what is not taken now is taken when it is asked about next."""
        try:
            async with asyncio.timeout(CAPTURE_SECONDS_MAX):
                await self.capture(attempt, ref)
        except (UnavailableError, OutcomeUnknownError, TimeoutError) as error:
            _log.warning("payment.not_captured", attempt_id=str(attempt.attempt_id), why=str(error))

    async def _sold(self, attempt: Attempt, money: MoneyCame) -> bool:
        """Whether the order is paid by this money."""
        sale = await self._selling.ask(attempt.event_id, money)
        while sale in {Sale.LATE, Sale.OPEN}:  # it is one of the two; while somebody changes it, the other
            if sale is Sale.OPEN:
                sale = await self._selling.ask(attempt.event_id, money)
                continue
            asked_at = asyncio.get_running_loop().time()
            late = await self._orders.sell_late(attempt.event_id, money, key_id=self._key_id, mail=self._mail)
            self._heard(attempt.event_id, late.update, asked_at)
            sale = late.answers[0]
            _log.info("payment.late", attempt_id=str(attempt.attempt_id), bought=sale)
        return sale is Sale.SOLD

    async def _sell(self, event_id: EventId, came: Sequence[MoneyCame]) -> Batch[Sale]:
        return await self._orders.sell_orders(event_id, came, key_id=self._key_id, mail=self._mail)


class SettlePayments:
    """Asks about every attempt that is not decided, when its time has come, for as long as a process lives."""

    def __init__(self, attempts: Attempts, settlement: Settlement, *, clock: Clock) -> None:
        self._attempts = attempts
        self._settlement = settlement
        self._clock = clock

    async def run(self) -> None:
        """Look for ever."""
        while True:
            if not await self.look():
                await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> bool:
        """Ask about some that are due. Whether there may be more."""
        try:
            due = await self._attempts.take_due(limit=AT_ONCE)
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("payments.not_looked_for", why=str(error))
            return False
        await asyncio.gather(*map(self._ask, due))
        return len(due) == AT_ONCE

    async def _ask(self, attempt: Attempt) -> None:
        log = _log.bind(attempt_id=str(attempt.attempt_id), was=attempt.state)
        try:
            answer = await self._settlement.ask(attempt, age=self._clock() - attempt.made_at)
        except (UnavailableError, OutcomeUnknownError) as error:
            log.info("payment.still_unknown", why=str(error))  # its next time is set
            return
        except Exception:  # whatever one breaks, the others are settled
            log.exception("payment.broke")
            return
        log.info("payment.settled", stands=type(answer).__name__)


class _About(msgspec.Struct, frozen=True):
    """What a job of VOID_PAYMENT says."""

    attempt_id: UUID


class _AboutRefund(msgspec.Struct, frozen=True):
    """What a job of REFUND_PAYMENT says."""

    refund_id: UUID


_ABOUT: Final = msgspec.json.Decoder(_About)
_ABOUT_REFUND: Final = msgspec.json.Decoder(_AboutRefund)


def _known(attempt: Attempt) -> str:
    assert attempt.provider_ref, "what a provider has kept has a name"
    return attempt.provider_ref


def _attempt(money: MoneyCame) -> Iterable[Hashable]:
    return (money.attempt_id,)


def _itself(attempt_id: AttemptId) -> Iterable[Hashable]:
    return (attempt_id,)


def _never(_event_id: EventId, _request: object) -> None:
    return None


def _nothing_changed(_event_id: EventId, _update: Update, _asked_at: float) -> None:
    return None
