"""Showing a fan their orders and tickets: what they are about, and their files."""

from collections.abc import Sequence
from typing import Final

from frontrow.core.holds import FanId
from frontrow.core.orders import OrderId, TicketId
from frontrow.core.papers import AboutOrder, Papers
from frontrow.flows.make_papers import MakePapers
from frontrow.flows.ports import Orders, Printer, TicketOwners

ORDERS_MAX: Final = 50  # of one fan on a page


class LookAtOrders:
    """Everything that is shown of an order. Others' orders are not there."""

    def __init__(self, orders: Orders, owners: TicketOwners, make: MakePapers, printer: Printer) -> None:
        self._orders = orders
        self._owners = owners
        self._make = make
        self._printer = printer

    async def order(self, order_id: OrderId, fan_id: FanId) -> AboutOrder | None:
        order = await self._orders.order(order_id, fan_id)
        return await self._make.about(order) if order else None

    async def orders(self, fan_id: FanId) -> Sequence[AboutOrder]:
        """The newest first. What the public knows no event of any more is left out."""
        about = [await self._make.about(order) for order in await self._orders.orders(fan_id, limit=ORDERS_MAX)]
        return [each for each in about if each]

    def papers(self, about: AboutOrder) -> Papers | None:
        """The tickets of an order that are good; None: it has none."""
        return self._make.papers(about)

    async def ticket(self, ticket_id: TicketId, fan_id: FanId) -> Papers | None:
        """One ticket that is good."""
        order_id = await self._owners.order_of(ticket_id, fan_id)
        about = await self.order(order_id, fan_id) if order_id else None
        papers = self.papers(about) if about else None
        alone = papers.only(ticket_id) if papers else None
        return alone if alone and alone.papers else None

    async def pdf(self, papers: Papers) -> bytes:
        return await self._printer.pdf(papers)
