"""Every way the service says no over HTTP, as data: slug, status, title and the sentences a person reads.

This is the only place with status codes for refusals. A refusal leaves as RFC 9457 `application/problem+json`; the
fields a client acts on (`taken`, `poll_seconds`, …) travel beside the text. How a refusal comes about is not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import msgspec
from starlette.responses import Response

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.web.request_ids import current_request_id

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = "1"  # what is away for a moment is back after this, and whoever asks again is not a crowd


@dataclass(frozen=True, slots=True)
class Kind:
    """One slug of the catalogue. The three sentences: what happened, whether anything was lost, what to do now."""

    slug: str
    status: int
    title: str
    happened: str
    lost: str
    now: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal: its kind, the fields its clients act on, and a detail where this case has more to say."""

    kind: Kind
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    detail: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def document(self) -> dict[str, object]:
        """The body of the answer. The fields of the standard win over those of the case."""
        kind = self.kind
        return {
            **self.fields,
            "type": f"/problems/{kind.slug}",
            "title": kind.title,
            "status": kind.status,
            "detail": self.detail or f"{kind.happened} {kind.lost} {kind.now}",
            "request_id": current_request_id(),
        }

    def answer(self) -> Response:
        """As JSON, never stored by a cache."""
        headers = {"cache-control": "no-store", **self.headers}
        body = msgspec.json.encode(self.document())
        return Response(body, status_code=self.kind.status, headers=headers, media_type=MEDIA_TYPE)


_KINDS: Final = (
    # The line.
    Kind(
        "proof-needed", 403, "One more step before you join",
        "We ask your device for a small piece of work to keep robots out.",
        "Your place is not affected.", "Solve the challenge in this answer and send it as `proof`.",
    ),
    Kind(
        "ticket-refused", 403, "This ticket for the line cannot be used",
        "The ticket is damaged, belongs to somebody else or to another event, or is too old.",
        "No place was taken from you.", "Join again without it; the same fan gets the same place.",
    ),
    Kind(
        "not-admitted", 403, "It is not your turn yet",
        "This event has a waiting room, and your session is missing or has ended.",
        "Seats you already paid for are safe.", "Enter the waiting room; it tells you when you may choose seats.",
    ),
    Kind(
        "code-needed", 403, "For invited fans at the moment",
        "Until `codes_until` this event sells to fans with an access code alone.",
        "Nothing was held or charged.", "Use your code first, or come back then: everybody may enter.",
    ),
    Kind(
        "code-refused", 403, "This code lets nobody in",
        "It is no code of this event, or another fan has used it.",
        "Nothing was changed.", "Look at its letters again, or sign in as the one who used it.",
    ),
    Kind(
        "sold-out", 410, "Sold out",
        "Every seat of this event is sold.",
        "Nothing was charged.", "Look again later, or at other dates: seats that are given back are on sale again.",
    ),
    Kind(
        "slow-down", 429, "A little too fast",
        "You sent more requests than one fan needs.",
        "Your seats and your place are as they were.", "Wait as long as `Retry-After` says, then go on.",
    ),
    Kind(
        "locked-out", 429, "Not for the next minutes",
        "You did again and again what nobody does by mistake; `reason` says what.",
        "Your place in a line and your seats stay yours.", "Wait as long as `Retry-After` says, then go on as before.",
    ),
    # Seats and holds.
    Kind(
        "seats-taken", 409, "Someone was faster",
        "At least one of these seats went to another fan first, so none were held.",
        "Nothing was charged.", "Pick one of the alternatives, or choose again on the map.",
    ),
    Kind(
        "hold-exists", 409, "You already have seats held for you",
        "One fan can hold seats once per event.",
        "The seats you hold are still yours.", "Buy or release them, then choose again.",
    ),
    Kind(
        "not-on-sale", 409, "Not on sale at the moment",
        "The sale of this event has not begun, or is over.",
        "Nothing was held or charged.", "Come back when it begins: `on_sale_at` says when.",
    ),
    Kind(
        "limit-reached", 409, "That is more than one fan may have",
        "Held and bought together, this would pass the limit of this event.",
        "What you have stays yours.", "Choose fewer seats.",
    ),
    Kind(
        "too-many-seats", 422, "Too many seats at once",
        "This event allows fewer seats in one go.",
        "Nothing was held or charged.", "Choose fewer seats.",
    ),
    Kind(
        "unknown-seat", 422, "This seat does not exist",
        "The seat map of this event has no such seat.",
        "Nothing was held or charged.", "Load the seat map again and choose from it.",
    ),
    Kind(
        "hold-ended", 410, "The time for these seats is over",
        "The hold ended before the order was made, and the seats are on sale again.",
        "Nothing was charged.", "Choose again; the same seats may still be free.",
    ),
    Kind(
        "not-releasable", 409, "These seats are being paid",
        "A payment for them is under way, or they are bought.",
        "The seats are still yours.", "Give up the payment or cancel the order; the seats then go back on sale.",
    ),
    # Orders and money.
    Kind(
        "declined", 402, "The payment was declined",
        "Your bank or card said no.",
        "Nothing was charged, and your seats are still held.", "Try another way to pay.",
    ),
    Kind(
        "order-exists", 409, "There is an order for these seats",
        "These seats have an order already, or this `order_id` is in use for something else.",
        "Nothing was charged, and your seats are still held.",
        "Go on with the order that `order_id` names; if it names none, make another id and send the request again.",
    ),
    Kind(
        "not-payable", 409, "This order is not to be paid any more",
        "It was cancelled or given back before.",
        "Nothing was charged.", "Choose seats again if you want to come.",
    ),
    Kind(
        "order-lapsed", 410, "The time to pay is over",
        "The order was not paid in time, and its seats are on sale again.",
        "If money still arrives it is returned, or buys the same seats if they are free.", "Choose again.",
    ),
    Kind(
        "payment-delayed", 503, "The payment is taking longer",
        "The payment service does not answer at the moment.",
        "Your seats stay held, longer than before, and you are never charged twice.",
        "Wait as long as `Retry-After` says; this order shows how it ended.",
    ),
    Kind(
        "not-cancellable", 409, "This order cannot be cancelled",
        "Its tickets were used, or the time to cancel is over.",
        "The order is as it was.", "Write to the organizer if you need help.",
    ),
    # Signing in.
    Kind(
        "sign-in-needed", 401, "Sign in first",
        "We could not tell who you are.",
        "Nothing was changed.", "Sign in and send the request again.",
    ),
    Kind(
        "wrong-code", 401, "This code is not right",
        "The code does not match, was used before, or is too old.",
        "Your account is as it was.", "Check the newest mail, or ask for another code.",
    ),
    # The live map.
    Kind(
        "push-overloaded", 503, "Live updates are full",
        "More fans watch this map than we can push changes to.",
        "Seats and holds are not affected.", "Ask for the snapshot every `poll_seconds`.",
    ),
    Kind(
        "counts-only", 503, "Single seats are not shown at the moment",
        "More fans look at maps than we can send them to.",
        "Seats and holds are not affected.",
        "Ask `counts` for what is left of each section every `poll_seconds`; it says when seats are back.",
    ),
    # Any request.
    Kind(
        "bad-request", 400, "We could not read this request",
        "The request is not well formed.",
        "Nothing was changed.", "Correct it and send it again.",
    ),
    Kind(
        "forbidden", 403, "This is not yours to do",
        "Your account does not have this right.",
        "Nothing was changed.", "Ask the person who runs this account.",
    ),
    Kind(
        "not-found", 404, "There is nothing here",
        "The address is wrong, or what it named is gone.",
        "Nothing was changed.", "Check the address, or start at the home page.",
    ),
    Kind(
        "method-not-allowed", 405, "Not with this method",
        "This address does not answer to this HTTP method.",
        "Nothing was changed.", "Use one of the methods in the `Allow` header.",
    ),
    Kind(
        "not-acceptable", 406, "Not in that form",
        "We cannot answer in any of the forms you accept.",
        "Nothing was changed.", "Accept `application/json` or `text/html`.",
    ),
    Kind(
        "too-slow", 408, "The request did not arrive in time",
        "Its body came too slowly, and we stopped waiting for the rest.",
        "Nothing was changed.", "Send it again, perhaps from where the network is better.",
    ),
    Kind(
        "too-large", 413, "The request is too large",
        "Its body is larger than any of our calls needs.",
        "Nothing was changed.", "Send less.",
    ),
    Kind(
        "address-too-long", 414, "The address is too long",
        "Path and query are longer than any of our addresses.",
        "Nothing was changed.", "Shorten it.",
    ),
    Kind(
        "wrong-media-type", 415, "Not this kind of content",
        "We do not read bodies of this content type here.",
        "Nothing was changed.", "Send `application/json`.",
    ),
    Kind(
        "invalid", 422, "Something in this request is not right",
        "A value is missing or has the wrong form; `errors` names each.",
        "Nothing was changed.", "Correct what is named and send it again.",
    ),
    Kind(
        "fault", 500, "Something broke on our side",
        "We made a mistake, and it is in our log under this request id.",
        "Whether your request was carried out is not certain; what was stored before it is safe.",
        "Send the same request again with the same id: it is never done twice.",
    ),
    Kind(
        "unavailable", 503, "Not at the moment",
        "A part of the service is away.",
        "What was stored is safe.", "Try again in a few seconds, with the same id.",
    ),
    Kind(
        "timed-out", 503, "This took too long",
        "We stopped waiting for our own answer.",
        "Whether your request was carried out is not certain yet.",
        "Send the same request again with the same id: it is never done twice.",
    ),
)  # fmt: skip

KINDS: Final[Mapping[str, Kind]] = MappingProxyType({kind.slug: kind for kind in _KINDS})

# A bare status, as frameworks raise it, means the slug that says no more than the status does.
_PLAIN: Final = {
    400: "bad-request",
    401: "sign-in-needed",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "too-slow",
    413: "too-large",
    414: "address-too-long",
    415: "wrong-media-type",
    422: "invalid",
    429: "slow-down",
    503: "unavailable",
}


def problem(
    slug: str, *, detail: str | None = None, headers: Mapping[str, str] | None = None, **fields: object
) -> Problem:
    """A problem of the catalogue. An unknown slug is a fault of the caller."""
    return Problem(KINDS[slug], fields, detail, headers or {})


def of_fault(error: UnavailableError | OutcomeUnknownError) -> Problem:
    """What a fan is told of a part that is away: that nothing was done, or that it may have been."""
    slug = "unavailable" if isinstance(error, UnavailableError) else "timed-out"
    return problem(slug, headers={"retry-after": RETRY_SECONDS})


def of_status(status: int, headers: Mapping[str, str] | None = None) -> Problem:
    """The plainest problem with this status; what we never send on purpose becomes a bad request or a fault."""
    slug = _PLAIN.get(status) or ("bad-request" if status < 500 else "fault")  # noqa: PLR2004 -- HTTP's own line
    return Problem(KINDS[slug], headers=headers or {})
