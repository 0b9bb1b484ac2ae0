"""Whose orders and tickets are, in PostgreSQL. Satisfies `flows.ports.TicketOwners`."""

from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.core.holds import FanId
from frontrow.core.orders import OrderId, TicketId

_SQL: Final = sql.statements("tickets")


class PostgresTickets:
    """Leads from an order to its fan, and from a ticket to its order."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def fan_of(self, order_id: OrderId) -> FanId | None:
        row = await self._reading.fetchrow(_SQL["fan_of_order"], order_id)
        return FanId(row["fan_id"]) if row else None

    async def order_of(self, ticket_id: TicketId, fan_id: FanId) -> OrderId | None:
        """The order of this fan that the ticket belongs to. Others' tickets are not there."""
        row = await self._reading.fetchrow(_SQL["order_of_ticket"], ticket_id, fan_id)
        return OrderId(row["order_id"]) if row else None
