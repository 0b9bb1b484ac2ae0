"""The waiting page of a line: joining with a form, waiting, coming in; and leaving the shop.

It says the same with and without scripts: without them it comes back by itself after as long as the server says; with
them waiting.js asks the API instead, and changes the words in place. Who it is, and the ticket, are in cookies.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from frontrow.core.guard import SlowDown
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.visits import Inside
from frontrow.flows.enter_line import SoldOut, Waiting
from frontrow.flows.follow_lines import Line
from frontrow.web import reading
from frontrow.web.answers import Header
from frontrow.web.line import EnterBody, Eta, LineCalls, eta, refusal, ticket_cookie_name
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import sent
from frontrow.web.pages.visits import Door, Shop, Visit
from frontrow.web.pages.what_is_left import SectionLeft, sections_left
from frontrow.web.pages.wishes import Wishes
from frontrow.web.problems import Problem
from frontrow.web.refusals import answer as answer_problem

SECTIONS_OPEN_MAX: Final = 24  # more than that are shown when somebody wants to see them
LOOK_AGAIN_SECONDS: Final = 20  # at a page that waits for nobody in particular

_NOT_KEPT: Final = {"cache-control": "no-store"}


class Standing(StrEnum):
    """What the page says of somebody."""

    EARLY = "early"  # the line opens later
    OUTSIDE = "outside"  # they may join
    WAITING = "waiting"
    SOLD_OUT = "sold out"
    OVER = "over"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One fan at one line, as the page tells it."""

    standing: Standing
    line: Line
    visit: Visit
    poll_seconds: int
    eta: Eta | None = None
    refused: Problem | None = None

    @property
    def is_gathering(self) -> bool:
        return self.line.terms.phase(self.visit.now.timestamp()) is LinePhase.GATHERING

    @property
    def message(self) -> str | None:
        return self.line.terms.message

    @property
    def seconds(self) -> int:
        """Until it opens, or until the sale begins."""
        terms = self.line.terms
        at = terms.opens_at if self.standing is Standing.EARLY else terms.on_sale_at
        return max(math.ceil(at - self.visit.now.timestamp()), 0)

    @property
    def sections(self) -> Sequence[SectionLeft]:
        return sections_left(self.visit.at_hand, Wishes(party=1))

    @property
    def are_sections_open(self) -> bool:
        return len(self.visit.at_hand.seat_map.sections) <= SECTIONS_OPEN_MAX


class WaitingPages:
    """`/events/{event_id}/line`, and leaving."""

    def __init__(self, shop: Shop, calls: LineCalls) -> None:
        self._shop = shop
        self._calls = calls

    def routes(self) -> Sequence[Route]:
        return [
            Route("/events/{event_id}/line", self.look),
            Route("/events/{event_id}/line", self.join, methods=["POST"]),
            Route("/events/{event_id}/leave", self.leave, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """How it stands. Whoever has a place and whose turn it is goes on to the seats from here."""
        visit = await self._shop.visit(request)
        line = await self._line(visit)
        if visit.door is Door.OPEN:
            return _to_seats(visit, ())
        has_place = reading.cookie(request.scope, ticket_cookie_name(visit.event_id)) is not None
        if not has_place and _standing(line, visit) is Standing.OUTSIDE:
            return _drawn(Place(standing=Standing.OUTSIDE, line=line, visit=visit, poll_seconds=LOOK_AGAIN_SECONDS))
        return await self._entered(request, visit, line)

    async def join(self, request: Request) -> Response:
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        visit = await self._shop.visit(request)
        body = EnterBody(proof=form.get("proof", [None])[-1])
        return await self._entered(request, visit, await self._line(visit), body=body)

    async def leave(self, request: Request) -> Response:
        """The place in the shop is the next fan's. What is held stays held until its time is over."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        visit = await self._shop.visit(request)
        left = await self._calls.left(request.scope, visit.event_id)
        if isinstance(left, Problem):
            return answer_problem(left, request.scope, draw_problem)
        return _with(RedirectResponse(f"/events/{visit.event_id}", status_code=303, headers=_NOT_KEPT), [left])

    async def _line(self, visit: Visit) -> Line:
        found = await self._calls.line_of(visit.event_id)
        if not isinstance(found, Line):
            raise HTTPException(404 if found is None else found.kind.status)
        return found

    async def _entered(self, request: Request, visit: Visit, line: Line, *, body: EnterBody | None = None) -> Response:
        """`body`: what a form has brought; reloading sends no form again."""
        asking, entered = await self._calls.entered(request.scope, line, body or EnterBody())
        if isinstance(entered, Inside):
            return _to_seats(visit, self._calls.cookies(line, asking, entered))
        if isinstance(entered, Waiting):
            cookies = self._calls.cookies(line, asking, entered)
            if body is not None:
                address = f"/events/{visit.event_id}/line"
                return _with(RedirectResponse(address, status_code=303, headers=_NOT_KEPT), cookies)
            poll_seconds = math.ceil(entered.poll_seconds)
            place = Place(
                standing=Standing.WAITING, line=line, visit=visit, poll_seconds=poll_seconds, eta=eta(entered.wait)
            )
            return _with(_drawn(place), cookies)
        if isinstance(entered, SlowDown) and body is None:  # somebody reloads: the place is as it was
            again = math.ceil(entered.seconds)
            return _drawn(Place(standing=Standing.WAITING, line=line, visit=visit, poll_seconds=again))
        refused = entered if isinstance(entered, Problem) else refusal(entered, line.terms)
        if refused.kind.slug == "proof-needed":  # its page does the work, and sends this form again with the proof
            return answer_problem(refused, request.scope, draw_problem)
        standing = Standing.SOLD_OUT if isinstance(entered, SoldOut) else _standing(line, visit, refused)
        place = Place(standing=standing, line=line, visit=visit, poll_seconds=LOOK_AGAIN_SECONDS, refused=refused)
        status = refused.kind.status if standing is Standing.REFUSED else 200
        return _with(_drawn(place, status=status), self._calls.forgetting(line, refused))


def _standing(line: Line, visit: Visit, refused: Problem | None = None) -> Standing:
    match line.terms.phase(visit.now.timestamp()):
        case LinePhase.CLOSED:
            return Standing.EARLY
        case LinePhase.SOLD_OUT:
            return Standing.SOLD_OUT
        case LinePhase.OVER:
            return Standing.OVER
        case _:
            return Standing.REFUSED if refused else Standing.OUTSIDE


def _drawn(place: Place, *, status: int = 200) -> Response:
    page = draw("line.html", place=place, listing=place.visit.listing, now=place.visit.now)
    return HTMLResponse(page, status_code=status, headers=_NOT_KEPT)


def _to_seats(visit: Visit, cookies: Iterable[Header]) -> Response:
    address = f"/events/{visit.event_id}/seats"
    return _with(RedirectResponse(address, status_code=303, headers=_NOT_KEPT), cookies)


def _with(answer: Response, cookies: Iterable[Header]) -> Response:
    for name, value in cookies:
        answer.headers.append(name.decode(), value.decode())
    return answer
