"""Answering HTTP in this process: one ASGI application, on a socket that somebody else has opened.

granian does it, HTTP/1 and HTTP/2 on one port. More processes on the same socket are `supervising.py`'s business.
"""

import asyncio
import gc
import logging
import os
import resource
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from ipaddress import ip_network
from types import MappingProxyType
from typing import Any, Final

import structlog
from granian._granian import SocketHolder  # pyright: ignore[reportPrivateUsage] -- the way to a socket of one's own
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings, HTTP2Settings
from granian.log import LogLevels
from granian.server.embed import Server
from starlette.types import ASGIApp

from frontrow.halt import Halt
from frontrow.processes import logs, stopping
from frontrow.processes.listening import BACKLOG
from frontrow.settings import Settings
from frontrow.web.app import Limits
from frontrow.web.clients import PRIVATE, Clients

_log = structlog.stdlib.get_logger(__name__)

HEAD_MS_MAX: Final = 10_000  # for the head of a request; who sends a byte a second is not a browser
HEAD_BYTES_MAX: Final = 65_536  # address, cookies and all; browsers send 2 kB, and proxies refuse more than this too
FILES_MORE: Final = 256  # open files beside connections: database, logs, modules
STREAMS_MAX: Final = 100  # requests at once on one HTTP/2 connection; what browsers use
PING_MS: Final = 20_000  # how often a silent HTTP/2 connection is asked whether it is still there
PONG_SECONDS_MAX: Final = 20

# So many more objects than were there last time, and Python looks for garbage among the new ones. By default it is 700:
# the requests that wait at once are more than that, and looking through them again and again took a third of all time.
NEW_OBJECTS_MAX: Final = 20_000

HTTP1: Final = HTTP1Settings(header_read_timeout=HEAD_MS_MAX, max_buffer_size=HEAD_BYTES_MAX)
HTTP2: Final = HTTP2Settings(
    max_headers_size=HEAD_BYTES_MAX,
    max_concurrent_streams=STREAMS_MAX,
    keep_alive_interval=PING_MS,
    keep_alive_timeout=PONG_SECONDS_MAX,
)

# granian brings handlers of its own. Without them its lines go where all lines of the process go.
GRANIAN_LOG: Final = "_granian"
LOGGING: Final[MappingProxyType[str, Any]] = MappingProxyType(
    {"handlers": {}, "formatters": {}, "loggers": {GRANIAN_LOG: {"handlers": [], "propagate": True}}}
)


@dataclass(frozen=True, slots=True)
class Streaming:
    """A service that may have streams open, which go on for ever until somebody ends them."""

    app: ASGIApp
    end_streams: Callable[[], None]


Service = AbstractAsyncContextManager[ASGIApp] | AbstractAsyncContextManager[Streaming]


def answer(service: Service, listening: socket.socket, settings: Settings) -> None:
    """Run one service on this socket until somebody asks it to stop. It is open while requests are answered."""
    logs.configure(settings)
    _allow_files(settings.connections_max)
    stopping.run_until_stopped(_answer(service, listening, settings))


def limits(settings: Settings) -> Limits:
    return Limits(
        body_bytes_max=settings.body_bytes_max,
        request_seconds_max=settings.request_seconds_max,
        behind_tls=settings.behind_tls,
    )


def clients(settings: Settings) -> Clients:
    """Who asks is told by the socket, or by the proxies that the settings name."""
    if settings.proxies is not None:
        return Clients([ip_network(network.strip()) for network in settings.proxies.split(",")])
    return Clients(PRIVATE if settings.behind_tls else ())


def _allow_files(connections: int) -> None:
    """Allow ourselves the open files that so many connections need, as far as the system lets us.

    Most systems start programs with 1,024, for the sake of very old ones, and let those that know better ask for more.
    """
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(connections + FILES_MORE, most)
    if allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


async def _answer(service: Service, listening: socket.socket, settings: Settings) -> None:
    async with service as opened:
        app = opened.app if isinstance(opened, Streaming) else opened
        server = _OnSocket(app, listening, connections_max=settings.connections_max)
        _look_for_garbage_seldom()
        serving = asyncio.create_task(server.serve())
        _log.info("service.started", port=settings.port)
        try:
            await asyncio.wait({serving})  # cancelled when we are asked to stop; it does not end by itself
            raise Halt("the HTTP server ended by itself; the lines above say why") from serving.exception()
        finally:
            listening.close()
            server.stop()  # accept nothing more, and let end what is under way
            if isinstance(opened, Streaming):
                opened.end_streams()
            await asyncio.wait({serving}, timeout=settings.stop_seconds_max)
            _silence_granian(asyncio.get_running_loop())  # what is cut now (streams, for one) is no fault
            _log.info("service.stopped")


def _look_for_garbage_seldom() -> None:
    """What is there when the service opens stays for good, and need not be looked at ever again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS_MAX)


def _silence_granian(loop: asyncio.AbstractEventLoop) -> None:
    """Let nothing of granian be logged any more, whichever of its loggers says it.

    Switching one logger off leaves those below it on: what they say has to end here, in a handler that drops it.
    """
    granian = logging.getLogger(GRANIAN_LOG)
    granian.addHandler(logging.NullHandler())
    granian.propagate = False
    loop.set_exception_handler(_but_what_was_cut)


def _but_what_was_cut(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The server may tell a future that it has ended when that was cut already. Everything else is told as always."""
    if not isinstance(context.get("exception"), asyncio.InvalidStateError):
        loop.default_exception_handler(context)


class _OnSocket(Server):
    """granian on a socket of ours. It would open its own with SO_REUSEPORT; listening.py says why that is not wanted.

    Its embedded mode runs on our event loop, so that a service that cannot start ends with its own words, not in a
    child of granian.
    """

    def __init__(self, app: ASGIApp, listening: socket.socket, *, connections_max: int) -> None:
        super().__init__(
            target=app,
            interface=Interfaces.ASGINL,  # no lifespan: the service is open before, and closed after
            http=HTTPModes.auto,
            websockets=False,
            backpressure=connections_max,
            http1_settings=HTTP1,
            http2_settings=HTTP2,
            log_level=LogLevels.error,  # below are starts and stops, which we say ourselves
            log_dictconfig=dict(LOGGING),
        )
        self._listening = listening

    def _init_shared_socket(self) -> None:
        self._listening.settimeout(0)  # as its runtime needs it
        mine = os.dup(self._listening.fileno())  # it closes the one it is given
        self._shd = SocketHolder(mine, uds=False, backlog=BACKLOG)  # pyright: ignore[reportCallIssue] -- its stub is older
