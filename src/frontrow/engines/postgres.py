"""PostgreSQL as we run it: its settings, the making of its data, and when it counts as ready.

The data are made beside their place and moved there as a whole, so what lies there is complete or another's.
"""

import asyncio
import os
import re
import shutil
import signal
import time
from collections.abc import Coroutine
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import asyncpg

from frontrow.engines.children import Child, Pause, Say, until
from frontrow.engines.faults import Faults
from frontrow.engines.home import Home, writing_to
from frontrow.engines.leftovers import end_leftovers
from frontrow.engines.programs import Programs, postgres_major
from frontrow.engines.server import BARE, Recipe
from frontrow.halt import Halt

PROGRAM: Final = "postgres"
PORT: Final = "5432"  # a part of the socket's name, nothing more
SOCKET: Final = f".s.PGSQL.{PORT}"
OWNER: Final = "frontrow"  # superuser of the server, owner of the database and name of the database
INITDB_SECONDS_MAX: Final = 120.0  # half a second on a laptop; a network disk is patient
INITDB_KILL_SECONDS_MAX: Final = 5.0
ANSWER_SECONDS_MAX: Final = 2.0  # connecting takes milliseconds; one that hangs is asked again

# How the data are made. Text sorts by code point everywhere, and letters are letters in every language.
INITDB: Final = (
    f"--username={OWNER}",
    "--auth=trust",  # who gets into the socket's folder may connect: the engines' account and root
    "--encoding=UTF8",
    "--locale=C.UTF-8",  # search and trigrams ask it what a letter is
    "--locale-provider=builtin",  # sorting and case do not change with the system's library
    "--builtin-locale=C.UTF-8",
    "--lc-messages=C",  # faults are read below
    "--data-checksums",
)

# Handed over at each start, so a new version of Frontrow brings its own. For a laptop with two cores.
SETTINGS: Final = MappingProxyType(
    {
        "listen_addresses": "",  # no TCP: the folder of the socket decides who gets in
        "port": PORT,
        "unix_socket_permissions": "0700",
        "fsync": "on",  # a sold seat is sold after a power cut too: these three are said, so that
        "synchronous_commit": "on",  # no file of settings in the data can
        "full_page_writes": "on",  # switch them off
        "max_connections": "200",  # ten for each of a dozen processes, and somebody with psql
        "shared_buffers": "256MB",  # the claims and indexes of a sold-out stadium, several times
        "max_wal_size": "512MB",  # an on-sale writes 10 MB a second: a checkpoint a minute; replayed in seconds
        "dynamic_shared_memory_type": "mmap",  # in our folder, not in /dev/shm, where kill -9 would leave it
        "max_parallel_workers_per_gather": "0",  # with two cores, a report must not take the one that sells
        "jit": "off",  # our statements take a millisecond; compiling one takes a hundred
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_checkpoints": "off",  # the log is for what went wrong
    }
)

BROKEN: Final = "its data are broken: put back a backup, or move that folder away to begin with fresh data"
FAULTS: Final = Faults(
    # "The database system is starting up" is said to us, who ask whether it has.
    lines=re.compile(r"(?:FATAL:|PANIC:|initdb: error:|^postgres:) +(?! |the database system is )(.*)", re.MULTILINE),
    remedies=MappingProxyType(
        {
            "cannot run|could not access file|/share/": "set Frontrow up again: make clean up",
            "No space left|Disk quota": "make room on the disk",
            "Read-only file system": "choose another folder: FRONTROW_DATA_DIR=…",
            "wrong ownership": "give all of that folder to the account that owns the folder above it",
            "invalid permissions": "take the permissions of others away: chmod 0700",
            "Permission denied": "let the engines' account in, or choose another folder: FRONTROW_DATA_DIR=…",
            "pre-existing shared memory": "another PostgreSQL uses these data, perhaps in a container: stop that one",
            "shared memory|semaphores|Cannot allocate": "end other programs, or raise the memory limit of this one",
            "unrecognized configuration parameter|invalid value for parameter": BROKEN,
            "configuration file": "undo what was changed in that file",
            "could not find the database system|incompatible with server": BROKEN,  # the version was looked at before
            "checkpoint record|checksum|control|pg_|global/|base/|PG_VERSION|not a valid": BROKEN,
        }
    ),
)


def url(sockets: Path) -> str:
    """Where it answers. The path needs no quoting: home.py sees to that.

    What a URL leaves out, PG* variables fill in. Those mean another server, so what matters is said.
    """
    return f"postgresql://{OWNER}@/{OWNER}?host={sockets}&port={PORT}&sslmode=disable&target_session_attrs=any"


def recipe(home: Home, programs: Programs) -> Recipe:
    """One PostgreSQL in this home."""
    data = home.folder / "postgres" / "data"
    settings = SETTINGS | {"unix_socket_directories": str(home.sockets)}

    def prepare(say: Say, pause: Pause) -> None:
        with writing_to(data):
            if data.exists():
                _refuse_other_version(data)
            else:
                _make_data(data, home, programs, say=say, pause=pause)
            _forget_ended(data, home.sockets)

    return Recipe(
        name=f"PostgreSQL {postgres_major()}",
        program=PROGRAM,
        folder=data,
        command=[programs.postgres, "-D", data, *(f"--{name}={value}" for name, value in settings.items())],
        url=url(home.sockets),
        answers=lambda: _run(_answers(home.sockets)),
        prepare=prepare,
        politely=signal.SIGINT,  # a fast shutdown: connections are ended, a checkpoint is written
        polite_seconds=20.0,  # that checkpoint, on a slow disk
        sharply=signal.SIGQUIT,  # no checkpoint: the next start replays the WAL
        sharp_seconds=10.0,
        faults=FAULTS,
    )


def _make_data(data: Path, home: Home, programs: Programs, *, say: Say, pause: Pause) -> None:
    """New data in their place, on the disk and whole, or nothing there."""
    half = data.with_name("half")
    _remove_half(half, home, say=say, pause=pause)
    # It is told to die at once: on a polite signal it tidies up, and the next start may be at work there by then.
    making = Child(
        [*BARE, programs.initdb, "-D", half, *INITDB],
        stop_by=signal.SIGKILL,
        account=home.account,
        log=home.logs / "initdb.log",
    )
    say("making its data … ")
    try:
        making.start()
        _wait_until_made(making, pause)
        half.rename(data)
        _sync(data.parent)
    except BaseException:
        making.stop(seconds=INITDB_KILL_SECONDS_MAX)
        _remove_half(half, home, say=say, pause=time.sleep)
        raise


def _wait_until_made(making: Child, pause: Pause) -> None:
    if not until(lambda: making.ended() is not None, seconds=INITDB_SECONDS_MAX, pause=pause):
        raise Halt(f"PostgreSQL's data are not made within {INITDB_SECONDS_MAX:.0f} s; is the disk that slow?")
    if not making.succeeded():
        told = FAULTS.told(making.written(), otherwise=str(making.ended()))
        raise Halt(f"PostgreSQL's data cannot be made: {told}")


def _remove_half(half: Path, home: Home, *, say: Say, pause: Pause) -> None:
    """Remove data that were never finished, once nothing works on them any more."""
    if half.exists():
        end_leftovers(half, PROGRAM, home.account, sharply=signal.SIGKILL, say=say, pause=pause)
        shutil.rmtree(half)


def _sync(folder: Path) -> None:
    """Have the names in a folder survive a power cut. What initdb wrote, it has synced itself."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _refuse_other_version(data: Path) -> None:
    try:
        made_by = (data / "PG_VERSION").read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        raise Halt(f"{data} has no file PG_VERSION; {BROKEN}") from None
    if made_by != postgres_major():
        raise Halt(
            f"the data in {data} are of PostgreSQL {made_by}, this Frontrow comes with {postgres_major()}; "
            "start the Frontrow that made them, or choose another folder: FRONTROW_DATA_DIR=…"
        )


def _forget_ended(data: Path, sockets: Path) -> None:
    """Remove what says that a server runs: none does, and the process ids in it may be somebody else's by now."""
    socket = sockets / SOCKET
    for stale in (data / "postmaster.pid", socket, socket.with_name(f"{SOCKET}.lock")):
        stale.unlink(missing_ok=True)


async def _answers(sockets: Path) -> bool:
    """Whether it takes connections. On the first start this makes our database: one statement, so whole or not."""
    try:
        connection = await asyncpg.connect(url(sockets), database="postgres", timeout=ANSWER_SECONDS_MAX)
        try:
            if not await connection.fetchval("SELECT count(*) FROM pg_database WHERE datname = $1", OWNER):
                await connection.execute(f"CREATE DATABASE {OWNER}")
        finally:
            await connection.close()
    except (OSError, TimeoutError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError):
        return False  # not yet
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:  # the latter: by a PG* variable
        told = FAULTS.told(f"FATAL: {error}", otherwise=str(error))
        raise Halt(f"PostgreSQL runs, but does not serve us: {told}") from error
    return True


def _run(question: Coroutine[Any, Any, bool]) -> bool:
    """Ask in a loop of our own, which leaves alone the one that our caller may have set."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(question)
