"""How a problem leaves: as JSON for programs, as a page for people, with the words of `problems.py` either way.

Also what frameworks raise on their own (a wrong body, an unknown path) becomes a problem here, so that no answer of
the service has another form.
"""

from collections.abc import Callable, Coroutine, Sequence
from html import escape
from typing import Any, Final, TypeAlias

import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from frontrow.core.faults import UnavailableError
from frontrow.web.problems import KINDS, Problem, of_fault, of_status, problem
from frontrow.web.request_ids import current_request_id

_log = structlog.stdlib.get_logger(__name__)

# The pages' way to show a problem; it gets the problem and the request id, and returns a whole HTML page.
DrawProblem: TypeAlias = Callable[[Problem, str], str]
ExceptionHandler: TypeAlias = Callable[[Request, Any], Coroutine[Any, Any, Response]]

ERRORS_MAX: Final = 20  # more than a person reads; a body of 64 kB could name thousands
API_PREFIXES: Final = ("/api/", "/webhooks/", "/healthz", "/readyz", "/metrics", "/openapi.json")


def answer(refused: Problem, scope: Scope, draw: DrawProblem | None = None) -> Response:
    """The response for this request: a page where the reader is a browser, JSON for everybody else."""
    if draw is None or not _wants_page(scope):
        return refused.answer()
    try:
        page = draw(refused, current_request_id())
    except Exception:  # noqa: BLE001 -- a page that cannot be drawn must not hide the refusal
        _log.exception("problem_page.failed", slug=refused.kind.slug)
        return refused.answer()
    headers = {"cache-control": "no-store", **refused.headers}
    return HTMLResponse(page, status_code=refused.kind.status, headers=headers)


async def refuse(refused: Problem, scope: Scope, receive: Receive, send: Send, draw: DrawProblem | None) -> None:
    """Send the answer from a place that is no framework."""
    await answer(refused, scope, draw)(scope, receive, send)


def exception_handlers(draw: DrawProblem | None = None) -> dict[int | type[Exception], ExceptionHandler]:
    """For `FastAPI(exception_handlers=…)` and `Starlette(exception_handlers=…)`."""

    async def on_http_exception(request: Request, error: HTTPException) -> Response:
        if error.status_code < 400:  # noqa: PLR2004 -- a redirect is no refusal
            return Response(status_code=error.status_code, headers=error.headers)
        if error.status_code == KINDS["method-not-allowed"].status:
            return _without_method(request, error, draw)
        return answer(of_status(error.status_code, error.headers), request.scope, draw)

    async def on_invalid(request: Request, error: RequestValidationError) -> Response:
        return answer(_invalid(error.errors()), request.scope, draw)

    async def on_fault(request: Request, _error: Exception) -> Response:
        return answer(problem("fault"), request.scope, draw)  # logged once, in faults.py

    async def on_unavailable(request: Request, _error: Exception) -> Response:
        return answer(of_fault(UnavailableError()), request.scope, draw)

    return {
        HTTPException: on_http_exception,
        RequestValidationError: on_invalid,
        UnavailableError: on_unavailable,
        Exception: on_fault,
    }


def explained(slug: str, accept: str) -> Response:
    """What `GET /problems/<slug>` answers: the meaning of one problem, for the person who followed its `type`."""
    kind = KINDS.get(slug)
    if kind is None:
        return problem("not-found").answer()
    lines = (kind.title, f"HTTP {kind.status}, {slug}", kind.happened, kind.lost, kind.now)
    if "text/html" not in accept:
        return Response("\n".join(lines) + "\n", media_type="text/plain")
    heading, *sentences = (escape(line) for line in lines)
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{heading}</title><h1>{heading}</h1>{paragraphs}'
    )


def _wants_page(scope: Scope) -> bool:
    if str(scope["path"]).startswith(API_PREFIXES):
        return False
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _without_method(request: Request, error: HTTPException, draw: DrawProblem | None) -> Response:
    allow = (error.headers or {}).get("Allow", "")
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": f"{allow}, OPTIONS" if allow else "OPTIONS"})
    return answer(of_status(error.status_code, {"Allow": allow}), request.scope, draw)


def _invalid(errors: Sequence[Any]) -> Problem:
    """Names the places and the rules, and never repeats the values: they may be somebody's personal data."""
    if any(error["type"] == "json_invalid" for error in errors):
        return problem("bad-request", detail="The body is not JSON.")
    named = [{"where": ".".join(map(str, error["loc"])), "what": error["msg"]} for error in errors[:ERRORS_MAX]]
    return problem("invalid", errors=named)
