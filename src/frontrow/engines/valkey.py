"""Valkey as we run it: in memory alone, on a Unix socket alone. Whatever is in it may be lost at any moment."""

import re
import signal
from pathlib import Path
from types import MappingProxyType
from typing import Final

import redis

from frontrow.engines.children import Pause, Say
from frontrow.engines.faults import Faults
from frontrow.engines.home import Home, writing_to
from frontrow.engines.programs import Programs, valkey_major
from frontrow.engines.server import Recipe

PROGRAM: Final = "valkey-server"
SOCKET: Final = "valkey.sock"
ANSWER_SECONDS_MAX: Final = 1.0  # a PING takes microseconds; one that waits longer is asked again

SETTINGS: Final = MappingProxyType(
    {
        "port": "0",  # no TCP: the folder of the socket decides who gets in
        "unixsocketperm": "700",
        "save": "",  # nothing in it has to survive, so nothing is written to the disk …
        "appendonly": "no",  # … and a full disk does not stop it
        "maxmemory": "256mb",  # of a laptop; what ten million waiting fans need is a few MB
        "maxmemory-policy": "volatile-ttl",  # full: what ends soonest goes first, counts without an end stay
        "maxclients": "2000",  # 64 workers with 30 connections each
        "always-show-logo": "no",
    }
)

FAULTS: Final = Faults(
    lines=re.compile(r"^(?:FATAL:  |\d+:\w .{20,30} # |\*\*\* )(.*)$", re.MULTILINE),
    remedies=MappingProxyType(
        {
            "cannot run": "set Frontrow up again: make clean up",
            "No space left": "make room on the disk",
            "Read-only file system": "choose another folder: FRONTROW_DATA_DIR=…",
            "Permission denied": "let the engines' account in, or choose another folder: FRONTROW_DATA_DIR=…",
            "FATAL CONFIG FILE ERROR": "it does not know a setting of ours; set Frontrow up again: make clean up",
        }
    ),
)


def url(sockets: Path) -> str:
    """Where it answers. The path needs no quoting: home.py sees to that."""
    return f"unix://{sockets / SOCKET}"


def recipe(home: Home, programs: Programs) -> Recipe:
    """One Valkey in this home."""
    folder = home.folder / "valkey"
    socket = home.sockets / SOCKET
    places = {"dir": str(folder), "unixsocket": str(socket)}
    settings = [word for name, value in (SETTINGS | places).items() for word in (f"--{name}", value)]

    def prepare(_say: Say, _pause: Pause) -> None:
        with writing_to(home.sockets):
            socket.unlink(missing_ok=True)

    return Recipe(
        name=f"Valkey {valkey_major()}",
        program=PROGRAM,
        folder=folder,
        command=[programs.valkey, *settings],
        url=url(home.sockets),
        answers=lambda: _answers(socket),
        prepare=prepare,
        politely=signal.SIGTERM,
        polite_seconds=5.0,  # it has nothing to write
        sharply=signal.SIGKILL,
        sharp_seconds=5.0,
        faults=FAULTS,
    )


def _answers(socket: Path) -> bool:
    try:
        with redis.Redis(unix_socket_path=str(socket), socket_timeout=ANSWER_SECONDS_MAX) as client:
            return bool(client.ping())  # pyright: ignore[reportUnknownMemberType] -- **kwargs without a type
    except redis.RedisError:
        return False
