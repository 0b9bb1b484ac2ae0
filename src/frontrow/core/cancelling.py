"""Cancelling orders and tickets: what a fan wishes, and why it may be refused."""

from dataclasses import dataclass
from enum import StrEnum

from frontrow.core.orders import TicketId
from frontrow.core.payments import RefundId


@dataclass(frozen=True, slots=True)
class CancelWish:
    """These tickets are to be cancelled, or all there is. The refund has the id of the wish."""

    cancel_id: RefundId
    tickets: tuple[TicketId, ...] | None


class CancelRefusal(StrEnum):
    """Why nothing is cancelled. In order of precedence."""

    UNKNOWN = "unknown"  # this fan has no such order
    UNDER_WAY = "under-way"  # a payment may still bring the money
    LAPSED = "lapsed"
    REFUNDED = "refunded"  # all of it was cancelled before
    TOO_LATE = "too-late"
    UNKNOWN_TICKET = "unknown-ticket"  # one of them is no valid ticket of this order
