"""Holding seats over HTTP: placing, looking up and giving back."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.catalogue import SEATS_PER_HOLD_MAX, Event
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId, Hold, HoldAnswer, HoldRequest, HoldState, Known, Placed, Refusal, SeatsTaken
from frontrow.core.money import Money
from frontrow.core.seats import SeatNo
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.group_commit import BusyError
from frontrow.flows.hold_seats import HoldSeats, Wish
from frontrow.web import reading
from frontrow.web.admission import NOT_ENTERED, Admission
from frontrow.web.answers import MoneyOut, Time, money_out, send_body, send_json, send_problem
from frontrow.web.clients import Clients
from frontrow.web.pace import Pace
from frontrow.web.problems import RETRY_SECONDS, Problem, of_fault, problem
from frontrow.web.seats import SeatOut, seat_out

# It is a segment of the path by which the hold is looked up and given back.
_HoldId: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=reading.ID_CHARS_MAX, pattern=reading.IN_A_PATH)
]

# For the document alone: what is wrong with seats has refusals of its own, which say more than "invalid".
_SeatWanted: TypeAlias = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0})]
_DISTINCT: Final = {"minItems": 1, "maxItems": SEATS_PER_HOLD_MAX, "uniqueItems": True}
_SeatsWanted: TypeAlias = Annotated[tuple[_SeatWanted, ...], msgspec.Meta(extra_json_schema=_DISTINCT)]


class Best(msgspec.Struct, frozen=True):
    """So many seats, chosen by the server."""

    quantity: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    section: str | None = None
    price_max: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None  # all-in, minor units, for one seat
    accessible: bool = False


class HoldBody(msgspec.Struct, frozen=True):
    """Which seats, or how many of the best."""

    hold_id: _HoldId
    seats: _SeatsWanted | None = None
    best: Best | None = None


class HoldOut(msgspec.Struct, frozen=True):
    """Seats held together."""

    hold_id: str
    event_id: str
    state: HoldState
    seats: list[SeatOut]
    total: MoneyOut
    expires_at: Time


FAN_AT_ONCE: Final = 60  # holding and giving back, as fast as somebody can tap, for half a minute
FAN_AGAIN_SECONDS: Final = 0.5  # a program that takes seats and lets them go gets no further than this
CLIENT_AT_ONCE: Final = 2_000  # telephones of half a town share one address of their network
CLIENT_AGAIN_SECONDS: Final = 0.01

_BODY: Final = msgspec.json.Decoder(HoldBody)
_ALIVE: Final = frozenset({HoldState.HELD, HoldState.CHECKOUT, HoldState.SOLD})

HoldAndEvent: TypeAlias = tuple[EventAtHand, Hold]


class Holds:
    """The calls about holds. Every fault below is answered here, so that none costs a traceback on a hot path."""

    def __init__(self, hold_seats: HoldSeats, events: EventsAtHand, admission: Admission, clients: Clients) -> None:
        self._hold_seats = hold_seats
        self._events = events
        self._admission = admission
        self._clients = clients
        self._pace_of_fan = Pace(at_once=FAN_AT_ONCE, again_seconds=FAN_AGAIN_SECONDS)
        self._pace_of_client = Pace(at_once=CLIENT_AT_ONCE, again_seconds=CLIENT_AGAIN_SECONDS)

    async def place(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/events/{event}/holds`."""
        body = await reading.body(receive, _BODY)
        if not isinstance(body, HoldBody):
            await send_problem(send, body)
            return
        try:
            answered = await self._place(scope, body)
        except BusyError:
            answered = _busy()
        except (UnavailableError, OutcomeUnknownError) as error:
            answered = of_fault(error)
        if isinstance(answered, Problem):
            await send_problem(send, answered)
        else:
            at_hand, hold = answered
            await send_json(send, _hold_out(at_hand, hold, body.hold_id), status=201)

    async def look_up(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/holds/{hold}`."""
        text: str = scope["path_params"]["hold"]
        try:
            found = await self._find(scope, text)
        except (UnavailableError, OutcomeUnknownError) as error:
            found = of_fault(error)
        if isinstance(found, Problem):
            await send_problem(send, found)
        else:
            await send_json(send, _hold_out(*found, text))

    async def give_back(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`DELETE /api/v1/holds/{hold}`."""
        try:
            refused = await self._give_back(scope, scope["path_params"]["hold"])
        except BusyError:
            refused = _busy()
        except (UnavailableError, OutcomeUnknownError) as error:
            refused = of_fault(error)
        if refused:
            await send_problem(send, refused)
        else:
            await send_body(send, b"", status=204)

    async def _place(self, scope: Scope, body: HoldBody) -> HoldAndEvent | Problem:
        event_id = reading.event_id(scope)
        at_hand = None if event_id is None else self._events.known(event_id) or await self._events.get(event_id)
        if at_hand is None:
            return problem("not-found")
        fan_id = self._admission.admitted(scope, at_hand)
        if fan_id is None:
            return problem("not-admitted", detail=None if at_hand.event.waiting_room else NOT_ENTERED)
        if refused := self._too_fast(scope, fan_id):
            return refused
        answer = await self._decided(at_hand, fan_id, body)
        return answer if isinstance(answer, Problem) else self._told(answer, at_hand, body)

    def _too_fast(self, scope: Scope, fan_id: FanId) -> Problem | None:
        """For everybody together there is no pace: the lane says when it is full."""
        now = asyncio.get_running_loop().time()
        client = self._clients.of(scope)
        refused = None if client.is_here else self._pace_of_client.too_fast(client.address, now=now)
        return refused or self._pace_of_fan.too_fast(fan_id, now=now)

    def _told(self, answer: HoldAnswer, at_hand: EventAtHand, body: HoldBody) -> HoldAndEvent | Problem:
        match answer:
            case Placed(hold) | Known(hold) if hold.state in _ALIVE:
                return at_hand, hold
            case Placed() | Known():
                return problem("hold-ended", detail=_USED_UP)
            case SeatsTaken(taken):
                return self._taken(at_hand, taken, body.seats)
            case Refusal():
                return _refused(answer, at_hand.event)
            case _:
                assert_never(answer)

    async def _decided(self, at_hand: EventAtHand, fan_id: FanId, body: HoldBody) -> HoldAnswer | Problem:
        hold_id = reading.hold_id(body.hold_id)
        if body.seats is not None and body.best is None:
            seats = tuple(map(SeatNo, body.seats))
            return await self._hold_seats.hold(at_hand, HoldRequest(hold_id, fan_id, seats))
        if body.best is None or body.seats is not None:
            return reading.invalid("body", "has either `seats` or `best`")
        best = body.best
        section = None
        if best.section is not None:
            section = at_hand.seat_map.section(best.section)
            if section is None:
                return reading.invalid("body.best.section", "names a section of this event's seat map")
        wish = Wish(best.quantity, section, best.price_max, best.accessible)
        return await self._hold_seats.hold_best(at_hand, hold_id, fan_id, wish)

    def _taken(self, at_hand: EventAtHand, taken: Sequence[SeatNo], wanted: Sequence[int] | None) -> Problem:
        if at_hand.seats.is_sold_out:
            return problem("sold-out")
        instead = self._hold_seats.instead_of(at_hand, [SeatNo(seat) for seat in wanted or ()], taken)
        detail = _NONE_LEFT if wanted is None else None
        return problem("seats-taken", detail=detail, taken=sorted(taken), alternatives=instead)

    async def _find(self, scope: Scope, text: str) -> HoldAndEvent | Problem:
        fan_id = self._admission.fan(scope)
        if fan_id is None:
            return problem("sign-in-needed")
        found = await self._hold_seats.find(reading.hold_id(text), fan_id)
        at_hand = await self._events.get(found[0]) if found else None
        return (at_hand, found[1]) if found and at_hand else problem("not-found")

    async def _give_back(self, scope: Scope, text: str) -> Problem | None:
        fan_id = self._admission.fan(scope)
        if fan_id is None:
            return problem("sign-in-needed")
        hold_id = reading.hold_id(text)
        found = await self._hold_seats.find(hold_id, fan_id)
        if found is None:
            return problem("not-found")
        answer = await self._hold_seats.release(found[0], hold_id, fan_id)
        is_kept = isinstance(answer, Hold) and answer.state in {HoldState.CHECKOUT, HoldState.SOLD}
        return problem("not-releasable") if is_kept else None


_USED_UP: Final = (
    "A hold of this id was placed before and has ended. Nothing was held or charged. "
    "Make a new `hold_id` and send the request again."
)
_NONE_LEFT: Final = (
    "There are not as many seats free as you asked for, where and at the price you asked for. Nothing was held or "
    "charged. Ask for fewer, or without section or price; seats that others hold now may also come back."
)
_FOREIGN: Final = "This `hold_id` is in use. Nothing was held or charged. Make another and send the request again."


def _refused(refusal: Refusal, event: Event) -> Problem:  # noqa: PLR0911 -- a table: one refusal, one line
    match refusal:
        case Refusal.FOREIGN:
            return problem("hold-exists", detail=_FOREIGN)
        case Refusal.NOT_ON_SALE:
            return problem("not-on-sale", on_sale_at=event.on_sale_at)
        case Refusal.NO_SEATS:
            return reading.invalid("body.seats", "names at least one seat")
        case Refusal.TOO_MANY_SEATS:
            return problem("too-many-seats", seats_per_hold_max=event.seats_per_hold_max)
        case Refusal.UNKNOWN_SEAT:
            return problem("unknown-seat")
        case Refusal.SEAT_TWICE:
            return reading.invalid("body.seats", "names each seat once")
        case Refusal.HOLD_EXISTS:
            return problem("hold-exists")
        case Refusal.LIMIT_REACHED:
            return problem("limit-reached", tickets_per_fan_max=event.tickets_per_fan_max)
        case Refusal.UNKNOWN:
            return problem("not-found")
        case _:
            assert_never(refusal)


def _busy() -> Problem:
    return problem("slow-down", detail=_CROWD, headers={"retry-after": RETRY_SECONDS})


_CROWD: Final = (
    "More requests wait for this event than can be answered at once. Nothing was held or charged. "
    "Wait as long as `Retry-After` says, then send the same request again."
)


def _hold_out(at_hand: EventAtHand, hold: Hold, hold_id: str) -> HoldOut:
    seats = [seat_out(at_hand, seat) for seat in hold.seats]
    total = Money(sum(seat.price.amount for seat in seats), seats[0].price.currency)
    return HoldOut(hold_id, str(at_hand.event.event_id), hold.state, seats, money_out(total), hold.expires_at)
