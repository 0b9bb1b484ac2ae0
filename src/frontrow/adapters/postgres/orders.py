"""Orders in PostgreSQL, where they are decided. Satisfies `flows.ports.Orders`.

Each call is one statement and one transaction: what it answers is stored. A call that ends with `OutcomeUnknownError`
may be stored or not; asking again with the same ids tells.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.adapters.postgres.ledger import flat, update_of
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.cancelling import CancelRefusal, CancelWish
from frontrow.core.catalogue import EventId
from frontrow.core.fans import EmailAddress
from frontrow.core.holds import FanId, HoldId
from frontrow.core.jobs import JobKind
from frontrow.core.money import Money
from frontrow.core.orders import (
    PAY_SECONDS,
    TECHNICAL_SECONDS,
    LastTry,
    Opened,
    Order,
    OrderAnswer,
    OrderExists,
    OrderId,
    OrderRefusal,
    OrderRequest,
    OrderState,
    SeatOrdered,
    Ticket,
    TicketId,
)
from frontrow.core.payments import MoneyCame, Sale
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketFacts, TicketKeyId, TicketSerial
from frontrow.core.updates import Batch

CAPTURE_SECONDS: Final = 15.0  # whoever sold captures at once; whoever died in between is missed after this

_SQL: Final = sql.statements("orders")
_REFUSALS: Final = {refusal.value: refusal for refusal in OrderRefusal}


class PostgresOrders:
    """Decides about orders, and reads them."""

    def __init__(self, reading: Reading, transactions: Transactions) -> None:
        self._reading = reading
        self._transactions = transactions

    async def open_orders(self, event_id: EventId, requests: Sequence[OrderRequest]) -> Batch[OrderAnswer]:
        """Fans begin to pay for their holds. Asking again with the same ids changes nothing."""
        of_request, seats = flat([request.seats for request in requests])
        rows = await self._transactions.fetch(
            _SQL["open_orders"],
            event_id,
            [request.order_id for request in requests],
            [request.hold_id for request in requests],
            [request.fan_id for request in requests],
            [request.email for request in requests],
            of_request,
            seats,
            [level for request in requests for level in request.levels],
            PAY_SECONDS,
            TECHNICAL_SECONDS,
        )
        return Batch(update_of(rows[0]), tuple(map(_order_answer, rows[1:])))

    async def sell_orders(
        self, event_id: EventId, came: Sequence[MoneyCame], *, key_id: TicketKeyId, mail: JobKind | None
    ) -> Batch[Sale]:
        """There is money for these attempts: their orders' seats are sold, and the orders are paid."""
        rows = await self._transactions.fetch(
            _SQL["sell_orders"],
            event_id,
            [money.attempt_id for money in came],
            [money.ref for money in came],
            [money.is_taken for money in came],
            key_id,
            int(CAPTURE_SECONDS),
            *_mail(mail),
        )
        return Batch(update_of(rows[0]), tuple(Sale(row["answer"]) for row in rows[1:]))

    async def sell_late(
        self, event_id: EventId, money: MoneyCame, *, key_id: TicketKeyId, mail: JobKind | None
    ) -> Batch[Sale]:
        """There is money, and its order is not open: it buys the same seats after all, or goes back."""
        words = (money.attempt_id, money.ref, money.is_taken, key_id, int(CAPTURE_SECONDS), *_mail(mail))
        rows = await self._transactions.fetch(_SQL["sell_late"], event_id, *words)
        return Batch(update_of(rows[0]), (Sale(rows[1]["answer"]),))

    async def lapse_orders(
        self, event_id: EventId, orders: Sequence[OrderId], *, mail: JobKind | None
    ) -> Batch[OrderState]:
        """End those of the orders whose time is over. Answers what each is now."""
        rows = await self._transactions.fetch(_SQL["lapse_orders"], event_id, orders, *_mail(mail))
        return Batch(update_of(rows[0]), tuple(OrderState(row["answer"]) for row in rows[1:]))

    async def cancel(
        self,
        order: Order,
        wish: CancelWish,
        *,
        before_seconds: int,
        mail: JobKind | None,
    ) -> Batch[CancelRefusal | None]:
        """Cancel these tickets of an order, or all there is. None: it is done, now or before."""
        words = (order.order_id, order.fan_id, wish.cancel_id, wish.tickets, before_seconds, *_mail(mail))
        rows = await self._transactions.fetch(_SQL["cancel_order"], order.event_id, *words)
        answer: str = rows[1]["answer"]
        return Batch(update_of(rows[0]), (None if answer == "done" else CancelRefusal(answer),))

    async def orders_over(self, *, apart_from: Collection[EventId], limit: int) -> Mapping[EventId, Sequence[OrderId]]:
        """Open orders whose time is over, the oldest first, at most so many; none of the events that are named."""
        found: dict[EventId, list[OrderId]] = defaultdict(list)
        for row in await self._reading.fetch(_SQL["orders_over"], list(apart_from), limit):
            found[EventId(row["event_id"])].append(OrderId(row["order_id"]))
        return found

    async def order(self, order_id: OrderId, fan_id: FanId) -> Order | None:
        """One order of a fan. Others' orders are not there."""
        row = await self._reading.fetchrow(_SQL["orders_of_fan"], fan_id, order_id, 1)
        return _order(row) if row else None

    async def orders(self, fan_id: FanId, *, limit: int) -> Sequence[Order]:
        """The orders of a fan, the newest first."""
        return [_order(row) for row in await self._reading.fetch(_SQL["orders_of_fan"], fan_id, None, limit)]


def _mail(kind: JobKind | None) -> tuple[str | None, int | None]:
    return (kind.name, kind.urgency) if kind else (None, None)


def _order_answer(row: asyncpg.Record) -> OrderAnswer:
    answer: str = row["answer"]
    if answer == "order-exists":
        return OrderExists(row["of_order"])
    if refusal := _REFUSALS.get(answer):
        return refusal
    total = Money(row["total_minor"], row["currency"])
    return Opened(row["of_order"], OrderState(answer), tuple(row["seats"]), total, row["expires_at"])


def _order(row: asyncpg.Record) -> Order:
    currency: str = row["currency"]
    seats = zip(row["seats"], row["prices_minor"], row["fees_minor"], strict=True)
    return Order(
        OrderId(row["order_id"]),
        EventId(row["event_id"]),
        HoldId(row["hold_id"]),
        FanId(row["fan_id"]),
        EmailAddress(row["email"]),
        OrderState(row["state"]),
        tuple(SeatOrdered(SeatNo(seat), Money(price + fee, currency)) for seat, price, fee in seats),
        Money(row["total_minor"], currency),
        row["made_at"],
        row["pay_by"],
        row["paid_at"],
        LastTry(row["try_state"], row["reason"], row["next_url"]) if row["try_state"] else None,
        _tickets(row, currency),
    )


def _tickets(row: asyncpg.Record, currency: str) -> tuple[Ticket, ...]:
    columns = (row[name] for name in ("ticket_ids", "ticket_seats", "serials", "key_ids", "valid", "minor"))
    return tuple(
        Ticket(
            TicketId(ticket_id),
            TicketFacts(EventId(row["event_id"]), SeatNo(seat), TicketSerial(serial), TicketKeyId(key_id)),
            is_valid,
            Money(minor, currency),
        )
        for ticket_id, seat, serial, key_id, is_valid, minor in zip(*columns, strict=True)
    )
