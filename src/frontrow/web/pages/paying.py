"""Paying with forms: from held seats to an order, and each try to pay it. What became of it is the order's own page.

A form has the ids of what it makes: sending it twice, in two tabs, or again after a lost connection makes one order and
pays once. A form never leads to another host: where a bank wants to see the fan, the order's page has a link there.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from frontrow.core.fans import EmailAddress, email_address
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId, Hold, HoldState
from frontrow.core.money import Money
from frontrow.core.orders import Opened, OrderExists, OrderId, made_of
from frontrow.core.papers import BillLine
from frontrow.core.payments import AttemptId, AttemptRequest
from frontrow.flows.check_out import CheckOut
from frontrow.flows.group_commit import BusyError
from frontrow.web import reading
from frontrow.web.pages import seat_words
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import Form, sent
from frontrow.web.pages.notices import PAY_BUSY, PAY_UNREACHED, Notice
from frontrow.web.pages.seat_words import seats_of
from frontrow.web.pages.visits import Shop, Visit
from frontrow.web.pages.wishes import last
from frontrow.web.pages.words import money
from frontrow.web.problems import KINDS, Problem
from frontrow.web.refusals import answer as answer_problem

EmailOf: TypeAlias = Callable[[FanId], Awaitable[EmailAddress | None]]

NOT_KEPT: Final = {"cache-control": "no-store"}
WRONG_ADDRESS: Final = "That is no address that mail gets to. Is it like name@example.org?"


@dataclass(frozen=True, slots=True)
class Method:
    """A way to pay, as its button says it."""

    value: str
    words: str
    about: str


# What psp-sim does with each is in docs/psp-sim.md.
LOCAL_METHODS: Final = (
    Method("pm_ok", "A card that works", "No real money moves: this copy pays with a card for trying things out."),
    Method("pm_challenge", "A card whose bank asks first", "You go to the bank's page and come back."),
    Method("pm_declined", "A card that is declined", "You see what happens, and try again."),
    Method("pm_insufficient", "A card without enough on it", "The same, for another reason."),
    Method("pm_slow", "A slow bank", "It answers after five seconds."),
    Method("pm_lost", "A bank whose answer is lost", "It says yes, and we do not hear it: we ask until we know."),
    Method("pm_late", "A bank that is much too late", "Its yes comes when your time is over."),
)


FREE: Final = Method("free", "Take them", "They cost nothing.")  # whoever it is that would be asked for money


def ways_to_pay(methods: Sequence[Method], total: Money) -> Sequence[Method]:
    """None: there is nobody to be asked for the money."""
    return methods if total.amount else (FREE,)


class Paying:
    """`/holds/{hold}/checkout` and `/orders/{order}/pay`."""

    def __init__(self, shop: Shop, check_out: CheckOut, methods: Sequence[Method], *, email_of: EmailOf) -> None:
        """`email_of`: the address of a fan who has one."""
        self._shop = shop
        self._check_out = check_out
        self._methods = methods
        self._email_of = email_of

    async def form(self, request: Request) -> Response:
        """The total, where the tickets go, and ways to pay."""
        found = await self._find(request)
        if found is None:
            return HTMLResponse(draw("held-nowhere.html"), status_code=404, headers=NOT_KEPT)
        visit, hold, fan_id = found
        if hold.state is not HoldState.HELD:
            return await self._gone_on(hold, fan_id)
        return await self._page(request, visit, hold)

    async def check_out(self, request: Request) -> Response:
        """Make the order, and pay it."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        found = await self._find(request)
        if found is None:
            return HTMLResponse(draw("held-nowhere.html"), status_code=404, headers=NOT_KEPT)
        visit, hold, fan_id = found
        email = email_address(last(form, "email"))
        if email is None:
            return await self._page(request, visit, hold, form, wrong=WRONG_ADDRESS)
        try:
            return await self._ordered(form, hold, fan_id, email)
        except BusyError:
            return _once_more(request, form, PAY_BUSY)
        except (UnavailableError, OutcomeUnknownError):
            return _once_more(request, form, PAY_UNREACHED)

    async def pay(self, request: Request) -> Response:
        """Try to pay an order that there is. Whatever comes of it, the order's page says it."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        order_id, fan_id = order_id_in(request), self._shop.admission.fan(request.scope)
        if fan_id is None or await self._check_out.order(order_id, fan_id) is None:
            raise HTTPException(404)
        try:
            await self._try(form, order_id, fan_id)
        except BusyError:
            return _once_more(request, form, PAY_BUSY)
        except (UnavailableError, OutcomeUnknownError):
            return _once_more(request, form, PAY_UNREACHED)
        return _to(order_id)

    async def _ordered(self, form: Form, hold: Hold, fan_id: FanId, email: EmailAddress) -> Response:
        order_id = OrderId(reading.hold_id(last(form, "order_id") or str(self._shop.new_id())))
        made = await self._check_out.open(order_id, hold.hold_id, fan_id, email)
        if isinstance(made, OrderExists) and made.order_id:  # made in another tab; there it goes on
            return _to(made.order_id)
        if not isinstance(made, Opened):
            return RedirectResponse(f"/holds/{hold.hold_id}", status_code=303)  # it says what has become of them
        await self._try(form, order_id, fan_id)
        return _to(order_id)

    async def _try(self, form: Form, order_id: OrderId, fan_id: FanId) -> None:
        method = last(form, "payment_method")
        if method in {each.value for each in (*self._methods, FREE)}:
            attempt_id = made_of(order_id, last(form, "attempt_id"))
            await self._check_out.pay(AttemptRequest(order_id, fan_id, AttemptId(attempt_id), method))

    async def _find(self, request: Request) -> tuple[Visit, Hold, FanId] | None:
        fan_id = self._shop.admission.fan(request.scope)
        hold_id = reading.hold_id(request.path_params["hold"])
        found = await self._shop.hold_seats.find(hold_id, fan_id) if fan_id else None
        return (await self._shop.visit(request, found[0]), found[1], fan_id) if found and fan_id else None

    async def _gone_on(self, hold: Hold, fan_id: FanId) -> Response:
        """To the order of the hold; where there is none, the hold's page says why."""
        for order in await self._check_out.orders(fan_id):
            if order.hold_id == hold.hold_id:
                return _to(order.order_id)
        return RedirectResponse(f"/holds/{hold.hold_id}", status_code=303)

    async def _page(
        self, request: Request, visit: Visit, hold: Hold, form: Form | None = None, *, wrong: str = ""
    ) -> Response:
        form = form or {}
        seats = seats_of(visit.at_hand, hold.seats)
        page = draw(
            "checkout.html",
            listing=visit.listing,
            hold=hold,
            lines=[_line(group) for group in seat_words.groups(seats)],
            total=seat_words.total(seats),
            left=visit.time_left(hold),
            email=last(form, "email") or await self._address(request),
            wrong=wrong,
            order_id=last(form, "order_id") or self._shop.new_id(),
            attempt_id=last(form, "attempt_id") or self._shop.new_id(),
            methods=ways_to_pay(self._methods, seat_words.total(seats)),
            notice=None,
            now=visit.now,
        )
        return HTMLResponse(page, status_code=422 if wrong else 200, headers=NOT_KEPT)

    async def _address(self, request: Request) -> str:
        """That of a fan who is signed in."""
        fan_id = self._shop.admission.own_fan(request.scope)
        return await self._email_of(fan_id) or "" if fan_id else ""


def order_id_in(request: Request) -> OrderId:
    """The order in an address."""
    return OrderId(reading.hold_id(request.path_params["order"]))


def _line(group: seat_words.Group) -> BillLine:
    first = group.first
    return BillLine(group.words, f"{first.price.name}, {money(first.price.all_in)} each", group.total)


def _to(order_id: OrderId) -> Response:
    return RedirectResponse(f"/orders/{order_id}", status_code=303, headers=NOT_KEPT)


def _once_more(request: Request, form: Form, notice: Notice) -> Response:
    """A page with the same form again: its ids are the same, so nothing is paid twice."""
    fields = [(name, value) for name in _FIELDS for value in form.get(name, ())]
    page = draw("held-again.html", notice=notice, action=request.url.path, fields=fields)
    return HTMLResponse(page, status_code=KINDS[notice.slug].status, headers=NOT_KEPT)


_FIELDS: Final = ("order_id", "attempt_id", "email", "payment_method")
