"""One line for each answer. Hot paths are left out by design: at ten thousand a second their log would be the load."""

from time import perf_counter

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontrow.web.faults import path_for_log

_log = structlog.stdlib.get_logger(__name__)


def with_access_log(app: ASGIApp) -> ASGIApp:
    """Log the answer when it is complete. The client's address is left out: it is personal data."""

    async def logged(scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        method: str = scope["method"]
        status = 0  # stays so when the client went away before an answer

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, watched)
        finally:
            ms = round((perf_counter() - began) * 1000, 1)
            _log.info("request.answered", method=method, path=path_for_log(scope), status=status, ms=ms)

    return logged
