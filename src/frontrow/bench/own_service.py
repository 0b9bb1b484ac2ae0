"""A service of our own to be measured: engines in a folder that is gone afterwards, a schema, one `frontrow api`.

Nothing of it is set up otherwise than `frontrow up` does: every guard is on, and the disk is waited for.
"""

import secrets
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import MappingProxyType
from typing import Final

from frontrow.adapters.postgres.connection import connected
from frontrow.bench.effort import parent_of
from frontrow.bench.http_load import Address
from frontrow.core.sessions import KEY_BYTES_MIN, SessionKeys
from frontrow.engines import pair
from frontrow.engines.children import Child, Pause, Say, until
from frontrow.halt import Halt
from frontrow.processes import preparing
from frontrow.processes.listening import BACKLOG
from frontrow.processes.stopping import run
from frontrow.settings import Settings, handed_down

HOST: Final = "127.0.0.1"
DATA: Final = "data"
READY_SECONDS_MAX: Final = 60.0  # half a second on a laptop; a machine that is busy takes its time
ANSWER_SECONDS_MAX: Final = 3.0  # /readyz answers within 2 s, whatever is away
STOP_SECONDS_MAX: Final = 15.0
LOG_LINES_TOLD: Final = 5


@dataclass(frozen=True, slots=True)
class Engines:
    """Two engines, and the folder they keep their data in."""

    database_url: str
    valkey_url: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Service:
    """What is measured: where it answers, and what opens its doors."""

    address: Address
    keys: SessionKeys  # a fan is admitted by whoever has these
    secret: bytes  # from which they and all others are made
    pid: int


@contextmanager
def own_engines(settings: Settings, *, say: Say, pause: Pause) -> Generator[Engines]:
    """PostgreSQL with our schema and Valkey, new and empty."""
    with (
        _folder() as folder,
        pair.running(
            folder / DATA, engine_user=settings.engine_user, url="a benchmark", say=say, pause=pause
        ) as engines,
    ):
        assert engines.database_url, "it was asked for"
        assert engines.valkey_url, "the same"
        run(preparing.migrate(engines.database_url), pause)
        yield Engines(engines.database_url, engines.valkey_url, folder)


async def database_pid(engines: Engines) -> int:
    """The process that all others of PostgreSQL are children of."""
    async with connected(engines.database_url, purpose="bench") as connection:
        return parent_of(await connection.fetchval("SELECT pg_backend_pid()"))


@contextmanager
def own_service(
    engines: Engines, *, role: str = "api", pause: Pause, more: Mapping[str, str] = MappingProxyType({})
) -> Generator[Service]:
    """One process of this role on these engines, ready, with a key that nobody else has, and with `more` settings."""
    key = secrets.token_urlsafe(KEY_BYTES_MIN)
    with ExitStack() as ending:
        listening = ending.enter_context(socket.create_server((HOST, 0), backlog=BACKLOG))
        port: int = listening.getsockname()[1]
        api = Child(
            [sys.executable, "-P", "-m", "frontrow", role, "--listening", str(listening.fileno())],
            stop_by=signal.SIGTERM,
            environment=handed_down(
                {
                    "database_url": engines.database_url,
                    "valkey_url": engines.valkey_url,
                    "data_dir": str(engines.folder / DATA),
                    "signing_keys": key,
                    "host": HOST,
                    "port": str(port),
                    **more,
                }
            ),
            log=engines.folder / "api.log",
            inherits=[listening.fileno()],
        )
        ending.callback(api.stop, seconds=STOP_SECONDS_MAX)
        api.start()
        listening.close()  # theirs from now on
        _await_ready(api, port, pause)
        yield Service((HOST, port), SessionKeys([key.encode()]), key.encode(), api.pid)
        if ended := api.ended():
            raise Halt(f"the api process ended by itself ({ended}): {_last_lines(api)}")


@contextmanager
def _folder() -> Generator[Path]:
    """A new folder that the engines' account can get into. Where it cannot, they live elsewhere, and that goes too."""
    folder = Path(tempfile.mkdtemp(prefix="frontrow-bench-"))
    folder.chmod(0o711)
    elsewhere = folder / DATA / "engines-elsewhere"
    try:
        yield folder
    finally:
        if elsewhere.exists():
            shutil.rmtree(elsewhere.read_text(encoding="utf-8").strip())
        shutil.rmtree(folder)


def _await_ready(api: Child, port: int, pause: Pause) -> None:
    until(lambda: _is_ready(port) or api.ended() is not None, seconds=READY_SECONDS_MAX, pause=pause)
    if ended := api.ended():
        raise Halt(f"the api process does not start ({ended}): {_last_lines(api)}")
    if not _is_ready(port):
        raise Halt(f"the api process is not ready within {READY_SECONDS_MAX:.0f} s: {_last_lines(api)}")


def _is_ready(port: int) -> bool:
    with closing(HTTPConnection(HOST, port, timeout=ANSWER_SECONDS_MAX)) as connection:
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False


def _last_lines(api: Child) -> str:
    return " / ".join(api.written().splitlines()[-LOG_LINES_TOLD:]) or "it wrote nothing"
