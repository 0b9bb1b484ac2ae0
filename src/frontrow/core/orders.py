"""Orders: what a fan pays for, at the prices of the moment when it was made. And the tickets that come of it.

How the money comes is in payments.py, where it then is in books.py; who has which seat is the ledger's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NewType
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.fans import EmailAddress
from frontrow.core.holds import FanId, HoldId
from frontrow.core.money import Money
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketFacts

OrderId = NewType("OrderId", UUID)  # made by the fan's device: asking again with the same one gets the same answer
TicketId = NewType("TicketId", UUID)

PAY_SECONDS: Final = (
    300  # from the moment paying begins, if the hold has not longer: a card, a bank's app, second thoughts
)
TECHNICAL_SECONDS: Final = 120  # more for a payment that began in time: banks answer late, and nobody pays for nothing
DELAYED_SECONDS: Final = 300  # more while the provider does not say how a payment stands


class OrderState(StrEnum):
    """What has become of an order."""

    OPEN = "open"
    PAID = "paid"
    REFUNDED = "refunded"  # paid, and all of its tickets were cancelled
    CANCELLED = "cancelled"  # given up by the fan before it was paid
    LAPSED = "lapsed"  # not paid in time


class OrderChange(StrEnum):
    """What may happen to an order."""

    PAY = "pay"
    CANCEL = "cancel"
    LAPSE = "lapse"
    PAY_LATE = "pay late"  # and its seats were free
    REFUND_ALL = "refund all"


TRANSITIONS: Final[Mapping[tuple[OrderState, OrderChange], OrderState]] = MappingProxyType(
    {
        (OrderState.OPEN, OrderChange.PAY): OrderState.PAID,
        (OrderState.OPEN, OrderChange.CANCEL): OrderState.CANCELLED,
        (OrderState.OPEN, OrderChange.LAPSE): OrderState.LAPSED,
        (OrderState.LAPSED, OrderChange.PAY_LATE): OrderState.PAID,
        (OrderState.PAID, OrderChange.REFUND_ALL): OrderState.REFUNDED,
    }
)


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """A fan wants to pay for a hold. `levels`: the price level of each of its seats, as the seat map has it."""

    order_id: OrderId
    hold_id: HoldId
    fan_id: FanId
    email: EmailAddress
    seats: tuple[SeatNo, ...]
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """The order as it is now, whether it was made now or before."""

    order_id: OrderId
    state: OrderState
    seats: tuple[SeatNo, ...]
    total: Money
    pay_by: datetime


@dataclass(frozen=True, slots=True)
class OrderExists:
    """This id is in use for something else, or the hold has another order: that one, if it is the fan's."""

    order_id: OrderId | None


class OrderRefusal(StrEnum):
    """Why no order is made. In order of precedence."""

    UNKNOWN = "unknown"  # this fan has no such hold
    NOT_ON_SALE = "not-on-sale"
    HOLD_ENDED = "hold-ended"


OrderAnswer = Opened | OrderExists | OrderRefusal


@dataclass(frozen=True, slots=True)
class Ticket:
    """One person's right to attend."""

    ticket_id: TicketId
    facts: TicketFacts
    is_valid: bool
    price: Money  # all-in, as it was paid


@dataclass(frozen=True, slots=True)
class SeatOrdered:
    """A seat of an order, and what it costs there: all-in."""

    seat: SeatNo
    price: Money


@dataclass(frozen=True, slots=True)
class LastTry:
    """The newest attempt to pay an order, in the words of payments.py."""

    state: str
    reason: str | None  # why it was declined
    next_url: str | None  # where the fan is wanted


@dataclass(frozen=True, slots=True)
class Order:
    """An order as its fan sees it."""

    order_id: OrderId
    event_id: EventId
    hold_id: HoldId
    fan_id: FanId
    email: EmailAddress
    state: OrderState
    seats: tuple[SeatOrdered, ...]
    total: Money
    made_at: datetime
    pay_by: datetime
    paid_at: datetime | None
    last_try: LastTry | None
    tickets: tuple[Ticket, ...]  # valid and cancelled, by seat; none before it is paid


def made_of(order_id: OrderId, words: str) -> UUID:
    """An id for what belongs to an order (an attempt, a cancellation), of the words that the fan's device calls it.

    It cannot meet that of another order, whatever devices make up.
    """
    return UUID(bytes=sha256(order_id.bytes + words.encode()).digest()[:16])
