"""The one application in front: hot paths first, then the REST API, then the pages; the same guards around all.

Every guard is a plain ASGI wrapper in a file of its own, and the order in which they stand is written down here once.
One that has nothing to do afterwards is a plain function: it returns what is to be awaited, and is not one more
coroutine that every answer wakes up through.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from frontrow.web.access_log import with_access_log
from frontrow.web.faults import with_faults_answered
from frontrow.web.heads import with_head
from frontrow.web.health import Readiness, alive
from frontrow.web.hot import Hot, HotTable, by_method
from frontrow.web.limits import with_limits
from frontrow.web.metrics import Metrics
from frontrow.web.problems import problem
from frontrow.web.refusals import DrawProblem, explained, refuse
from frontrow.web.request_ids import with_request_id
from frontrow.web.sanity import with_sane_address
from frontrow.web.security import with_security_headers

_API: Final = ("/api/", "/webhooks/", "/openapi.json", "/docs")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take (see the settings of the same names), and whether TLS ends in front of us."""

    body_bytes_max: int
    request_seconds_max: float
    behind_tls: bool = False


def build(
    *,
    api: ASGIApp | None,
    pages: ASGIApp | None,
    hot: Sequence[Hot],
    readiness: Readiness,
    metrics: Metrics,
    limits: Limits,
    draw: DrawProblem | None = None,
) -> ASGIApp:
    """The whole service. A process without API or pages passes None; their addresses are then not found.

    `draw` renders a problem as a page, for requests that come from a browser and fail before the pages see them.
    """
    guard = partial(_guarded, metrics=metrics, limits=limits, draw=draw)
    own = (
        Hot("GET", "/healthz", alive),
        Hot("GET", "/readyz", readiness.answer),
        Hot("GET", "/metrics", metrics.answer),
        Hot("GET", "/problems/{slug}", _explain_problem),
    )
    table = HotTable([(pattern, guard(app, route=pattern)) for pattern, app in by_method((*own, *hot)).items()])
    cold = guard(_mounted(api, pages, draw))

    def front(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return (table.find(scope) or cold)(scope, receive, send)

    return front


def _guarded(
    app: ASGIApp, *, metrics: Metrics, limits: Limits, draw: DrawProblem | None, route: str | None = None
) -> ASGIApp:
    """Put the guards around an application, the innermost first. A hot path has its route here, and no log line."""
    app = with_limits(app, bytes_max=limits.body_bytes_max, seconds_max=limits.request_seconds_max, draw=draw)
    app = with_head(app)
    app = with_sane_address(app, draw)
    app = with_faults_answered(app, draw)
    if route is None:
        app = with_access_log(app)
    app = metrics.counted(app, route)
    app = with_security_headers(app, behind_tls=limits.behind_tls)
    return with_request_id(app)


def _mounted(api: ASGIApp | None, pages: ASGIApp | None, draw: DrawProblem | None) -> ASGIApp:
    async def mounted(scope: Scope, receive: Receive, send: Send) -> None:
        app = api if scope["path"].startswith(_API) else pages
        if app is None:
            await refuse(problem("not-found"), scope, receive, send, draw)
        else:
            await app(scope, receive, send)

    return mounted


async def _explain_problem(scope: Scope, receive: Receive, send: Send) -> None:
    request = Request(scope)
    answer = explained(request.path_params["slug"], request.headers.get("accept", ""))
    await answer(scope, receive, send)
