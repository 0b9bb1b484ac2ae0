"""Checking out: an order for held seats, and paying it.

What is asked of a provider is stored before it is asked, by an id of the fan's device: so a double click, a second tab
and a retry are the same attempt, and one of several attempts is under way at a time. A payment that has begun goes on
by itself, whether or not the fan's connection does.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.fans import EmailAddress
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId, HoldId
from frontrow.core.orders import Order, OrderAnswer, OrderId, OrderRefusal, OrderRequest, OrderState
from frontrow.core.payments import (
    UNDECIDED,
    Attempt,
    AttemptId,
    AttemptRequest,
    AttemptState,
    Begun,
    BegunBefore,
    Challenged,
    Declined,
    PayAnswer,
    PayRefusal,
    Pending,
    ProviderAnswer,
)
from frontrow.core.updates import Update
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.group_commit import GroupCommit
from frontrow.flows.ports import Attempts, Clock, Journal, Orders
from frontrow.flows.settle_payments import NO_EVENT, Settlement

ORDERS_MAX: Final = 100  # of one fan in a list: years of going out

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Paid:
    """The order is paid, by this attempt or another, and has tickets."""

    order: Order


@dataclass(frozen=True, slots=True)
class Processing:
    """It is not decided yet. `next_url`: where the fan is wanted first, if anywhere."""

    next_url: str | None = None


@dataclass(frozen=True, slots=True)
class Delayed:
    """The provider does not say how it stands. The order has a little longer, and settlement finds out."""


PayOutcome: TypeAlias = Paid | Processing | Declined | Delayed | PayRefusal


class CheckOut:
    """Everything a fan does with an order before it is paid."""

    def __init__(
        self,
        orders: Orders,
        attempts: Attempts,
        journal: Journal,
        events: EventsAtHand,
        settlement: Settlement,
        *,
        clock: Clock,
        decided: Callable[[EventId, Update, float], None],
    ) -> None:
        """`decided` is told of each update, and when it was asked for."""
        self._orders = orders
        self._attempts = attempts
        self._journal = journal
        self._events = events
        self._settlement = settlement
        self._clock = clock
        self._opening = GroupCommit[OrderRequest, OrderAnswer](
            orders.open_orders, wants=_order_and_hold, early=_never, decided=decided
        )
        self._beginning = GroupCommit[AttemptRequest, PayAnswer](
            attempts.begin, wants=_order_of, early=_never, decided=_nothing_changed
        )
        self._under_way: dict[AttemptId, asyncio.Task[ProviderAnswer | None]] = {}

    async def open(self, order_id: OrderId, hold_id: HoldId, fan_id: FanId, email: EmailAddress) -> OrderAnswer:
        """An order for a fan's hold, which has a little longer from now on. BusyError: too many wait already."""
        found = await self._journal.hold(hold_id, fan_id)
        at_hand = await self._events.get(found[0]) if found else None
        if found is None or at_hand is None:
            return OrderRefusal.UNKNOWN
        seats = found[1].seats
        levels = tuple(at_hand.seat_map.part(seat).price_level for seat in seats)
        return await self._opening.ask(found[0], OrderRequest(order_id, hold_id, fan_id, email, seats, levels))

    async def pay(self, request: AttemptRequest) -> PayOutcome:
        """Pay an order. BusyError: too many wait already."""
        answer = await self._beginning.ask(NO_EVENT, request)
        match answer:
            case Begun(event_id, amount):
                attempt = Attempt(
                    request.attempt_id,
                    request.order_id,
                    event_id,
                    AttemptState.CREATED,
                    request.payment_method,
                    amount,
                    None,
                    self._clock(),
                )
                return await self._followed(request, self._go_on(attempt))
            case BegunBefore(state):
                return await self._as_before(request, state)
            case PayRefusal.PAID:
                return await self._by_order(request, PayRefusal.UNKNOWN)
            case PayRefusal.UNDER_WAY:
                return Processing()
            case _:
                return answer

    async def order(self, order_id: OrderId, fan_id: FanId) -> Order | None:
        return await self._orders.order(order_id, fan_id)

    async def orders(self, fan_id: FanId) -> Sequence[Order]:
        """The orders of a fan, the newest first."""
        return await self._orders.orders(fan_id, limit=ORDERS_MAX)

    async def close(self) -> None:
        """Let payments that have begun come to their end."""
        await self._opening.close()
        await self._beginning.close()
        if self._under_way:
            await asyncio.wait(self._under_way.values())

    async def _as_before(self, request: AttemptRequest, state: AttemptState) -> PayOutcome:
        """This very attempt was begun before: it is followed, wherever it is by now."""
        if under_way := self._under_way.get(request.attempt_id):
            return await self._followed(request, under_way)
        attempt = await self._attempts.attempt(request.attempt_id)
        if attempt is None or state not in UNDECIDED:
            return await self._by_order(request, _declined_of(attempt))
        if state is AttemptState.CREATED:
            return Processing()  # another process asks, or has died: then settlement asks
        return await self._followed(request, self._go_on(attempt))

    def _go_on(self, attempt: Attempt) -> "asyncio.Task[ProviderAnswer | None]":
        """Ask the provider, whoever waits for it. What runs is kept, so that the same attempt is asked about once."""
        task = asyncio.create_task(self._asked(attempt))
        self._under_way[attempt.attempt_id] = task
        task.add_done_callback(lambda _: self._under_way.pop(attempt.attempt_id, None))
        return task

    async def _asked(self, attempt: Attempt) -> ProviderAnswer | None:
        """What the provider says, with everything done that follows. None: nothing."""
        log = _log.bind(attempt_id=str(attempt.attempt_id), order_id=str(attempt.order_id))
        try:
            if attempt.state is AttemptState.CREATED:
                answer = await self._settlement.begin(attempt)
            else:
                answer = await self._settlement.ask(attempt, age=max(self._clock() - attempt.made_at, timedelta(0)))
        except (UnavailableError, OutcomeUnknownError) as error:
            log.warning("payment.unknown", why=str(error))
            with suppress(UnavailableError, OutcomeUnknownError):  # it is asked about all the same, only later
                await self._attempts.note_unknown(attempt.attempt_id)
            return None
        log.info("payment.answered", stands=type(answer).__name__)
        return answer

    async def _followed(self, request: AttemptRequest, under_way: "asyncio.Task[ProviderAnswer | None]") -> PayOutcome:
        match await asyncio.shield(under_way):
            case None:
                return await self._by_order(request, Delayed())
            case Declined() as declined:
                return declined
            case Challenged(_, url):
                return Processing(url)
            case Pending():
                return Processing()
            case _:
                return await self._by_order(request, PayRefusal.LAPSED)

    async def _by_order(self, request: AttemptRequest, otherwise: PayOutcome) -> PayOutcome:
        """What the order says, once it is decided; else what the attempt does.

        Something has begun by now: where the order cannot be read, it would be wrong to say that nothing was done.
        """
        try:
            order = await self._orders.order(request.order_id, request.fan_id)
        except UnavailableError:
            return Delayed()
        if order is None:
            return PayRefusal.UNKNOWN
        match order.state:
            case OrderState.PAID:
                return Paid(order)
            case OrderState.OPEN:
                return otherwise
            case _:
                return PayRefusal(order.state.value)


def _declined_of(attempt: Attempt | None) -> PayOutcome:
    """What an attempt that will bring no money is to its fan."""
    if attempt is None:
        return PayRefusal.UNKNOWN
    return Declined(attempt.provider_ref, attempt.reason or "given_up")


def _order_and_hold(request: OrderRequest) -> Iterable[Hashable]:
    return (request.order_id, request.hold_id)


def _order_of(request: AttemptRequest) -> Iterable[Hashable]:
    return (request.order_id,)


def _never(_event_id: EventId, _request: object) -> None:
    return None


def _nothing_changed(_event_id: EventId, _update: Update, _asked_at: float) -> None:
    return None
