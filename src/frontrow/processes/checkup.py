"""What `frontrow doctor` looks at: engines, disk, clock, port, limits of this machine. Each finding says what helps."""

import resource
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from redis.exceptions import RedisError

from frontrow.adapters.postgres.connection import Connection, connected
from frontrow.adapters.postgres.doctor import clock
from frontrow.adapters.postgres.migrations import misunderstanding, schema_state
from frontrow.adapters.valkey import connection as valkey
from frontrow.engines.home import DISK_FREE_BYTES_MIN
from frontrow.engines.pair import running_urls
from frontrow.engines.programs import postgres_major, valkey_major
from frontrow.halt import Halt
from frontrow.processes.admitting import identity_service
from frontrow.processes.clock import now
from frontrow.processes.listening import ensure_port_free
from frontrow.processes.mailing import mails_are_shown, smtp_mailer
from frontrow.processes.serving import FILES_MORE
from frontrow.processes.whereabouts import servers_of
from frontrow.settings import Settings, masked, unknown

REDIS_MAJOR_MIN: Final = 7
SKEW_MAX: Final = timedelta(seconds=2)  # countdowns that are two seconds wrong make people reload

Verdict = Literal["ok", "mend", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `mend`: something does not work until it is mended; `note`: good to know."""

    verdict: Verdict
    about: str
    told: str


async def check_up(settings: Settings) -> Sequence[Finding]:
    return [
        *(Finding("mend", "settings", line) for line in unknown()),
        *await _postgres(settings),
        await _valkey(settings),
        await _mails(settings),
        *await _identity_service(settings),
        _disk(settings),
        _port(settings),
        _files(settings),
    ]


async def _postgres(settings: Settings) -> Sequence[Finding]:
    url = servers_of(settings).database_url
    if url is None:
        return [
            Finding("ok", "postgres", f"embedded PostgreSQL {postgres_major()}, not running; `frontrow up` starts it")
        ]
    try:
        async with connected(url, purpose="doctor") as connection:
            return [await _schema(connection), await _clock(connection)]
    except Halt as halt:
        return [Finding("mend", "postgres", str(halt))]


async def _schema(connection: Connection) -> Finding:
    state = await schema_state(connection)
    if trouble := misunderstanding(state):
        return Finding("mend", "postgres", f"PostgreSQL {state.server}; {trouble}")
    return Finding("ok", "postgres", f"PostgreSQL {state.server}, schema {state.newest:04}")


async def _clock(connection: Connection) -> Finding:
    """Our clock is read before and after, so that a slow answer is not taken for a wrong clock."""
    before = now()
    theirs = await clock(connection)
    skew = _outside(theirs, before, now())
    if skew > SKEW_MAX:
        seconds = f"{skew.total_seconds():.1f} s"
        return Finding("mend", "clock", f"ours and PostgreSQL's differ by {seconds}; let NTP set both machines' clocks")
    return Finding("ok", "clock", "agrees with PostgreSQL's")


def _outside(moment: datetime, first: datetime, last: datetime) -> timedelta:
    return max(first - moment, moment - last, timedelta(0))


async def _valkey(settings: Settings) -> Finding:
    url = servers_of(settings).valkey_url
    if url is None:
        return Finding("ok", "valkey", f"embedded {valkey_major()}, not running; `frontrow up` starts it")
    try:
        memory = valkey.connect(url)
    except Halt as halt:
        return Finding("mend", "valkey", str(halt))
    try:
        version = await memory.part.version()
    except (OSError, RedisError) as error:
        return Finding("mend", "valkey", f"{error}; is it running, and is FRONTROW_VALKEY_URL right?")
    finally:
        await memory.close()
    if int(version.split()[1].split(".")[0]) < REDIS_MAJOR_MIN:
        return Finding("mend", "valkey", f"{version}; Redis {REDIS_MAJOR_MIN} or newer, or Valkey, is needed")
    return Finding("ok", "valkey", version)


async def _mails(settings: Settings) -> Finding:
    if settings.smtp_url is None:
        if mails_are_shown(settings):
            return Finding("note", "mails", "none is sent; this machine sees them at /mails")
        return Finding("mend", "mails", "none is sent, so nobody can sign in; name a mail server: FRONTROW_SMTP_URL=…")
    if trouble := await smtp_mailer(settings).trouble():
        return Finding("mend", "mails", f"{masked(settings.smtp_url)}: {trouble}; correct FRONTROW_SMTP_URL")
    return Finding("ok", "mails", f"handed in at {masked(settings.smtp_url)}")


async def _identity_service(settings: Settings) -> Sequence[Finding]:
    service = identity_service(settings)
    if service is None:
        return []
    if await service.look():
        return [Finding("ok", "identity service", f"its keys are at {settings.identity_jwks_url}")]
    return [Finding("mend", "identity service", f"no keys at {settings.identity_jwks_url}; the line above says why")]


def _disk(settings: Settings) -> Finding:
    folder = next(folder for folder in (settings.data_dir, *settings.data_dir.parents) if folder.is_dir())
    free = shutil.disk_usage(folder).free
    told = f"{free // 1_000_000} MB free in {folder}"
    if free < DISK_FREE_BYTES_MIN:
        needed = DISK_FREE_BYTES_MIN // 1_000_000
        return Finding("mend", "disk", f"{told}, {needed} MB needed: make room, or choose another: FRONTROW_DATA_DIR=…")
    return Finding("ok", "disk", told)


def _port(settings: Settings) -> Finding:
    try:
        ensure_port_free(settings)
    except Halt as halt:
        if running_urls(settings.data_dir) is not None:
            return Finding("note", "port", f"{settings.port} is taken, and a Frontrow runs from {settings.data_dir}")
        return Finding("mend", "port", str(halt))
    return Finding("ok", "port", f"{settings.port} is free on {settings.host}")


def _files(settings: Settings) -> Finding:
    """The hard limit counts: a service raises its own up to that."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    needed = settings.connections_max + FILES_MORE
    if most >= needed:
        return Finding("ok", "files", f"{most} open files allowed, {needed} needed")
    told = f"{most} open files allowed, {needed} needed for FRONTROW_CONNECTIONS_MAX={settings.connections_max}"
    return Finding("note", "files", f"{told}; more are had with ulimit -Hn {needed}, before Frontrow starts")
