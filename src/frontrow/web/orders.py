"""Orders over HTTP: making one of held seats, paying it, and looking at those one has."""

from typing import Annotated, Final, Literal, TypeAlias, assert_never

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.fans import email_address
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.money import Money
from frontrow.core.orders import (
    Opened,
    Order,
    OrderExists,
    OrderId,
    OrderRefusal,
    OrderState,
    Ticket,
    made_of,
)
from frontrow.core.payments import (
    METHOD_CHARS_MAX,
    AttemptId,
    AttemptRequest,
    Declined,
    PayRefusal,
)
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketSigner
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.check_out import CheckOut, Delayed, Paid, PayOutcome, Processing
from frontrow.flows.group_commit import BusyError
from frontrow.web import reading
from frontrow.web.admission import Admission
from frontrow.web.answers import MoneyOut, Time, money_out, send_json, send_problem
from frontrow.web.problems import RETRY_SECONDS, Problem, of_fault, problem
from frontrow.web.seats import SeatOut, seat_in_words
from frontrow.web.sign_in import NOT_AN_ADDRESS

DELAYED_RETRY_SECONDS: Final = "10"  # settlement has asked again by then

Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=reading.ID_CHARS_MAX, pattern=reading.IN_A_PATH)]
_Method: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=1, max_length=METHOD_CHARS_MAX, pattern=r"^[A-Za-z0-9_]+$(?!\n)")
]


class OrderBody(msgspec.Struct, frozen=True):
    """Which hold is to be paid, and where its tickets go. What it costs, we say."""

    order_id: Id
    hold_id: Id
    email: str


class PayBody(msgspec.Struct, frozen=True):
    """One try to pay."""

    attempt_id: Id
    payment_method: _Method


class TicketOut(msgspec.Struct, frozen=True):
    """One person's right to attend."""

    ticket_id: str
    seat: int
    code: str  # what its QR says
    pdf_url: str
    state: Literal["valid", "cancelled"]


class PaymentOut(msgspec.Struct, frozen=True):
    """Who is asked for the money, and how the newest attempt stands, if there was one."""

    provider: str
    state: str | None = None
    reason: str | None = None


class OrderOut(msgspec.Struct, frozen=True):
    """What a fan pays for."""

    order_id: str
    event_id: str
    hold_id: str
    state: OrderState
    email: str
    seats: list[SeatOut]
    total: MoneyOut
    made_at: Time
    pay_by: Time
    paid_at: Time | None
    payment: PaymentOut
    tickets: list[TicketOut]


class OrdersOut(msgspec.Struct, frozen=True):
    """A fan's orders, the newest first."""

    orders: list[OrderOut]


class PaidOut(msgspec.Struct, frozen=True):
    """It is paid."""

    order_id: str
    state: Literal["paid"]
    tickets: list[TicketOut]


class NextAction(msgspec.Struct, frozen=True):
    """Where the fan is wanted: their bank's page, which leads back to the order's."""

    type: Literal["redirect"]
    url: str


class ProcessingOut(msgspec.Struct, frozen=True):
    """It is not decided yet; the order shows how it ends."""

    order_id: str
    state: Literal["processing"]
    next_action: NextAction | None


_ORDER: Final = msgspec.json.Decoder(OrderBody)
_PAY: Final = msgspec.json.Decoder(PayBody)


class OrderCalls:
    """The calls about orders. Every fault below is answered here."""

    def __init__(
        self,
        check_out: CheckOut,
        events: EventsAtHand,
        admission: Admission,
        signer: TicketSigner,
        *,
        provider: str | None,
    ) -> None:
        """`signer` makes the codes of tickets; `provider` is who is asked for the money; None: there is nobody."""
        self._check_out = check_out
        self._events = events
        self._admission = admission
        self._signer = signer
        self._provider = provider or ""

    async def make(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/orders`."""
        body = await reading.body(receive, _ORDER)
        try:
            made = await self._made(scope, body) if isinstance(body, OrderBody) else body
        except (BusyError, UnavailableError, OutcomeUnknownError) as error:
            made = _of_fault(error)
        if isinstance(made, Problem):
            await send_problem(send, made)
        else:
            await send_json(send, made, status=201)

    async def pay(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/orders/{order}/pay`."""
        body = await reading.body(receive, _PAY)
        try:
            outcome = await self._paid(scope, body) if isinstance(body, PayBody) else body
        except (BusyError, UnavailableError, OutcomeUnknownError) as error:
            outcome = _of_fault(error)
        if isinstance(outcome, Problem):
            await send_problem(send, outcome)
        elif isinstance(outcome, ProcessingOut):
            await send_json(send, outcome, status=202)
        else:
            await send_json(send, outcome)

    async def look_up(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/orders/{order}`."""
        text: str = scope["path_params"]["order"]
        fan_id = self._admission.fan(scope)
        try:
            order = await self._check_out.order(order_id_of(text), fan_id) if fan_id else None
            out = await self._out(order, text) if order else None
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
            return
        if out is None:
            await send_problem(send, problem("not-found" if fan_id else "sign-in-needed"))
        else:
            await send_json(send, out)

    async def list_all(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/orders`."""
        fan_id = self._admission.fan(scope)
        if fan_id is None:
            await send_problem(send, problem("sign-in-needed"))
            return
        try:
            orders = await self._check_out.orders(fan_id)
            out = OrdersOut([await self._out(order, str(order.order_id)) for order in orders])
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
            return
        await send_json(send, out)

    async def _made(self, scope: Scope, body: OrderBody) -> OrderOut | Problem:
        fan_id = self._admission.fan(scope)
        if not self._provider:
            return problem("unavailable", detail=_NO_PROVIDER, headers={"retry-after": DELAYED_RETRY_SECONDS})
        if fan_id is None:
            return problem("sign-in-needed")
        email = email_address(body.email)
        if email is None:
            return reading.invalid("body.email", NOT_AN_ADDRESS)
        order_id = order_id_of(body.order_id)
        answer = await self._check_out.open(order_id, reading.hold_id(body.hold_id), fan_id, email)
        if not isinstance(answer, Opened):
            return _not_made(answer)
        if answer.state in {OrderState.LAPSED, OrderState.CANCELLED}:
            return problem("order-lapsed")
        order = await self._check_out.order(order_id, fan_id)
        assert order, "it was made, now or before"
        return await self._out(order, body.order_id)

    async def _paid(self, scope: Scope, body: PayBody) -> PaidOut | ProcessingOut | Problem:
        fan_id = self._admission.fan(scope)
        if fan_id is None:
            return problem("sign-in-needed")
        text: str = scope["path_params"]["order"]
        order_id = order_id_of(text)
        attempt_id = AttemptId(made_of(order_id, body.attempt_id))
        outcome = await self._check_out.pay(AttemptRequest(order_id, fan_id, attempt_id, body.payment_method))
        return self._told(outcome, text)

    def _told(self, outcome: PayOutcome, order_id: str) -> PaidOut | ProcessingOut | Problem:
        match outcome:
            case Paid(order):
                return PaidOut(order_id, "paid", self._tickets(order))
            case Processing(url):
                return ProcessingOut(order_id, "processing", NextAction("redirect", url) if url else None)
            case Declined(_, reason):
                return problem("declined", reason=reason)
            case Delayed():
                return problem("payment-delayed", headers={"retry-after": DELAYED_RETRY_SECONDS})
            case PayRefusal():
                return _not_payable(outcome)
            case _:
                assert_never(outcome)

    async def _out(self, order: Order, order_id: str) -> OrderOut:
        at_hand = await self._events.get(order.event_id)
        tried = order.last_try
        return OrderOut(
            order_id,
            str(order.event_id),
            str(order.hold_id),
            order.state,
            order.email,
            [_seat(at_hand, ordered.seat, ordered.price) for ordered in order.seats],
            money_out(order.total),
            order.made_at,
            order.pay_by,
            order.paid_at,
            PaymentOut(self._provider, tried.state, tried.reason) if tried else PaymentOut(self._provider),
            self._tickets(order),
        )

    def _tickets(self, order: Order) -> list[TicketOut]:
        return tickets_out(order, self._signer)


def tickets_out(order: Order, signer: TicketSigner) -> list[TicketOut]:
    """The tickets of an order, with their codes."""
    return [_ticket(ticket, signer) for ticket in order.tickets]


def _ticket(ticket: Ticket, signer: TicketSigner) -> TicketOut:
    return TicketOut(
        str(ticket.ticket_id),
        ticket.facts.seat_no,
        signer.code(ticket.facts),
        f"/api/v1/tickets/{ticket.ticket_id}.pdf",
        "valid" if ticket.is_valid else "cancelled",
    )


def order_id_of(text: str) -> OrderId:
    """A client's id as we store it."""
    return OrderId(reading.hold_id(text))


def _seat(at_hand: EventAtHand | None, seat: SeatNo, price: Money) -> SeatOut:
    """A seat in words, at the price of its order."""
    if at_hand is None:
        return SeatOut(seat, "", None, None, money_out(price))
    return seat_in_words(at_hand.seat_map, seat, money_out(price))


def _not_made(answer: OrderExists | OrderRefusal) -> Problem:
    match answer:
        case OrderExists(order_id):
            return problem("order-exists", order_id=str(order_id) if order_id else None)
        case OrderRefusal.UNKNOWN:
            return problem("not-found")
        case OrderRefusal.NOT_ON_SALE:
            return problem("hold-ended", detail=_CALLED_OFF)
        case OrderRefusal.HOLD_ENDED:
            return problem("hold-ended")
        case _:
            assert_never(answer)


def _not_payable(refusal: PayRefusal) -> Problem:
    match refusal:
        case PayRefusal.UNKNOWN:
            return problem("not-found")
        case PayRefusal.LAPSED:
            return problem("order-lapsed")
        case PayRefusal.CANCELLED | PayRefusal.REFUNDED | PayRefusal.PAID | PayRefusal.UNDER_WAY:
            return problem("not-payable", state=refusal.value)
        case _:
            assert_never(refusal)


_NO_PROVIDER: Final = (
    "Nothing can be paid here at the moment: this copy knows no payment provider. Your seats are held as before. "
    "Its operator can name one."
)
_CALLED_OFF: Final = (
    "The event was called off, or is over, since you chose these seats. Nothing was charged. Its page says more."
)


def _of_fault(error: BusyError | UnavailableError | OutcomeUnknownError) -> Problem:
    if isinstance(error, BusyError):
        return problem("slow-down", detail=_CROWD, headers={"retry-after": RETRY_SECONDS})
    return of_fault(error)


_CROWD: Final = (
    "More fans pay at this moment than can be answered at once. Nothing was charged, and your seats are still held. "
    "Wait as long as `Retry-After` says, then send the same request again."
)
