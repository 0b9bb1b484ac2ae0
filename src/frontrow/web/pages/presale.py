"""The page to use an access code on, while an event sells to invited fans alone."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.web.access import Access, access_cookie
from frontrow.web.admission import asks_for_code, session_cookie
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import sent
from frontrow.web.pages.visits import Shop, Visit
from frontrow.web.pages.wishes import last
from frontrow.web.problems import Problem
from frontrow.web.refusals import answer as answer_problem

_NOT_KEPT: Final = {"cache-control": "no-store"}
_INLINE: Final = frozenset({"code-refused", "slow-down"})  # said beside the field; others have a page
_TOO_FAST: Final = "You tried many codes. Wait a minute, look at the letters again, and try once more."


class PresalePage:
    """`/events/{event_id}/code`."""

    def __init__(self, shop: Shop, access: Access) -> None:
        self._shop = shop
        self._access = access

    def routes(self) -> Sequence[Route]:
        return [
            Route("/events/{event_id}/code", self.look),
            Route("/events/{event_id}/code", self.use, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """The form; or the seats, where no code is asked for, or one was used."""
        visit = await self._shop.visit(request)
        if not asks_for_code(visit.at_hand):
            return _to_seats(visit)
        if visit.fan_id and self._shop.admission.has_pass(request.scope, visit.event_id, visit.fan_id):
            return self._let_in(visit, visit.fan_id)
        nameless = visit.fan_id is None or await self._access.is_nameless(visit.fan_id)
        return HTMLResponse(_drawn(visit, nameless=nameless), headers=_NOT_KEPT)

    async def use(self, request: Request) -> Response:
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        visit, typed = await self._shop.visit(request), last(form, "code")
        used = await self._access.use(request.scope, visit.at_hand, typed)
        if not isinstance(used, Problem):
            fan_id, access_pass = used
            answer = self._let_in(visit, fan_id)
            cookie = access_cookie(visit.event_id, access_pass, behind_tls=self._shop.behind_tls)
            answer.headers.append("set-cookie", cookie)
            return answer
        if used.kind.slug == "sign-in-needed":
            return RedirectResponse(f"/sign-in?way=/events/{visit.event_id}/code", status_code=303, headers=_NOT_KEPT)
        if used.kind.slug not in _INLINE:
            return answer_problem(used, request.scope, draw_problem)
        words = _TOO_FAST if used.kind.slug == "slow-down" else used.detail
        page = _drawn(visit, typed=typed, refused=words)
        return HTMLResponse(page, status_code=used.kind.status, headers=_NOT_KEPT | dict(used.headers))

    def _let_in(self, visit: Visit, fan_id: FanId) -> Response:
        """To the seats: with a session, where nobody counts them. A waiting room gives one when it is their turn."""
        answer = _to_seats(visit)
        if not visit.at_hand.event.waiting_room:
            admitted = self._shop.admission.admit_fan(fan_id, visit.at_hand)
            answer.headers.append("set-cookie", session_cookie(visit.event_id, admitted, self._shop.behind_tls))
        return answer


def _to_seats(visit: Visit) -> Response:
    return RedirectResponse(_seats(visit.event_id), status_code=303, headers=_NOT_KEPT)


def _seats(event_id: EventId) -> str:
    return f"/events/{event_id}/seats"


def _drawn(visit: Visit, *, typed: str = "", refused: str | None = None, nameless: bool = False) -> str:
    return draw(
        "code.html",
        listing=visit.listing,
        now=visit.now,
        codes_until=visit.at_hand.event.codes_until,
        typed=typed,
        refused=refused,
        nameless=nameless,
    )
