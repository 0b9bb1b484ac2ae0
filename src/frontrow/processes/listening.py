"""The address a service listens on: taking it, and how people and we ourselves reach it."""

import errno
import socket
from typing import Final

from frontrow.halt import Halt
from frontrow.settings import Settings

BACKLOG: Final = 1024  # connections that wait to be accepted while a worker is away; the kernel may allow fewer
UNSENT_BYTES_MAX: Final = 131_072  # of one connection, in the kernel, beyond what is on its way; a page is on its way
UNREAD_MS_MAX: Final = 30_000  # without a byte acknowledged: the client is gone, or wants to tie us up
ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- how to reach a service that listens so


def listen(settings: Settings) -> socket.socket:
    """The listening socket, or a Halt that says why there is none.

    It is one socket for all workers, without SO_REUSEPORT: a second copy of Frontrow on this port is refused instead
    of taking half of the connections, and what arrives while a worker is replaced waits for the next one.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Halt(_explained(error, settings)) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the port's last connections may linger
        _bound_what_nobody_reads(listening)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise Halt(_explained(error, settings)) from error
    return listening


def _bound_what_nobody_reads(listening: socket.socket) -> None:
    """For every connection of this socket: keep little for who reads slowly, and close it on who does not read at all.

    Without the first, the kernel takes megabytes for a client before anybody notices that it is behind.
    """
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS_MAX)


def ensure_port_free(settings: Settings) -> None:
    """Halt where the port cannot be taken. It is let go again, for the one who will listen."""
    listen(settings).close()


def url_of(settings: Settings) -> str:
    """Where a browser on this machine finds the service."""
    host = host_to_reach(settings)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def host_to_reach(settings: Settings) -> str:
    return ANY_ADDRESS.get(settings.host, settings.host)


def _explained(error: OSError, settings: Settings) -> str:
    where = f"{settings.host}, port {settings.port}"
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {settings.port} is taken; end what listens there, or choose another: FRONTROW_PORT=…"
        case errno.EACCES:
            return f"not allowed to listen on port {settings.port}; choose one from 1024 up: FRONTROW_PORT=8000"
        case errno.EADDRNOTAVAIL:
            return f"{settings.host} is no address of this machine; choose another: FRONTROW_HOST=127.0.0.1"
        case _:
            return f"cannot listen on {where}: {error.strerror or error}; correct FRONTROW_HOST and FRONTROW_PORT"
