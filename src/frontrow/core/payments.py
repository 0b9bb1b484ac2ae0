"""Payment attempts: one try each to pay an order, and what a provider may say of it.

A provider has three answers: yes, no, and none. The third is no value but an exception, `OutcomeUnknownError`, and the
state *unknown*: asking again with the same id tells, and only settlement leaves it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType, TypeAlias
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.money import Money
from frontrow.core.orders import OrderId

AttemptId = NewType("AttemptId", UUID)  # also the key by which a provider knows that it is the same request
RefundId = NewType("RefundId", UUID)

KEY_SECONDS: Final = 20 * 3_600  # so long the same key surely gets the same answer; providers promise 24 hours
METHOD_CHARS_MAX: Final = 255
REASON_CHARS_MAX: Final = 100


class AttemptState(StrEnum):
    """What has become of an attempt."""

    CREATED = "created"  # stored; the provider is being asked, or is about to be
    CHALLENGED = "challenged"  # the fan's bank wants to see the fan
    PENDING = "pending"  # the provider has it, and does not know yet
    UNKNOWN = "unknown"  # asked, and no answer came
    DECLINED = "declined"
    AUTHORIZED = "authorized"  # the order is paid by it; the money is kept for us, and about to be taken
    CAPTURED = "captured"  # the money is ours
    VOIDING = "voiding"  # it bought nothing, and is about to be let go
    VOIDED = "voided"
    REFUNDING = "refunding"  # it was taken and bought nothing; it is on its way back
    REFUNDED = "refunded"


class AttemptChange(StrEnum):
    """What may happen to an attempt."""

    CHALLENGE = "challenge"
    WAIT = "wait"
    LOSE = "lose the answer"
    DECLINE = "decline"
    SELL = "sell"
    SELL_TAKEN = "sell, taken already"
    CAPTURE = "capture"
    LET_GO = "let go"
    VOID = "void"
    GIVE_BACK = "give back"
    REFUND = "refund"


_UNDECIDED: Final = (AttemptState.CREATED, AttemptState.CHALLENGED, AttemptState.PENDING, AttemptState.UNKNOWN)

TRANSITIONS: Final[Mapping[tuple[AttemptState, AttemptChange], AttemptState]] = MappingProxyType(
    {
        **{(state, AttemptChange.CHALLENGE): AttemptState.CHALLENGED for state in _UNDECIDED},
        **{(state, AttemptChange.WAIT): AttemptState.PENDING for state in _UNDECIDED},
        **{(state, AttemptChange.LOSE): AttemptState.UNKNOWN for state in _UNDECIDED},
        **{(state, AttemptChange.DECLINE): AttemptState.DECLINED for state in _UNDECIDED},
        **{(state, AttemptChange.SELL): AttemptState.AUTHORIZED for state in _UNDECIDED},
        **{(state, AttemptChange.SELL_TAKEN): AttemptState.CAPTURED for state in _UNDECIDED},
        **{(state, AttemptChange.LET_GO): AttemptState.VOIDING for state in (*_UNDECIDED, AttemptState.DECLINED)},
        **{(state, AttemptChange.GIVE_BACK): AttemptState.REFUNDING for state in (*_UNDECIDED, AttemptState.VOIDING)},
        (AttemptState.AUTHORIZED, AttemptChange.CAPTURE): AttemptState.CAPTURED,
        (AttemptState.VOIDING, AttemptChange.VOID): AttemptState.VOIDED,
        (AttemptState.CAPTURED, AttemptChange.REFUND): AttemptState.REFUNDED,
        (AttemptState.REFUNDING, AttemptChange.REFUND): AttemptState.REFUNDED,
    }
)

UNDECIDED: Final = frozenset(_UNDECIDED)  # the order may still be paid by it


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to pay an order."""

    attempt_id: AttemptId
    order_id: OrderId
    event_id: EventId
    state: AttemptState
    payment_method: str
    amount: Money
    provider_ref: str | None
    made_at: datetime
    reason: str | None = None
    next_url: str | None = None


# What a provider says of an attempt. All but Declined have its own name for it.


@dataclass(frozen=True, slots=True)
class Kept:
    """The bank keeps the money for us: authorized, to be captured or voided."""

    ref: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The money is ours."""

    ref: str


@dataclass(frozen=True, slots=True)
class Challenged:
    """The fan is wanted at their bank, at this address."""

    ref: str
    url: str


@dataclass(frozen=True, slots=True)
class Pending:
    """It is on its way, and may take minutes."""

    ref: str


@dataclass(frozen=True, slots=True)
class Declined:
    """No, and why, in one word. Nothing was kept or taken."""

    ref: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Gone:
    """It was let go: nothing is kept, and nothing will come."""

    ref: str


ProviderAnswer: TypeAlias = Kept | Taken | Challenged | Pending | Declined | Gone


@dataclass(frozen=True, slots=True)
class PaymentSeen:
    """A payment as a provider lists it."""

    ref: str
    attempt_id: AttemptId | None  # of ours, as we named it when we asked for it
    amount: Money
    made_at: datetime
    stands: ProviderAnswer


class RefundState(StrEnum):
    """What has become of money that goes back."""

    ASKED = "asked"
    PENDING = "pending"
    ARRIVED = "arrived"
    FAILED = "failed"


class RefundChange(StrEnum):
    """What may happen to it."""

    WAIT = "wait"
    ARRIVE = "arrive"
    FAIL = "fail"
    ASK_AGAIN = "ask again"


REFUND_TRANSITIONS: Final[Mapping[tuple[RefundState, RefundChange], RefundState]] = MappingProxyType(
    {
        (RefundState.ASKED, RefundChange.WAIT): RefundState.PENDING,
        (RefundState.ASKED, RefundChange.ARRIVE): RefundState.ARRIVED,
        (RefundState.ASKED, RefundChange.FAIL): RefundState.FAILED,
        (RefundState.PENDING, RefundChange.ARRIVE): RefundState.ARRIVED,
        (RefundState.PENDING, RefundChange.FAIL): RefundState.FAILED,
        (RefundState.FAILED, RefundChange.ASK_AGAIN): RefundState.PENDING,
    }
)


@dataclass(frozen=True, slots=True)
class Refund:
    """Money on its way back."""

    refund_id: RefundId
    attempt: Attempt
    amount: Money
    state: RefundState
    provider_ref: str | None


@dataclass(frozen=True, slots=True)
class RefundSeen:
    """What the provider says of a refund."""

    ref: str
    state: RefundState


# What comes of wanting to pay.


@dataclass(frozen=True, slots=True)
class Begun:
    """The attempt is stored, and the provider may be asked."""

    event_id: EventId
    amount: Money


@dataclass(frozen=True, slots=True)
class BegunBefore:
    """This very attempt was begun before."""

    state: AttemptState


class PayRefusal(StrEnum):
    """Why nobody is asked for money. In order of precedence."""

    UNKNOWN = "unknown"  # this fan has no such order
    PAID = "paid"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"
    UNDER_WAY = "under-way"  # another attempt may still bring the money


PayAnswer: TypeAlias = Begun | BegunBefore | PayRefusal


@dataclass(frozen=True, slots=True)
class AttemptRequest:
    """A fan wants to pay an order this way."""

    order_id: OrderId
    fan_id: FanId
    attempt_id: AttemptId
    payment_method: str


@dataclass(frozen=True, slots=True)
class MoneyCame:
    """A provider has money for this attempt: kept for us, or taken already."""

    attempt_id: AttemptId
    ref: str
    is_taken: bool


class Sale(StrEnum):
    """What money bought."""

    SOLD = "sold"  # its order is paid by it, now or before
    LATE = "late"  # nothing yet: its order is not open any more
    LET_GO = "let-go"  # nothing: it goes back
    OPEN = "open"  # nothing yet: its order is open after all
    UNKNOWN = "unknown"  # there is no such attempt
