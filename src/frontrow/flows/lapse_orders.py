"""Ending orders that were not paid in time, for as long as a process lives. Two of these at once are harmless."""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.jobs import JobKind
from frontrow.core.orders import OrderId
from frontrow.flows.ports import Orders

LOOK_SECONDS: Final = 0.5  # seats that come back are wanted by somebody
ORDERS_MAX: Final = 200  # at a time

_log = structlog.stdlib.get_logger(__name__)


class LapseOrders:
    """Looks for orders whose time is over, and ends them, one event after the other."""

    def __init__(self, orders: Orders, *, mail: JobKind | None) -> None:
        self._orders = orders
        self._mail = mail
        self._failed: set[EventId] = (
            set()
        )  # in the last look: the next one leaves them out, so that they keep nobody waiting

    async def run(self) -> None:
        """Look for ever."""
        while True:
            if not await self.look():
                await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> bool:
        """End what is over. Whether there may be more."""
        try:
            over = await self._orders.orders_over(apart_from=self._failed, limit=ORDERS_MAX)
        except UnavailableError as error:
            _log.warning("orders.not_looked_for", why=str(error))
            return False
        self._failed = {event_id for event_id, orders in over.items() if not await self._is_ended(event_id, orders)}
        return not self._failed and sum(map(len, over.values())) == ORDERS_MAX

    async def _is_ended(self, event_id: EventId, orders: Sequence[OrderId]) -> bool:
        try:
            batch = await self._orders.lapse_orders(event_id, orders, mail=self._mail)
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("orders.not_lapsed", event_id=event_id, why=str(error))
            return False
        _log.info("orders.lapsed", event_id=event_id, orders=len(orders), seats=len(batch.update.seats))
        return True
