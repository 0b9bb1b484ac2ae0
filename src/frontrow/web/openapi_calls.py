"""What the OpenAPI document says of each hot path. A hot path that is not in here keeps the service from starting."""

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import msgspec

from frontrow.core.access_codes import CodeRefused
from frontrow.core.door_book import Strike
from frontrow.web.access import AccessBody, AccessOut
from frontrow.web.admission import FAN_COOKIE, Admitted
from frontrow.web.answers import Time
from frontrow.web.cancelling import CancelBody, CancelledOut
from frontrow.web.holds import HoldBody, HoldOut
from frontrow.web.hot import Hot
from frontrow.web.line import EnterBody, LineOut, SessionOut, WaitingOut
from frontrow.web.openapi import Answer, Call, Calls, Parameter, Schema, Vocabulary, describe
from frontrow.web.orders import (
    OrderBody,
    OrderOut,
    OrdersOut,
    PaidOut,
    PayBody,
    ProcessingOut,
)
from frontrow.web.seats import AvailabilityOut, SeatsOut
from frontrow.web.sign_in import CodeOnItsWay, SignedInOut, SignInBody, VerifyBody
from frontrow.web.webhooks import Received

FAN: Final = ("session", "fan", "cookie")  # who has one of these is a fan
ANYBODY: Final = (*FAN, "")  # and who has none may become one


class Taken(msgspec.Struct):
    """Which seats are taken, and what is free nearby."""

    taken: list[int]
    alternatives: list[list[int]]


class OnSaleAt(msgspec.Struct):
    """When the sale begins."""

    on_sale_at: Time


class PerHold(msgspec.Struct):
    """How many seats a hold of this event may have."""

    seats_per_hold_max: int


class PerFan(msgspec.Struct):
    """How many tickets of this event a fan may have."""

    tickets_per_fan_max: int


class Polled(msgspec.Struct):
    """Where to ask for the snapshot, and how long to wait in between."""

    poll_seconds: int
    snapshot: str


class Counted(msgspec.Struct):
    """Where to ask for counts, and how long to wait in between."""

    poll_seconds: int
    counts: str


class Reason(msgspec.Struct):
    """Why, in one word of the payment provider's."""

    reason: str


class OtherOrder(msgspec.Struct):
    """The order that there is, if it is yours."""

    order_id: str | None


class OrderStands(msgspec.Struct):
    """What the order is."""

    state: str


class Wrong(msgspec.Struct):
    """One thing that is not right: where it is, and the rule."""

    where: str
    what: str


class Wrongs(msgspec.Struct):
    """Everything that is not right."""

    errors: list[Wrong]


class CaptchaAsked(msgspec.Struct):
    """A CAPTCHA that a person is to answer as well; what it gives goes along as `captcha`."""

    site_key: str


class Challenged(msgspec.Struct):
    """Work to do, as ALTCHA (version 2) has it: `parameters` and a `signature`."""

    challenge: dict[str, Any]
    captcha: CaptchaAsked | None = None


class CodesUntil(msgspec.Struct):
    """From then on everybody may enter."""

    codes_until: Time


class CodeWrong(msgspec.Struct):
    """Why a code lets nobody in."""

    reason: CodeRefused


class LockedFor(msgspec.Struct):
    """What somebody did."""

    reason: Strike


class BytesMax(msgspec.Struct):
    """How many bytes there may be."""

    bytes_max: int


class SecondsMax(msgspec.Struct):
    """How many seconds it may take."""

    seconds_max: float


WORDS: Final = Vocabulary(
    segments=MappingProxyType(
        {
            "event": "The event's id.",
            "order": "The `order_id` that the fan's device made.",
            "provider": "Who sends it, as `payment.provider` of an order names it.",
            "hold": "The `hold_id` that the fan's device made.",
            "file": "What the answer before it named: `seat_map_url` of an event, `pdf_url` of a ticket.",
        }
    ),
    schemes=MappingProxyType(
        {
            "session": {
                "type": "apiKey",
                "in": "header",
                "name": "Frontrow-Session",
                "description": "An admitted fan's shopping time at one event: `session_token` of `POST …/enter`.",
            },
            "fan": {
                "type": "http",
                "scheme": "bearer",
                "description": "A fan's token: a JWT, `fan_token` of `POST …/enter` or `token` of `POST …/verify`.",
            },
            "cookie": {
                "type": "apiKey",
                "in": "cookie",
                "name": FAN_COOKIE,
                "description": "The same token, as browsers keep it.",
            },
        }
    ),
    fields=MappingProxyType(
        {
            "code-needed": CodesUntil,
            "code-refused": CodeWrong,
            "proof-needed": Challenged,
            "locked-out": LockedFor,
            "seats-taken": Taken,
            "not-on-sale": OnSaleAt,
            "too-many-seats": PerHold,
            "limit-reached": PerFan,
            "declined": Reason,
            "order-exists": OtherOrder,
            "not-payable": OrderStands,
            "not-cancellable": OrderStands,
            "push-overloaded": Polled,
            "counts-only": Counted,
            "invalid": Wrongs,
            "too-large": BytesMax,
            "address-too-long": BytesMax,
            "too-slow": SecondsMax,
        }
    ),
)

_ETAG: Final = {"ETag": "The version; send it as `If-None-Match` to hear whether there is a newer one."}
_AGE: Final = {"Frontrow-Age": "How old this may be, in seconds; what a cache adds is in its `Age`."}
_SAME: Final = Answer(status=304, says="You have the newest version.", headers=_ETAG)
_FROM_MEMORY: Final = "The same for everybody; caches may keep it a second. It decides nothing: the ledger does."

CALLS: Final[Calls] = MappingProxyType(
    {
        ("POST", "/api/v1/sign-in"): Call(
            name="ask_for_code",
            summary="Have a sign-in code mailed",
            about=(
                "The answer is the same for every address: who has no account has one with the first code. "
                "Asking again makes older codes void."
            ),
            body=SignInBody,
            answers=[Answer(status=202, says="A code is on its way.", body=CodeOnItsWay)],
            refusals=["invalid", "slow-down"],
        ),
        ("POST", "/api/v1/sign-in/verify"): Call(
            name="sign_in",
            summary="Sign in with the code that came",
            about=(
                "A code is good once, for ten minutes and five tries. Who was a nameless fan until now sends what they "
                "were known by, and the seats they hold come along; `holds` says of each what it is."
            ),
            who=ANYBODY,
            body=VerifyBody,
            answers=[Answer(status=200, says="Signed in.", body=SignedInOut)],
            refusals=["invalid", "wrong-code", "slow-down"],
        ),
        ("POST", "/api/v1/events/{event}/enter"): Call(
            name="enter",
            summary="Enter an event",
            about=(
                "Gives a session: shopping time at this event. Who comes without a token is given one and is a fan "
                "from then on. Events without a waiting room admit at once. Where there is one, a ticket says your "
                "place in its line: send it again after `poll_seconds`, until you are admitted. docs/waiting-room.md "
                "tells the whole of it."
            ),
            who=ANYBODY,
            body=EnterBody,
            answers=[
                Answer(status=200, says="Admitted. A new fan's token comes as a cookie, too.", body=Admitted),
                Answer(status=202, says="In line. Token and ticket come as cookies, too.", body=WaitingOut),
            ],
            refusals=[
                "invalid",
                "not-found",
                "not-admitted",
                "ticket-refused",
                "proof-needed",
                "slow-down",
                "locked-out",
                "code-needed",
                "not-on-sale",
                "sold-out",
            ],
        ),
        ("POST", "/api/v1/events/{event}/access"): Call(
            name="use_access_code",
            summary="Use an access code",
            about=(
                "Makes the code yours, and gives a pass: bring it as `Frontrow-Access` when you enter, or as the "
                "cookie. The same fan gets the same pass again. Only fans with an address, or of an identity service, "
                "are invited."
            ),
            who=FAN,
            body=AccessBody,
            answers=[Answer(status=200, says="A pass. It comes as a cookie, too.", body=AccessOut)],
            refusals=["invalid", "not-found", "sign-in-needed", "code-refused", "slow-down"],
        ),
        ("GET", "/api/v1/events/{event}/line"): Call(
            name="read_line",
            summary="How far the line of an event is",
            about="The same for everybody; caches may keep it a second. Only events with a waiting room have a line.",
            answers=[Answer(status=200, says="The line.", body=LineOut)],
            refusals=["not-found"],
        ),
        ("GET", "/api/v1/events/{event}/session"): Call(
            name="read_session",
            summary="What has become of your session",
            about="The last one at this event. Only events with a waiting room keep sessions.",
            who=FAN,
            answers=[Answer(status=200, says="The session.", body=SessionOut)],
            refusals=["sign-in-needed", "not-found"],
        ),
        ("DELETE", "/api/v1/events/{event}/session"): Call(
            name="leave",
            summary="Leave, and let the next fan in",
            about="Doing it again changes nothing. What is held stays held until its time is over.",
            who=FAN,
            answers=[Answer(status=204, says="You are not inside any more.")],
            refusals=["sign-in-needed", "not-found"],
        ),
        ("POST", "/api/v1/events/{event}/holds"): Call(
            name="hold_seats",
            summary="Hold seats: all of them, or none",
            about=(
                "With `seats`: these. With `best`: as many of the best that are free, chosen by the server. One of the "
                "two. The same `hold_id` sent again gets the same hold: after an answer that was lost, ask again."
            ),
            who=FAN,
            body=HoldBody,
            answers=[Answer(status=201, says="The seats are held for this fan.", body=HoldOut)],
            refusals=[
                "invalid",
                "not-found",
                "not-admitted",
                "not-on-sale",
                "too-many-seats",
                "unknown-seat",
                "hold-exists",
                "hold-ended",
                "limit-reached",
                "seats-taken",
                "sold-out",
                "slow-down",
            ],
        ),
        ("GET", "/api/v1/holds/{hold}"): Call(
            name="read_hold",
            summary="What has become of a hold",
            about="Only its own fan sees it.",
            who=FAN,
            answers=[Answer(status=200, says="The hold.", body=HoldOut)],
            refusals=["sign-in-needed", "not-found"],
        ),
        ("DELETE", "/api/v1/holds/{hold}"): Call(
            name="release_hold",
            summary="Give held seats back",
            about="Doing it again changes nothing. A hold that is being paid, or bought, is not released by this.",
            who=FAN,
            answers=[Answer(status=204, says="They are not held any more, by this fan.")],
            refusals=["sign-in-needed", "not-found", "not-releasable", "slow-down"],
        ),
        ("POST", "/api/v1/orders"): Call(
            name="make_order",
            summary="Begin to pay for held seats",
            about=(
                "The order has the prices of this moment, and the hold's seats until `pay_by`. What it costs is never "
                "taken from a client. The same `order_id` sent again gets the same order."
            ),
            who=FAN,
            body=OrderBody,
            answers=[Answer(status=201, says="The order.", body=OrderOut)],
            refusals=[
                "invalid",
                "sign-in-needed",
                "not-found",
                "order-exists",
                "hold-ended",
                "order-lapsed",
                "slow-down",
            ],
        ),
        ("POST", "/api/v1/orders/{order}/pay"): Call(
            name="pay_order",
            summary="Pay an order",
            about=(
                "The money is kept for us first, then the seats are sold, then it is taken. The same `attempt_id` sent "
                "again is the same attempt: it is followed, and nobody is charged twice. One attempt is under way at a "
                "time; one that waits for the fan at their bank gives way to a new one."
            ),
            who=FAN,
            body=PayBody,
            answers=[
                Answer(status=200, says="Paid.", body=PaidOut),
                Answer(status=202, says="Not decided yet: the order shows how it ends.", body=ProcessingOut),
            ],
            refusals=[
                "invalid",
                "sign-in-needed",
                "not-found",
                "declined",
                "not-payable",
                "order-lapsed",
                "payment-delayed",
                "slow-down",
            ],
        ),
        ("POST", "/api/v1/orders/{order}/cancel"): Call(
            name="cancel_order",
            summary="Cancel an order, or tickets of it",
            about=(
                "Without `tickets`: all there is. Seats are on sale again at once, and what was paid for them goes "
                "back by the way it came. The same `cancel_id` sent again changes nothing."
            ),
            who=FAN,
            body=CancelBody,
            answers=[Answer(status=200, says="Cancelled.", body=CancelledOut)],
            refusals=["invalid", "sign-in-needed", "not-found", "not-cancellable"],
        ),
        ("GET", "/api/v1/orders"): Call(
            name="list_orders",
            summary="The orders of a fan",
            about="The newest first, at most a hundred.",
            who=FAN,
            answers=[Answer(status=200, says="The orders.", body=OrdersOut)],
            refusals=["sign-in-needed"],
        ),
        ("GET", "/api/v1/orders/{order}"): Call(
            name="read_order",
            summary="What has become of an order",
            about="Only its own fan sees it.",
            who=FAN,
            answers=[Answer(status=200, says="The order.", body=OrderOut)],
            refusals=["sign-in-needed", "not-found"],
        ),
        ("POST", "/webhooks/payments/{provider}"): Call(
            name="hear_of_payment",
            summary="News of a payment",
            about=(
                "For payment providers: signed in `Stripe-Signature`, five minutes old at most. Stored once, then "
                "acknowledged; the provider is asked later how the payment stands, whatever this says."
            ),
            parameters=[Parameter(name="Stripe-Signature", where="header", about="`t=…,v1=…`, as Stripe signs.")],
            answers=[Answer(status=200, says="It is stored.", body=Received)],
            refusals=["not-found"],
        ),
        ("GET", "/api/v1/events/{event}/availability"): Call(
            name="read_availability",
            summary="How many seats are left, by section",
            about=_FROM_MEMORY,
            answers=[Answer(status=200, says="All sections.", body=AvailabilityOut, headers=_ETAG | _AGE), _SAME],
            refusals=["not-found"],
        ),
        ("GET", "/api/v1/events/{event}/seats"): Call(
            name="read_seats",
            summary="The seats of a section",
            about=_FROM_MEMORY,
            parameters=[Parameter(name="section", about="Its label in the seat map.", required=True)],
            answers=[Answer(status=200, says="Each seat.", body=SeatsOut, headers=_ETAG | _AGE), _SAME],
            refusals=["invalid", "not-found"],
        ),
        ("GET", "/api/v1/events/{event}/seats.bin"): Call(
            name="read_snapshot",
            summary="All seats as a bitmap",
            about=(
                "2 bits a seat, by number, lowest bits first: 0 available, 1 held, 2 sold, 3 blocked. " + _FROM_MEMORY
            ),
            answers=[
                Answer(
                    status=200,
                    says="The bitmap.",
                    media_type="application/octet-stream",
                    headers=_ETAG | _AGE | {"Frontrow-Update-No": "The update after which it was so."},
                ),
                _SAME,
            ],
            refusals=["not-found", "counts-only"],
        ),
        ("GET", "/api/v1/events/{event}/updates"): Call(
            name="follow_seats",
            summary="Every change of the seats, as it happens",
            about=(
                "Server-Sent Events. Each message has the number of the update that it leads to as its id, and base64 "
                "as its data: of each changed seat, in order, a varint of 4 times the gap to the one before plus its "
                "state. The event `resync` asks for a snapshot of its `update_no` or a later one; `age` says how old "
                "all of it is. docs/live-updates.md tells the whole of it."
            ),
            parameters=[
                Parameter(name="after", about="The update of the snapshot you have."),
                Parameter(name="Last-Event-ID", where="header", about="The same; browsers send it by themselves."),
            ],
            answers=[Answer(status=200, says="A stream without an end.", media_type="text/event-stream")],
            refusals=["invalid", "not-found", "push-overloaded"],
        ),
        ("GET", "/api/v1/seat-maps/{file}"): Call(
            name="read_seat_map",
            summary="The geometry of a hall",
            about="Named by its content, so it never changes: docs/seat-map-format.md describes it.",
            answers=[Answer(status=200, says="The seat map.", headers=_ETAG), _SAME],
            refusals=["not-found"],
        ),
        ("GET", "/api/v1/tickets/{file}"): Call(
            name="read_ticket",
            summary="A ticket as a file",
            about="`{ticket}.pdf`, to print or to keep, or `{ticket}.svg`, its QR code. None of a cancelled ticket.",
            who=FAN,
            answers=[
                Answer(status=200, says="The ticket.", media_type="application/pdf", or_media_type="image/svg+xml")
            ],
            refusals=["not-found", "sign-in-needed"],
        ),
    }
)


def describing(hot: Sequence[Hot]) -> Callable[[Schema], None]:
    """What adds these hot paths to a document."""
    calls = {(path.method, path.pattern): CALLS[path.method, path.pattern] for path in hot}
    return partial(describe, calls=calls, words=WORDS)
