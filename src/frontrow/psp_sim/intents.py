"""The life of a payment intent and of its refunds, exactly as Stripe describes it.

Pure: a change is a function from what was to what is, or the error that the API answers with. Time arrives as an
argument, in whole seconds since 1970, as everywhere in that API.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

import msgspec

AMOUNT_MIN: Final = 50  # minor units; Stripe takes no less of most currencies
AMOUNT_MAX: Final = 99_999_999  # the same; Stripe's own limit


class Status(StrEnum):
    """Of a payment intent."""

    REQUIRES_PAYMENT_METHOD = "requires_payment_method"
    REQUIRES_CONFIRMATION = "requires_confirmation"
    REQUIRES_ACTION = "requires_action"
    PROCESSING = "processing"
    REQUIRES_CAPTURE = "requires_capture"
    SUCCEEDED = "succeeded"
    CANCELED = "canceled"


class RefundStatus(StrEnum):
    """Of a refund."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Behaviour(StrEnum):
    """What a payment method does when it is asked for money."""

    PAYS = "pays"
    DECLINES = "declines"
    LACKS_FUNDS = "lacks funds"
    CHALLENGES = "challenges"  # the buyer's bank wants to see the buyer
    IS_SLOW = "is slow"  # and pays then
    IS_LOST = "is lost"  # it pays, and the answer never arrives
    IS_LATE = "is late"  # it pays long after everybody has gone


METHODS: Final[Mapping[str, Behaviour]] = MappingProxyType(
    {
        "pm_ok": Behaviour.PAYS,
        "pm_declined": Behaviour.DECLINES,
        "pm_insufficient": Behaviour.LACKS_FUNDS,
        "pm_challenge": Behaviour.CHALLENGES,
        "pm_slow": Behaviour.IS_SLOW,
        "pm_lost": Behaviour.IS_LOST,
        "pm_late": Behaviour.IS_LATE,
        # Stripe's own names for tests, so that the same play can be played to Stripe's test mode.
        "pm_card_visa": Behaviour.PAYS,
        "pm_card_visa_chargeDeclined": Behaviour.DECLINES,
        "pm_card_visa_chargeDeclinedInsufficientFunds": Behaviour.LACKS_FUNDS,
        "pm_card_authenticationRequired": Behaviour.CHALLENGES,
    }
)


class ApiError(Exception):
    """What the API answers instead: a status of HTTP and the fields of its `error` object."""

    def __init__(self, status: int, kind: str, message: str, *, is_final: bool = False, **fields: object) -> None:
        """`kind`: the `type` of the error. `is_final`: it is the answer to its idempotency key from now on."""
        super().__init__(message)
        self.status = status
        self.is_final = is_final
        self.error: dict[str, object] = {"type": kind, "message": message, **fields}


def invalid(message: str, *, param: str | None = None, code: str | None = None, status: int = 400) -> ApiError:
    """A request that makes no sense. It is never stored: a corrected one may have the same key."""
    fields: dict[str, object] = {name: value for name, value in (("param", param), ("code", code)) if value}
    return ApiError(status, "invalid_request_error", message, is_final=False, **fields)


def too_late(message: str, *, code: str, param: str | None = None) -> ApiError:
    """A request that made sense, and is refused for what has become of its object. That is an answer like others."""
    fields = {"param": param} if param else {}
    return ApiError(400, "invalid_request_error", message, is_final=True, code=code, **fields)


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """One intent to pay: at most one success."""

    id: str
    amount: int
    currency: str
    created: int
    status: Status = Status.REQUIRES_PAYMENT_METHOD
    capture_method: Literal["automatic", "automatic_async", "manual"] = "automatic_async"
    payment_method: str | None = None
    client_secret: str = ""
    metadata: dict[str, str] = {}
    description: str | None = None
    return_url: str | None = None
    latest_charge: str | None = None
    amount_received: int = 0
    canceled_at: int | None = None
    cancellation_reason: str | None = None
    last_payment_error: dict[str, str] | None = None

    @property
    def amount_capturable(self) -> int:
        return self.amount if self.status is Status.REQUIRES_CAPTURE else 0


class Refund(msgspec.Struct, frozen=True, kw_only=True):
    """Money on its way back."""

    id: str
    payment_intent: str
    charge: str
    amount: int
    currency: str
    created: int
    status: RefundStatus
    metadata: dict[str, str] = {}
    reason: str | None = None
    failure_reason: str | None = None
    ends_badly: bool = False  # a pending one that its bank is going to send back


CONFIRMABLE: Final = frozenset({Status.REQUIRES_PAYMENT_METHOD, Status.REQUIRES_CONFIRMATION, Status.REQUIRES_ACTION})
CANCELABLE: Final = CONFIRMABLE | {Status.REQUIRES_CAPTURE}  # not what is on its way already: that money comes


def behaviour_of(method: str) -> Behaviour:
    behaviour = METHODS.get(method)
    if behaviour is None:
        raise invalid(f"No such PaymentMethod: '{method}'", param="payment_method", code="resource_missing")
    return behaviour


def confirmed(
    intent: Intent, payment_method: str | None, *, charge: str, instead: Behaviour | None = None
) -> tuple[Intent, ApiError | None]:
    """Ask the payment method for the money. Where it says no, the intent remembers why and the API answers 402.

    `instead`: what the method does this once, whatever it is.
    """
    if intent.status not in CONFIRMABLE:
        raise _unexpected(intent, "confirm")
    method = payment_method or intent.payment_method
    if method is None:
        raise too_late(
            "You cannot confirm this PaymentIntent because it's missing a payment method.",
            code="payment_intent_unexpected_state",
        )
    behaviour = instead or behaviour_of(method)
    asked = msgspec.structs.replace(intent, payment_method=method, last_payment_error=None)
    match behaviour:
        case Behaviour.DECLINES:
            return _declined(asked, charge, "generic_decline", "Your card was declined.")
        case Behaviour.LACKS_FUNDS:
            return _declined(asked, charge, "insufficient_funds", "Your card has insufficient funds.")
        case Behaviour.CHALLENGES:
            return msgspec.structs.replace(asked, status=Status.REQUIRES_ACTION), None
        case Behaviour.IS_LATE:
            return msgspec.structs.replace(asked, status=Status.PROCESSING, latest_charge=charge), None
        case Behaviour.PAYS | Behaviour.IS_SLOW | Behaviour.IS_LOST:
            return authorized(asked, charge=charge), None


def authorized(intent: Intent, *, charge: str) -> Intent:
    """The bank said yes: the money is kept for us, or ours at once where nothing is to be captured later."""
    if intent.capture_method == "manual":
        return msgspec.structs.replace(intent, status=Status.REQUIRES_CAPTURE, latest_charge=charge)
    return msgspec.structs.replace(intent, status=Status.SUCCEEDED, latest_charge=charge, amount_received=intent.amount)


def challenged(intent: Intent, *, charge: str, approves: bool) -> Intent:
    """The buyer has been asked by the bank."""
    if intent.status is not Status.REQUIRES_ACTION:
        raise _unexpected(intent, "authenticate")
    if approves:
        return authorized(intent, charge=charge)
    error = {
        "type": "invalid_request_error",
        "code": "payment_intent_authentication_failure",
        "message": "The provided PaymentMethod has failed authentication.",
    }
    return msgspec.structs.replace(
        intent, status=Status.REQUIRES_PAYMENT_METHOD, payment_method=None, last_payment_error=error
    )


def settled(intent: Intent, *, charge: str) -> Intent:
    """A payment that was processing has come through."""
    if intent.status is not Status.PROCESSING:
        raise _unexpected(intent, "settle")
    return authorized(intent, charge=charge)


def captured(intent: Intent, amount: int | None) -> Intent:
    """Take the money that is kept, or less; what is left is let go."""
    if intent.status is not Status.REQUIRES_CAPTURE:
        raise _unexpected(intent, "capture")
    taken = intent.amount if amount is None else amount
    assert taken > 0, "the form of a request says so"
    if taken > intent.amount:
        raise too_late(
            f"The requested capture amount is greater than the amount you can capture: {intent.amount}.",
            param="amount_to_capture",
            code="amount_too_large",
        )
    return msgspec.structs.replace(intent, status=Status.SUCCEEDED, amount_received=taken)


def canceled(intent: Intent, reason: str | None, *, now: int) -> Intent:
    """Let it go; what the bank kept for us is free again."""
    if intent.status not in CANCELABLE:
        raise _unexpected(intent, "cancel")
    return msgspec.structs.replace(intent, status=Status.CANCELED, canceled_at=now, cancellation_reason=reason)


def refundable(intent: Intent, refunds: Sequence[Refund], amount: int | None) -> int:
    """How much goes back, or the error."""
    if intent.status is not Status.SUCCEEDED:
        raise too_late(
            f"This PaymentIntent ({intent.id}) does not have a successful charge to refund.",
            code="payment_intent_unexpected_state",
        )
    left = intent.amount_received - refunded(refunds)
    if left <= 0:
        raise too_late(f"Charge {intent.latest_charge} has already been refunded.", code="charge_already_refunded")
    wanted = left if amount is None else amount
    assert wanted > 0, "the form of a request says so"
    if wanted > left:
        raise too_late(
            f"Refund amount ({wanted}) is greater than unrefunded amount on charge ({left})",
            param="amount",
            code="amount_too_large",
        )
    return wanted


def refunded(refunds: Sequence[Refund]) -> int:
    """What has gone back, or is on its way."""
    return sum(refund.amount for refund in refunds if refund.status is not RefundStatus.FAILED)


def refund_ended(refund: Refund, *, arrives: bool) -> Refund:
    """A refund that was pending has reached the buyer, or has come back to us."""
    assert refund.status is RefundStatus.PENDING, "it ends once"
    if arrives:
        return msgspec.structs.replace(refund, status=RefundStatus.SUCCEEDED)
    return msgspec.structs.replace(refund, status=RefundStatus.FAILED, failure_reason="expired_or_canceled_card")


def _declined(intent: Intent, charge: str, decline_code: str, message: str) -> tuple[Intent, ApiError]:
    error = {
        "type": "card_error",
        "code": "card_declined",
        "decline_code": decline_code,
        "message": message,
        "charge": charge,
    }
    after = msgspec.structs.replace(
        intent,
        status=Status.REQUIRES_PAYMENT_METHOD,
        payment_method=None,
        latest_charge=charge,
        last_payment_error=error,
    )
    fields = {name: value for name, value in error.items() if name not in {"type", "message"}}
    return after, ApiError(402, "card_error", message, is_final=True, **fields)


def _unexpected(intent: Intent, wish: str) -> ApiError:
    return too_late(
        f"You cannot {wish} this PaymentIntent because it has a status of {intent.status}.",
        code="payment_intent_unexpected_state",
    )
