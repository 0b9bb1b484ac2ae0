"""The pages of what one has ordered: all orders, one order with its tickets, their files, and the mail once more.

What stands on a page follows from the order alone, so it is the same after a reload, on the way back from the bank, and
in a second tab.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from frontrow.core.calendar import MEDIA_TYPE as CALENDAR
from frontrow.core.calendar import calendar
from frontrow.core.catalogue import EventStatus
from frontrow.core.orders import Order, OrderId, OrderState
from frontrow.core.papers import AboutOrder, Papers
from frontrow.core.payments import AttemptState
from frontrow.core.ticket_qr import qr
from frontrow.flows.look_at_orders import LookAtOrders
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import sent
from frontrow.web.pages.notices import DECLINED, MAILED_AGAIN, Notice
from frontrow.web.pages.paying import NOT_KEPT, Method, Paying, order_id_in, ways_to_pay
from frontrow.web.pages.visits import Shop
from frontrow.web.pages.wishes import number
from frontrow.web.problems import Problem
from frontrow.web.refusals import answer as answer_problem
from frontrow.web.tickets import PDF, file_name

REFRESH_SECONDS: Final = 3  # without JavaScript; with it the page asks more often, and loads nothing to ask
BACK_SECONDS_MAX: Final = 20  # so long after a fan came back from their bank we wait for what it says


class Phase(StrEnum):
    """What an order is to its fan at the moment: its state, and how the newest try to pay it stands."""

    OPEN = "open"
    DECLINED = "declined"
    CHALLENGED = "challenged"
    PROCESSING = "processing"
    DELAYED = "delayed"
    PAID = "paid"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
    LAPSED = "lapsed"


TITLES: Final = MappingProxyType(
    {
        Phase.OPEN: "To be paid",
        Phase.DECLINED: "Not paid yet",
        Phase.CHALLENGED: "Your bank asks",
        Phase.PROCESSING: "Payment on its way",
        Phase.DELAYED: "Payment on its way",
        Phase.PAID: "Paid",
        Phase.REFUNDED: "Given back",
        Phase.CANCELLED: "Given up",
        Phase.LAPSED: "Not paid in time",
    }
)

# How an open order stands by the state of its newest attempt. Where there is none, or it was let go, it is open.
_PHASES: Final = MappingProxyType(
    {
        AttemptState.CREATED: Phase.PROCESSING,
        AttemptState.PENDING: Phase.PROCESSING,
        AttemptState.AUTHORIZED: Phase.PROCESSING,
        AttemptState.CAPTURED: Phase.PROCESSING,
        AttemptState.CHALLENGED: Phase.CHALLENGED,
        AttemptState.UNKNOWN: Phase.DELAYED,
        AttemptState.DECLINED: Phase.DECLINED,
    }
)
_TO_PAY: Final = frozenset({Phase.OPEN, Phase.DECLINED})


class Errands(Protocol):
    """What is done on the way, by others."""

    async def mail_again(self, order_id: OrderId) -> None:
        """Have the tickets of an order mailed once more."""
        ...

    async def ask_soon(self, ref: str) -> None:
        """There may be news of the payment that the provider knows by this name."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """An order as its page shows it."""

    about: AboutOrder
    phase: Phase

    @property
    def order(self) -> Order:
        return self.about.order

    @property
    def title(self) -> str:
        return TITLES[self.phase]


class OrderPages:
    """`/orders` and what is below it."""

    def __init__(
        self, shop: Shop, look_at_orders: LookAtOrders, paying: Paying, methods: Sequence[Method], errands: Errands
    ) -> None:
        self._shop = shop
        self._look_at_orders = look_at_orders
        self._paying = paying
        self._methods = methods
        self._errands = errands

    def routes(self) -> Sequence[Route]:
        return [
            Route("/holds/{hold}/checkout", self._paying.form),
            Route("/holds/{hold}/checkout", self._paying.check_out, methods=["POST"]),
            Route("/orders", self.every),
            Route("/orders/{order}", self.one),
            Route("/orders/{order}/pay", self._paying.pay, methods=["POST"]),
            Route("/orders/{order}/standing", self.standing),
            Route("/orders/{order}/tickets.pdf", self.tickets),
            Route("/orders/{order}/calendar.ics", self.entry),
            Route("/orders/{order}/resend", self.resend, methods=["POST"]),
        ]

    async def every(self, request: Request) -> Response:
        """What one has ordered; by what it is for, not by when it was ordered."""
        now, fan_id = self._shop.clock(), self._shop.admission.fan(request.scope)
        about = await self._look_at_orders.orders(fan_id) if fan_id else ()
        shown = [Shown(each, phase_of(each.order, now=now)) for each in about]
        ahead = sorted((each for each in shown if _is_ahead(each, now)), key=_starts_at)
        page = draw(
            "orders.html",
            orders=shown,
            ahead=ahead,
            past=[each for each in shown if each not in ahead],
            is_named=self._shop.admission.own_fan(request.scope) is not None,
            now=now,
        )
        return HTMLResponse(page, headers=NOT_KEPT)

    async def one(self, request: Request) -> Response:
        """One order, with whatever is to be done now: pay, go to the bank, wait, or show the tickets at the door."""
        now, about = self._shop.clock(), await self._about(request)
        if ref := request.query_params.get("payment_intent"):  # from the bank: ask, and have a plain address again
            await self._errands.ask_soon(ref)
            return RedirectResponse(_back(about.order, now), status_code=303, headers=NOT_KEPT)
        phase = phase_of(about.order, now=now, is_back=_is_back(request, now))
        papers = self._look_at_orders.papers(about)
        if papers:  # a few milliseconds each, remembered: other requests do not wait for them
            await asyncio.to_thread(lambda: [qr(paper.code) for paper in papers.papers])
        page = draw(
            "order.html",
            shown=Shown(about, phase),
            notice=_notice(about.order, phase, request),
            papers=papers.papers if papers else (),
            left=max(about.order.pay_by - now, timedelta(0)),
            methods=ways_to_pay(self._methods, about.order.total),
            attempt_id=self._shop.new_id(),
            can_hold=about.listing.status(now) is EventStatus.ON_SALE,
            refresh_seconds=REFRESH_SECONDS,
            now=now,
        )
        return HTMLResponse(page, headers=NOT_KEPT)

    async def standing(self, request: Request) -> Response:
        """What the page of a payment that is on its way asks for, until it is another one."""
        now, about = self._shop.clock(), await self._about(request)
        phase = phase_of(about.order, now=now, is_back=_is_back(request, now))
        return JSONResponse({"phase": phase}, headers=NOT_KEPT)

    async def tickets(self, request: Request) -> Response:
        """All tickets of an order in one file."""
        papers = self._look_at_orders.papers(await self._about(request))
        if papers is None:
            raise HTTPException(404)
        named = {"content-disposition": f'inline; filename="{file_name(papers)}"'}
        return Response(await self._look_at_orders.pdf(papers), media_type=PDF, headers=NOT_KEPT | named)

    async def entry(self, request: Request) -> Response:
        """The event for one's calendar, with the seats."""
        papers = self._look_at_orders.papers(about := await self._about(request))
        if papers is None:
            raise HTTPException(404)
        host = request.url.hostname or "frontrow"
        entry = calendar(about.listing, host=host, now=self._shop.clock(), note=_note(papers))
        return Response(entry, media_type=CALENDAR, headers=NOT_KEPT)

    async def resend(self, request: Request) -> Response:
        """Mail the tickets once more, to where they went."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        about = await self._about(request)
        if self._look_at_orders.papers(about) is not None:
            await self._errands.mail_again(about.order.order_id)
        return RedirectResponse(f"/orders/{about.order.order_id}?mailed=1", status_code=303, headers=NOT_KEPT)

    async def _about(self, request: Request) -> AboutOrder:
        """The order in the address. Somebody else's is not there."""
        fan_id = self._shop.admission.fan(request.scope)
        about = await self._look_at_orders.order(order_id_in(request), fan_id) if fan_id else None
        if about is None:
            raise HTTPException(404)
        return about


def phase_of(order: Order, *, now: datetime, is_back: bool = False) -> Phase:
    """`is_back`: the fan comes from their bank, whose answer is on its way to us."""
    if order.state is not OrderState.OPEN:
        return Phase(order.state.value)
    tried = order.last_try
    phase = _PHASES.get(AttemptState(tried.state), Phase.OPEN) if tried else Phase.OPEN
    if phase is Phase.CHALLENGED and (is_back or tried is None or tried.next_url is None):
        return Phase.PROCESSING
    if phase in _TO_PAY and now >= order.pay_by:
        return Phase.LAPSED  # nobody has cleaned up yet
    return phase


def _back(order: Order, now: datetime) -> str:
    return f"/orders/{order.order_id}?back={int(now.timestamp())}"


def _is_back(request: Request, now: datetime) -> bool:
    """Whether the fan came from their bank a moment ago."""
    came_at = number(request.query_params.get("back", ""))
    return came_at is not None and abs(now.timestamp() - came_at) < BACK_SECONDS_MAX


def _notice(order: Order, phase: Phase, request: Request) -> Notice | None:
    if phase is Phase.DECLINED and order.last_try:
        return DECLINED.get(order.last_try.reason or "", DECLINED[""])
    return MAILED_AGAIN if phase is Phase.PAID and "mailed" in request.query_params else None


def _note(papers: Papers) -> str:
    return f"{'; '.join(papers.seats)}. Order {papers.number}."


def _is_ahead(shown: Shown, now: datetime) -> bool:
    is_alive = shown.phase not in {Phase.LAPSED, Phase.CANCELLED, Phase.REFUNDED}
    return is_alive and shown.about.listing.ends_at > now


def _starts_at(shown: Shown) -> datetime:
    return shown.about.listing.starts_at
