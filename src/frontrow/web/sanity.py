"""What no honest client sends, refused before anything interprets it: garbled paths, climbing paths, forged hosts."""

import re
from collections.abc import Awaitable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from frontrow.web.limits import ADDRESS_BYTES_MAX
from frontrow.web.problems import Problem, problem
from frontrow.web.refusals import DrawProblem, refuse

# A name or an address, perhaps with a port. Links in mails and pages are made from it.
_HOST: Final = re.compile(rb"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")

# Control characters, backslashes, the mark of bytes that were no UTF-8, and segments that climb.
_GARBLED: Final = re.compile(r"[\x00-\x1f\x7f\\�]|/\.\.?(?:/|$)")


def with_sane_address(app: ASGIApp, draw: DrawProblem | None = None) -> ASGIApp:
    """Let only requests through whose host and path mean what they seem to mean."""

    def checked(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        refused = _trouble(scope)
        if refused is None:
            return app(scope, receive, send)
        return refuse(refused, scope, receive, send, draw)

    return checked


def _trouble(scope: Scope) -> Problem | None:
    path: str = scope["path"]
    if len(path) + len(scope["query_string"]) > ADDRESS_BYTES_MAX:
        return problem("address-too-long", bytes_max=ADDRESS_BYTES_MAX)
    if _GARBLED.search(path) or not path.startswith("/"):
        return problem("bad-request", detail="The path of this address is garbled.")
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        return problem("bad-request", detail="A request names one host in its Host header.")
    return None
