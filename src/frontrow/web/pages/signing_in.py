"""The pages to sign in and out: an address, the code that was mailed to it, and who one is then.

Between the two the browser keeps the address, in a cookie for these pages alone: it stands in no link, and going back
or reloading loses nothing.
"""

from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from frontrow.core.fans import CODE_SECONDS
from frontrow.web import reading
from frontrow.web.admission import FAN_COOKIE, fan_cookie
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.forms import Form, sent
from frontrow.web.pages.mails import ADDRESS as MAILS
from frontrow.web.pages.mails import MailsPage
from frontrow.web.problems import Problem
from frontrow.web.refusals import answer as answer_problem
from frontrow.web.sign_in import Entry, SigningIn

ADDRESS_COOKIE: Final = "frontrow-sign-in"
NAMED_COOKIE: Final = "frontrow-signed-in"  # says that somebody is, and not who: the one that scripts may read
WAY_CHARS_MAX: Final = 512

_NOT_KEPT: Final = {"cache-control": "no-store"}
_INLINE: Final = frozenset({"invalid", "wrong-code", "slow-down"})  # said beside the field; others have a page


class SigningInPages:
    """`/sign-in`, `/sign-in/code`, `/sign-out`, and the page of mails that such a copy has."""

    def __init__(self, signing_in: SigningIn, mails: MailsPage) -> None:
        self._signing_in = signing_in
        self._mails = mails

    def routes(self) -> Sequence[Route]:
        return [
            Route("/sign-in", self.begin),
            Route("/sign-in", self.ask, methods=["POST"]),
            Route("/sign-in/code", self.await_code),
            Route("/sign-in/code", self.verify, methods=["POST"]),
            Route("/sign-out", self.leave, methods=["POST"]),
            Route(MAILS, self._mails.newest),
        ]

    async def begin(self, request: Request) -> Response:
        """The form for an address; or who one is already."""
        fan_id = self._signing_in.admission.own_fan(request.scope)
        fan = await self._signing_in.sign_in.who(fan_id) if fan_id else None
        if fan is not None:
            return _page("signed-in.html", fan=fan, left=())
        return _page("sign-in.html", email="", way=_way(request.query_params.get("way")), refused=None)

    async def ask(self, request: Request) -> Response:
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        email, way = _field(form, "email"), _way(_field(form, "way"))
        asked = await self._signing_in.ask(request.scope, email)
        if isinstance(asked, Problem):
            return self._refused(request, asked, "sign-in.html", email=email, way=way)
        answer = RedirectResponse(_with_way("/sign-in/code", way), status_code=303, headers=_NOT_KEPT)
        answer.headers.append("set-cookie", self._address_cookie(quote(email.strip()), seconds=CODE_SECONDS))
        return answer

    async def await_code(self, request: Request) -> Response:
        """The form for the code."""
        email, way = _address(request), _way(request.query_params.get("way"))
        if not email:
            return RedirectResponse(_with_way("/sign-in", way), status_code=303, headers=_NOT_KEPT)
        return _page("sign-in-code.html", email=email, way=way, refused=None, mails=self._mails_for(request))

    async def verify(self, request: Request) -> Response:
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        email, way = _address(request), _way(_field(form, "way"))
        if not email:
            return RedirectResponse(_with_way("/sign-in", way), status_code=303, headers=_NOT_KEPT)
        entry = await self._signing_in.verify(request.scope, email, _field(form, "code"))
        if isinstance(entry, Problem):
            return self._refused(request, entry, "sign-in-code.html", email=email, way=way)
        return self._entered(entry, way)

    async def leave(self, request: Request) -> Response:
        """The browser is a stranger's again. The fan's other browsers stay signed in."""
        form = await sent(request)
        if isinstance(form, Problem):
            return answer_problem(form, request.scope, draw_problem)
        answer = RedirectResponse("/", status_code=303, headers=_NOT_KEPT)
        for name, path in ((FAN_COOKIE, "/"), (NAMED_COOKIE, "/")):
            answer.headers.append("set-cookie", f"{name}=; Path={path}; Max-Age=0; SameSite=Lax{self._secure}")
        return answer

    def _entered(self, entry: Entry, way: str) -> Response:
        """Back to where they came from; if something was left behind, that is said first."""
        left = [met for met in entry.signed_in.holds if not met.is_brought]
        if left:
            answer = _page("signed-in.html", fan=entry.signed_in.fan, left=left)
        else:
            answer = RedirectResponse(way or "/sign-in", status_code=303, headers=_NOT_KEPT)
        cookie = fan_cookie(entry.token, behind_tls=self._signing_in.behind_tls)
        answer.headers.append("set-cookie", cookie)
        answer.headers.append("set-cookie", self._named_cookie(cookie))
        answer.headers.append("set-cookie", self._address_cookie("", seconds=0))
        return answer

    def _refused(self, request: Request, refused: Problem, template: str, *, email: str, way: str) -> Response:
        """The form again, with what is wrong beside the field, and what was typed still in it."""
        if refused.kind.slug not in _INLINE:
            return answer_problem(refused, request.scope, draw_problem)
        page = draw(template, email=email, way=way, refused=refused.kind.slug, mails=self._mails_for(request))
        return HTMLResponse(page, status_code=refused.kind.status, headers=_NOT_KEPT | dict(refused.headers))

    def _mails_for(self, request: Request) -> str | None:
        """Where the code can be read that nobody mails."""
        return MAILS if self._mails.is_for(request) else None

    def _named_cookie(self, fan: str) -> str:
        """As long as the other one."""
        seconds = fan.partition("Max-Age=")[2].partition(";")[0]
        return f"{NAMED_COOKIE}=1; Path=/; Max-Age={seconds}; SameSite=Lax{self._secure}"

    def _address_cookie(self, value: str, *, seconds: int) -> str:
        kept = f"Path=/sign-in; Max-Age={seconds}; HttpOnly; SameSite=Lax{self._secure}"
        return f"{ADDRESS_COOKIE}={value}; {kept}"

    @property
    def _secure(self) -> str:
        return "; Secure" if self._signing_in.behind_tls else ""


def _page(template: str, **about: object) -> Response:
    return HTMLResponse(draw(template, **about), headers=_NOT_KEPT)


def _field(form: Form, name: str) -> str:
    return form.get(name, [""])[-1]


def _address(request: Request) -> str:
    return unquote(reading.cookie(request.scope, ADDRESS_COOKIE) or "")


def _with_way(address: str, way: str) -> str:
    return f"{address}?way={quote(way, safe='')}" if way else address


def _way(asked: str | None) -> str:
    """Where to go on afterwards: a page of ours, or nowhere in particular. Never where somebody else's link leads."""
    way = asked or ""
    is_ours = way.startswith("/") and not way.startswith(("//", "/\\")) and way.isprintable()
    return way if is_ours and len(way) <= WAY_CHARS_MAX and way.isascii() else ""
