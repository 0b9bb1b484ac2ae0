"""The calls of the API: what each takes, and what it does to intents and refunds.

A call is decided in one piece: whoever runs it has opened `Store.whole()`. Its form has been read by then; keys,
limits and faults are desk.py's business.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from frontrow.psp_sim import forms, intents
from frontrow.psp_sim.books import Books, Cause
from frontrow.psp_sim.faults import BEHAVIOURS, OF_REFUNDS, Kind
from frontrow.psp_sim.forms import Fields, Reader
from frontrow.psp_sim.intents import ApiError, Intent, Refund, RefundStatus, Status, invalid
from frontrow.psp_sim.shapes import (
    BALANCE,
    Shape,
    charge_shape,
    entry_shape,
    list_shape,
    refund_shape,
)
from frontrow.psp_sim.store import Wanted

CaptureMethod = Literal["automatic", "automatic_async", "manual"]


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """How long what does not come at once takes, in seconds."""

    late: float  # pm_late


@dataclass(frozen=True, slots=True)
class Asking:
    """One call under way."""

    books: Books
    cause: Cause
    waits: Waits
    fields: Fields
    subject: str  # the id in the path, or nothing

    def text(self, name: str) -> str | None:
        value = self.fields.get(name)
        assert value is None or isinstance(value, str)
        return value

    def whole(self, name: str) -> int | None:
        value = self.fields.get(name)
        assert value is None or isinstance(value, int)
        return value

    def some(self, name: str) -> Any:  # noqa: ANN401 -- as its reader in the call's table has made it
        return self.fields.get(name)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API, with what may be sent for it."""

    name: str
    run: Callable[[Asking], Shape | bytes]
    readers: Mapping[str, Reader] = field(default_factory=dict[str, Reader])
    required: Sequence[str] = ()


# Payment intents


def _create_intent(asking: Asking) -> Shape:
    confirm, method = asking.some("confirm"), asking.text("payment_method")
    if method is not None:
        intents.behaviour_of(method)
    elif confirm:
        raise invalid("You must provide a payment method to confirm.", param="payment_method", code="parameter_missing")
    _refuse_unclear_return(asking, confirm=bool(confirm))
    books, amount, currency = asking.books, asking.whole("amount"), asking.text("currency")
    assert amount is not None, "required"
    assert currency is not None, "the same"
    intent_id = books.ids("pi_")
    capture_method: CaptureMethod = asking.some("capture_method") or "automatic_async"
    intent = Intent(
        id=intent_id,
        amount=amount,
        currency=currency,
        created=asking.cause.at,
        status=Status.REQUIRES_PAYMENT_METHOD if method is None else Status.REQUIRES_CONFIRMATION,
        capture_method=capture_method,
        payment_method=method,
        client_secret=books.ids(f"{intent_id}_secret_"),
        metadata=asking.some("metadata") or {},
        description=asking.text("description"),
        return_url=asking.text("return_url"),
    )
    books.make_intent(intent, asking.cause)
    return _confirm(asking, intent) if confirm else _shown(asking, intent)


def _refuse_unclear_return(asking: Asking, *, confirm: bool) -> None:
    """A buyer who is sent to a bank must have a way back, unless no method is taken that sends anybody away."""
    return_url = asking.text("return_url")
    if return_url and not confirm:
        raise invalid("`return_url` can only be set when `confirm` is true.", param="return_url")
    automatic: dict[str, object] = asking.some("automatic_payment_methods") or {}
    sends_away = not asking.some("payment_method_types") and automatic.get("allow_redirects") != "never"
    if confirm and sends_away and not return_url:
        raise invalid(
            "This PaymentIntent accepts payment methods that might redirect your customer off of your page; provide a "
            "`return_url`, or set `automatic_payment_methods[allow_redirects]` to `never`.",
            param="return_url",
        )


def _confirm_intent(asking: Asking) -> Shape:
    intent = _intent(asking)
    return_url = asking.text("return_url")
    return _confirm(asking, msgspec.structs.replace(intent, return_url=return_url) if return_url else intent)


def _confirm(asking: Asking, intent: Intent) -> Shape:
    books, cause = asking.books, asking.cause
    fault = books.faults.strikes(frozenset(BEHAVIOURS), _confirming(asking))
    after, refused = intents.confirmed(
        intent,
        asking.text("payment_method"),
        charge=books.ids("ch_"),
        instead=None if fault is None else BEHAVIOURS[fault.kind],
    )
    late = asking.waits.late if fault is None else fault.seconds
    due = cause.now + late if after.status is Status.PROCESSING else None
    books.change_intent(intent, after, cause, due=due)
    if refused is not None:
        refused.error["payment_intent"] = books.shape(after)
        raise refused
    return _shown(asking, after)


def _confirming(asking: Asking) -> str:
    return "payment_intents.confirm" if asking.subject else "payment_intents.create"


def _retrieve_intent(asking: Asking) -> Shape:
    return _shown(asking, _intent(asking))


def _capture_intent(asking: Asking) -> Shape:
    intent = _intent(asking)
    return _changed(asking, intent, intents.captured(intent, asking.whole("amount_to_capture")))


def _cancel_intent(asking: Asking) -> Shape:
    intent = _intent(asking)
    after = intents.canceled(intent, asking.text("cancellation_reason"), now=asking.cause.at)
    return _changed(asking, intent, after)


def _changed(asking: Asking, before: Intent, after: Intent) -> Shape:
    asking.books.change_intent(before, after, asking.cause)
    return _shown(asking, after)


def _list_intents(asking: Asking) -> Shape:
    found = asking.books.store.intents(_wanted(asking, "intent"))
    return _listed(asking, "/v1/payment_intents", [asking.books.shape(intent) for intent in found])


def _intent(asking: Asking) -> Intent:
    intent = asking.books.store.intent(asking.subject)
    if intent is None:
        raise _nothing("payment_intent", asking.subject, "intent")
    return intent


def _shown(asking: Asking, intent: Intent) -> Shape:
    shape = asking.books.shape(intent)
    if "latest_charge" in (asking.some("expand") or ()) and intent.latest_charge is not None:
        shape["latest_charge"] = charge_shape(intent, asking.books.store.refunds_of(intent.id))
    return shape


# Refunds


def _create_refund(asking: Asking) -> Shape:
    books, cause, intent_id = asking.books, asking.cause, asking.text("payment_intent")
    assert intent_id is not None, "required"
    intent = books.store.intent(intent_id)
    if intent is None:
        raise _nothing("payment_intent", intent_id, "payment_intent")
    amount = intents.refundable(intent, books.store.refunds_of(intent.id), asking.whole("amount"))
    assert intent.latest_charge is not None, "it has succeeded"
    fault = books.faults.strikes(OF_REFUNDS, "refunds.create")
    refund = Refund(
        id=books.ids("re_"),
        payment_intent=intent.id,
        charge=intent.latest_charge,
        amount=amount,
        currency=intent.currency,
        created=cause.at,
        status=RefundStatus.SUCCEEDED if fault is None else RefundStatus.PENDING,
        metadata=asking.some("metadata") or {},
        reason=asking.text("reason"),
        ends_badly=fault is not None and fault.kind is Kind.REFUND_FAILED,
    )
    books.make_refund(intent, refund, cause, due=None if fault is None else cause.now + fault.seconds)
    return refund_shape(refund)


def _retrieve_refund(asking: Asking) -> Shape:
    refund = asking.books.store.refund(asking.subject)
    if refund is None:
        raise _nothing("refund", asking.subject, "id")
    return refund_shape(refund)


def _list_refunds(asking: Asking) -> Shape:
    intent_id = asking.text("payment_intent")
    found = asking.books.store.refunds(_wanted(asking, "refund", intent=[intent_id] if intent_id else None))
    return _listed(asking, "/v1/refunds", [refund_shape(refund) for refund in found])


# Events, and the entries of the ledger that are ours


def _retrieve_event(asking: Asking) -> bytes:
    event = asking.books.store.event(asking.subject)
    if event is None:
        raise _nothing("event", asking.subject, "id")
    return event


def _list_events(asking: Asking) -> Shape:
    kind = asking.text("type")
    types: Sequence[str] | None = asking.some("types") or (None if kind is None else [kind])
    found = asking.books.store.events(_wanted(asking, "event", type=types))
    return _listed(asking, "/v1/events", [msgspec.Raw(event) for event in found])


def _list_entries(asking: Asking) -> Shape:
    kind = asking.text("type")
    why = [why.value for why, (name, _) in BALANCE.items() if kind in {None, name}]
    wanted = _wanted(asking, "ledger", why=why)
    shapes = [
        entry_shape(
            number=entry.number,
            why=entry.why,
            amount=entry.amount,
            currency=entry.currency,
            source=entry.source,
            at=entry.created,
        )
        for entry in asking.books.store.entries(wanted)
    ]
    return _listed(asking, "/v1/balance_transactions", shapes)


# Lists


def _wanted(asking: Asking, table: str, **equal: Sequence[str] | None) -> Wanted:
    """One more than asked for: whether it is there says whether there are more."""
    after = asking.text("starting_after")
    number = None if after is None else _number(asking, table, after)
    return Wanted(
        limit=_limit(asking) + 1,
        after=number,
        equal={name: values for name, values in equal.items() if values is not None},
        created=asking.some("created") or {},
    )


def _number(asking: Asking, table: str, object_id: str) -> int:
    if table == "ledger":
        digits = object_id.removeprefix("txn_")
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(10**24)):
            return min(int(digits), 2**62)
        number = None
    else:
        number = asking.books.store.number_of(table, object_id)
    if number is None:
        raise invalid(f"No such object: '{object_id[:100]}'", param="starting_after", code="resource_missing")
    return number


def _limit(asking: Asking) -> int:
    return asking.whole("limit") or forms.LIST_DEFAULT


def _listed(asking: Asking, url: str, shapes: Sequence[object]) -> Shape:
    limit = _limit(asking)
    return list_shape(url, shapes[:limit], has_more=len(shapes) > limit)


def _nothing(kind: str, object_id: str, param: str) -> ApiError:
    return invalid(f"No such {kind}: '{object_id[:100]}'", param=param, code="resource_missing", status=404)


_EXPAND: Final = {"expand": forms.several("latest_charge")}
_LIST: Final = {"created": forms.when, "limit": forms.LIMIT, "starting_after": forms.text}
_WORDS_OF_CAPTURE: Final = ("automatic", "automatic_async", "manual")
_ALLOW_REDIRECTS: Final = forms.one_of("always", "never")

CREATE_INTENT: Final = Call(
    "payment_intents.create",
    _create_intent,
    {
        **_EXPAND,
        "amount": forms.AMOUNT,
        "automatic_payment_methods": forms.parts_of(enabled=forms.yes_or_no, allow_redirects=_ALLOW_REDIRECTS),
        "capture_method": forms.one_of(*_WORDS_OF_CAPTURE),
        "confirm": forms.yes_or_no,
        "currency": forms.currency,
        "description": forms.text,
        "metadata": forms.metadata,
        "payment_method": forms.text,
        "payment_method_types": forms.several("card"),
        "return_url": forms.address,
    },
    required=("amount", "currency"),
)
CONFIRM_INTENT: Final = Call(
    "payment_intents.confirm",
    _confirm_intent,
    {**_EXPAND, "payment_method": forms.text, "return_url": forms.address},
)
CAPTURE_INTENT: Final = Call("payment_intents.capture", _capture_intent, {**_EXPAND, "amount_to_capture": forms.SHARE})
CANCEL_INTENT: Final = Call(
    "payment_intents.cancel",
    _cancel_intent,
    {
        **_EXPAND,
        "cancellation_reason": forms.one_of("abandoned", "duplicate", "fraudulent", "requested_by_customer"),
    },
)
CREATE_REFUND: Final = Call(
    "refunds.create",
    _create_refund,
    {
        "amount": forms.SHARE,
        "metadata": forms.metadata,
        "payment_intent": forms.text,
        "reason": forms.one_of("duplicate", "fraudulent", "requested_by_customer"),
    },
    required=("payment_intent",),
)

# By method and path; {} is an id.
CALLS: Final[Mapping[tuple[str, str], Call]] = {
    ("POST", "/v1/payment_intents"): CREATE_INTENT,
    ("GET", "/v1/payment_intents"): Call("payment_intents.list", _list_intents, _LIST),
    ("GET", "/v1/payment_intents/{}"): Call(
        "payment_intents.retrieve", _retrieve_intent, {**_EXPAND, "client_secret": forms.text}
    ),
    ("POST", "/v1/payment_intents/{}/confirm"): CONFIRM_INTENT,
    ("POST", "/v1/payment_intents/{}/capture"): CAPTURE_INTENT,
    ("POST", "/v1/payment_intents/{}/cancel"): CANCEL_INTENT,
    ("POST", "/v1/refunds"): CREATE_REFUND,
    ("GET", "/v1/refunds"): Call("refunds.list", _list_refunds, {**_LIST, "payment_intent": forms.text}),
    ("GET", "/v1/refunds/{}"): Call("refunds.retrieve", _retrieve_refund),
    ("GET", "/v1/events"): Call("events.list", _list_events, {**_LIST, "type": forms.text, "types": forms.words}),
    ("GET", "/v1/events/{}"): Call("events.retrieve", _retrieve_event),
    ("GET", "/v1/balance_transactions"): Call(
        "balance_transactions.list", _list_entries, {**_LIST, "type": forms.text}
    ),
}
