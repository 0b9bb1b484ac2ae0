"""What broke becomes one log line with its traceback, and one answer without any of it."""

from collections.abc import Awaitable

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontrow.web.problems import problem
from frontrow.web.refusals import DrawProblem, refuse

_log = structlog.stdlib.get_logger(__name__)


def with_faults_answered(app: ASGIApp, draw: DrawProblem | None = None) -> ASGIApp:
    """Let no exception reach the server, whose own answer would have no id and no form."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        def watched(message: Message) -> Awaitable[None]:
            nonlocal started
            started = True
            return send(message)

        try:
            await app(scope, receive, watched)
        except Exception:  # noqa: BLE001 -- whatever broke, the client gets an answer with an id
            _log.exception("request.failed", method=scope["method"], path=path_for_log(scope))
        # An answer that broke off half way stays so: the server then closes the connection or resets the stream,
        # and the client sees that it is not whole.
        if not started:
            await refuse(problem("fault"), scope, receive, send, draw)

    return guarded


def path_for_log(scope: Scope) -> str:
    """The path as it came, still percent-encoded: nothing in it can break a log line. The query may hold secrets."""
    raw: bytes = scope.get("raw_path") or str(scope["path"]).encode()
    return raw.partition(b"?")[0].decode("ascii", "backslashreplace")
