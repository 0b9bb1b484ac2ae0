"""`POST /api/v1/orders/{order}/cancel`: an order that is not paid yet is given up; tickets are given back."""

from typing import Annotated, Final, assert_never

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.cancelling import CancelRefusal, CancelWish
from frontrow.core.catalogue import SEATS_PER_HOLD_MAX
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.orders import OrderState, TicketId, made_of
from frontrow.core.payments import Refund, RefundId, RefundState
from frontrow.core.tickets import TicketSigner
from frontrow.flows.cancel_orders import CancelOrders
from frontrow.web import reading
from frontrow.web.admission import Admission
from frontrow.web.answers import send_json, send_problem
from frontrow.web.orders import Id, TicketOut, order_id_of, tickets_out
from frontrow.web.problems import Problem, of_fault, problem


class CancelBody(msgspec.Struct, frozen=True):
    """What is cancelled: these tickets, or all there is."""

    cancel_id: Id
    tickets: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=SEATS_PER_HOLD_MAX)] | None = None


class RefundOut(msgspec.Struct, frozen=True):
    """Money on its way back. `asked`: we have it from you; `pending`: the provider has it from us."""

    refund_id: str
    amount: int  # in minor units
    currency: str
    state: RefundState


class CancelledOut(msgspec.Struct, frozen=True):
    """The order as it is now. No refund: nothing was paid."""

    order_id: str
    state: OrderState
    refund: RefundOut | None
    tickets: list[TicketOut]


_CANCEL: Final = msgspec.json.Decoder(CancelBody)


class CancelCalls:
    """The call that cancels. Every fault below is answered here."""

    def __init__(self, cancel_orders: CancelOrders, admission: Admission, signer: TicketSigner) -> None:
        self._cancel_orders = cancel_orders
        self._admission = admission
        self._signer = signer

    async def cancel(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/orders/{order}/cancel`."""
        body = await reading.body(receive, _CANCEL)
        try:
            outcome = await self._cancelled(scope, body) if isinstance(body, CancelBody) else body
        except (UnavailableError, OutcomeUnknownError) as error:
            outcome = of_fault(error)
        if isinstance(outcome, Problem):
            await send_problem(send, outcome)
        else:
            await send_json(send, outcome)

    async def _cancelled(self, scope: Scope, body: CancelBody) -> CancelledOut | Problem:
        fan_id = self._admission.fan(scope)
        if fan_id is None:
            return problem("sign-in-needed")
        tickets = None if body.tickets is None else tuple(map(_ticket_id, body.tickets))
        if tickets and len(set(tickets)) < len(tickets):
            return reading.invalid("body.tickets", "names each ticket once")
        text: str = scope["path_params"]["order"]
        order_id = order_id_of(text)
        cancel_id = RefundId(made_of(order_id, f"cancel {body.cancel_id}"))
        outcome = await self._cancel_orders.cancel(order_id, fan_id, CancelWish(cancel_id, tickets))
        if isinstance(outcome, CancelRefusal):
            return _not_cancelled(outcome)
        order, refund = outcome.order, outcome.refund
        return CancelledOut(text, order.state, _refund(refund) if refund else None, tickets_out(order, self._signer))


def _refund(refund: Refund) -> RefundOut:
    return RefundOut(str(refund.refund_id), refund.amount.amount, refund.amount.currency, refund.state)


def _ticket_id(text: str) -> TicketId:
    """As we gave it out; any other text is the id of no ticket."""
    return TicketId(reading.hold_id(text))


def _not_cancelled(refusal: CancelRefusal) -> Problem:
    match refusal:
        case CancelRefusal.UNKNOWN:
            return problem("not-found")
        case CancelRefusal.UNKNOWN_TICKET:
            return reading.invalid("body.tickets", "names valid tickets of this order")
        case CancelRefusal.UNDER_WAY:
            return problem("not-cancellable", detail=_UNDER_WAY, state="open")
        case CancelRefusal.TOO_LATE:
            return problem("not-cancellable", state="paid")
        case CancelRefusal.LAPSED | CancelRefusal.REFUNDED:
            return problem("not-cancellable", detail=_ENDED, state=refusal.value)
        case _:
            assert_never(refusal)


_UNDER_WAY: Final = (
    "A payment for this order is under way. Nothing was changed. Read the order: as soon as the payment is decided, "
    "you can cancel it."
)
_ENDED: Final = "This order has ended before. Nothing was changed. Read the order to see how."
