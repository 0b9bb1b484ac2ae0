"""Cancelling: an order that is not paid yet, or tickets that are. Seats come back, and money goes back by a job."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import structlog

from frontrow.core.cancelling import CancelRefusal, CancelWish
from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId
from frontrow.core.jobs import JobKind
from frontrow.core.orders import Order, OrderId
from frontrow.core.payments import Refund
from frontrow.core.updates import Update
from frontrow.flows.ports import Attempts, Orders

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The order as it is now, and the money that goes back for what was cancelled, if there was any."""

    order: Order
    refund: Refund | None


CancelOutcome: TypeAlias = Cancelled | CancelRefusal


class CancelOrders:
    """What a fan does who cannot come."""

    def __init__(
        self,
        orders: Orders,
        attempts: Attempts,
        *,
        before_seconds: int,
        mail: JobKind | None,
        decided: Callable[[EventId, Update, float], None],
    ) -> None:
        """`before_seconds`: how long before an event begins its tickets may be given back at the latest."""
        self._orders = orders
        self._attempts = attempts
        self._before_seconds = before_seconds
        self._mail = mail
        self._decided = decided

    async def cancel(self, order_id: OrderId, fan_id: FanId, wish: CancelWish) -> CancelOutcome:
        """Cancel these tickets, or all there is. The same wish again changes nothing."""
        order = await self._orders.order(order_id, fan_id)
        if order is None:
            return CancelRefusal.UNKNOWN
        refusal = await self._cancelled(order, wish)
        after = await self._orders.order(order_id, fan_id)
        if refusal or after is None:
            return refusal or CancelRefusal.UNKNOWN
        return Cancelled(after, await self._attempts.refund(wish.cancel_id))

    async def _cancelled(self, order: Order, wish: CancelWish) -> CancelRefusal | None:
        """None: it is. What may have been stored is asked once more, which tells."""
        for is_last in (False, True):
            asked_at = asyncio.get_running_loop().time()
            try:
                batch = await self._orders.cancel(order, wish, before_seconds=self._before_seconds, mail=self._mail)
            except OutcomeUnknownError:
                if is_last:
                    raise
                continue
            except UnavailableError as error:
                if is_last:
                    raise OutcomeUnknownError(str(error)) from error
                raise
            self._decided(order.event_id, batch.update, asked_at)
            _log.info("order.cancelled", order_id=str(order.order_id), seats=len(batch.update.seats))
            return batch.answers[0]
        raise AssertionError("the second time is the last")
