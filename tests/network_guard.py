"""No test leaves this machine. One that needs somebody else's server fails on the train, and tells them that it ran.

Python announces what is asked of a socket to audit hooks first, whoever asks: nothing is patched here. Processes that
a test starts are not watched.
"""

import socket
import sys
from ipaddress import ip_address
from typing import Final, cast

import pytest

CONNECTING: Final = {"socket.connect", "socket.sendto", "socket.sendmsg"}
LOOKING_UP: Final = {"socket.getaddrinfo", "socket.gethostbyname"}
THE_INTERNET: Final = {socket.AF_INET, socket.AF_INET6}


def keep_in() -> None:
    """Fail whatever reaches out from now on. There is no way back: audit hooks stay."""
    sys.addaudithook(_watch)


def is_here(host: object) -> bool:
    """Whether a host, by name or by number, is this machine."""
    name = host.decode(errors="replace") if isinstance(host, bytes) else str(host or "localhost")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _watch(announced: str, arguments: tuple[object, ...]) -> None:
    if announced in LOOKING_UP:
        _refuse_away(announced, arguments[0])
    elif announced in CONNECTING:
        asking, address, *_ = arguments
        # Anything else is a Unix socket, or one that is connected already.
        if isinstance(asking, socket.socket) and asking.family in THE_INTERNET and isinstance(address, tuple):
            _refuse_away(announced, cast("tuple[object, ...]", address)[0])


def _refuse_away(announced: str, host: object) -> None:
    if not is_here(host):
        pytest.fail(f"{announced} {host}: tests reach this machine only (127.0.0.1, ::1, Unix sockets)")
