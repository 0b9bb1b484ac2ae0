"""Intents, charges, refunds, entries of the ledger and events as Stripe's API writes them.

Only what it writes is in here; none of these is read back.
"""

from collections.abc import Sequence
from typing import Final

from frontrow.psp_sim.intents import ApiError, Intent, Refund, RefundStatus, Status, refunded
from frontrow.psp_sim.ledger import Why

API_VERSION: Final = "2026-10-28.endive"  # of the stripe client in our lock
AUTHORIZATION_SECONDS: Final = 7 * 86_400  # how long a bank keeps money for somebody

Shape = dict[str, object]


def intent_shape(intent: Intent, *, bank: str) -> Shape:
    """`bank`: the address of the buyer's bank, where challenges are met."""
    return {
        "id": intent.id,
        "object": "payment_intent",
        "amount": intent.amount,
        "amount_capturable": intent.amount_capturable,
        "amount_details": {"tip": {}},
        "amount_received": intent.amount_received,
        "application": None,
        "automatic_payment_methods": None,
        "canceled_at": intent.canceled_at,
        "cancellation_reason": intent.cancellation_reason,
        "capture_method": intent.capture_method,
        "client_secret": intent.client_secret,
        "confirmation_method": "automatic",
        "created": intent.created,
        "currency": intent.currency,
        "customer": None,
        "description": intent.description,
        "last_payment_error": intent.last_payment_error,
        "latest_charge": intent.latest_charge,
        "livemode": False,
        "metadata": intent.metadata,
        "next_action": _next_action(intent, bank),
        "payment_method": intent.payment_method,
        "payment_method_types": ["card"],
        "processing": {"type": "card"} if intent.status is Status.PROCESSING else None,
        "receipt_email": None,
        "statement_descriptor_suffix": None,
        "status": intent.status.value,
    }


def _next_action(intent: Intent, bank: str) -> Shape | None:
    if intent.status is not Status.REQUIRES_ACTION:
        return None
    url = f"{bank}/bank/challenges/{intent.id}"
    if intent.return_url is None:
        return {"type": "use_stripe_sdk", "use_stripe_sdk": {"type": "three_d_secure_redirect", "stripe_js": url}}
    return {"type": "redirect_to_url", "redirect_to_url": {"url": url, "return_url": intent.return_url}}


def charge_shape(intent: Intent, refunds: Sequence[Refund]) -> Shape:
    """The charge of an intent that was paid; it has no life of its own."""
    gone = refunded(refunds)
    is_captured = intent.status is Status.SUCCEEDED
    return {
        "id": intent.latest_charge,
        "object": "charge",
        "amount": intent.amount,
        "amount_captured": intent.amount_received,
        "amount_refunded": gone if is_captured else intent.amount * (intent.status is Status.CANCELED),
        "captured": is_captured,
        "created": intent.created,
        "currency": intent.currency,
        "livemode": False,
        "metadata": intent.metadata,
        "paid": intent.status in {Status.SUCCEEDED, Status.REQUIRES_CAPTURE, Status.CANCELED},
        "payment_intent": intent.id,
        "payment_method": intent.payment_method,
        "refunded": is_captured and gone == intent.amount_received,
        "status": _charge_status(intent),
    }


def _charge_status(intent: Intent) -> str:
    match intent.status:
        case Status.PROCESSING:
            return "pending"
        case Status.SUCCEEDED | Status.REQUIRES_CAPTURE | Status.CANCELED:
            return "succeeded"
        case _:
            return "failed"


def refund_shape(refund: Refund) -> Shape:
    failure = {"failure_reason": refund.failure_reason} if refund.status is RefundStatus.FAILED else {}
    return {
        "id": refund.id,
        "object": "refund",
        "amount": refund.amount,
        "balance_transaction": None,
        "charge": refund.charge,
        "created": refund.created,
        "currency": refund.currency,
        "metadata": refund.metadata,
        "payment_intent": refund.payment_intent,
        "reason": refund.reason,
        "receipt_number": None,
        "status": refund.status.value,
        **failure,
    }


# What of the ledger is money of ours, what Stripe calls it, and whether it comes or goes.
BALANCE: Final = {
    Why.CAPTURED: ("charge", 1),
    Why.REFUNDED: ("refund", -1),
    Why.REFUND_FAILED: ("refund_failure", 1),
}


def entry_shape(*, number: int, why: Why, amount: int, currency: str, source: str, at: int) -> Shape:
    kind, sign = BALANCE[why]
    return {
        "id": f"txn_{number:024d}",
        "object": "balance_transaction",
        "amount": sign * amount,
        "available_on": at,
        "balance_type": "payments",
        "created": at,
        "currency": currency,
        "description": None,
        "exchange_rate": None,
        "fee": 0,
        "fee_details": [],
        "net": sign * amount,
        "reporting_category": kind,
        "source": source,
        "status": "available",
        "type": kind,
    }


def event_shape(*, event_id: str, kind: str, subject: Shape, at: int, request_id: str | None, key: str | None) -> Shape:
    return {
        "id": event_id,
        "object": "event",
        "api_version": API_VERSION,
        "created": at,
        "data": {"object": subject},
        "livemode": False,
        "pending_webhooks": 0,
        "request": {"id": request_id, "idempotency_key": key},
        "type": kind,
    }


def list_shape(url: str, objects: Sequence[object], *, has_more: bool) -> Shape:
    return {"object": "list", "data": objects, "has_more": has_more, "url": url}


def error_shape(error: ApiError) -> Shape:
    return {"error": error.error}
