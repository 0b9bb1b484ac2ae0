"""Waiting rooms, wired, for each process that lets fans in. It needs Valkey, and never PostgreSQL."""

import random
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.types import Scope, Send

from frontrow.adapters.valkey.connection import Valkey
from frontrow.adapters.valkey.lines import ValkeyLines
from frontrow.core.catalogue import EventId
from frontrow.core.line import TicketKeys
from frontrow.flows.enter_line import EnterLine
from frontrow.flows.follow_lines import Line, Lines
from frontrow.flows.ports import Guard
from frontrow.flows.usher_lines import UsherLines
from frontrow.processes.alongside import alongside
from frontrow.processes.clock import now
from frontrow.processes.serving import clients
from frontrow.processes.signing_keys import signing_secrets
from frontrow.settings import Settings
from frontrow.web.admission import Admission
from frontrow.web.hot import Hot
from frontrow.web.line import LineCalls

NUMBER_BITS: Final = 63  # of a session: no two are alike


@dataclass(frozen=True, slots=True)
class WaitingRoom:
    """Its calls, and their paths."""

    calls: LineCalls
    hot: Sequence[Hot]


def lines_of(memory: Valkey) -> Lines:
    """What this process knows of lines; nothing yet."""
    return Lines(ValkeyLines(memory.client), now=seconds)


@asynccontextmanager
async def waiting_room(
    memory: Valkey,
    lines: Lines,
    admission: Admission,
    settings: Settings,
    *,
    guard: Guard | None = None,
    find: Callable[[EventId], Awaitable[Line | None]] | None = None,
    without_line: Callable[[Scope, EventId, Send], Awaitable[None]] | None = None,
) -> AsyncGenerator[WaitingRoom]:
    """Lines are followed, and ushered if nobody else does it, as long as the block lasts.

    `guard`: who looks at everybody who joins; everybody may without one. `find`: who knows of lines that were not
    heard of. `without_line`: who answers for other events.
    """
    valkey = ValkeyLines(memory.client)
    tickets = TicketKeys(signing_secrets(settings))
    enter_line = EnterLine(
        valkey,
        tickets,
        guard=guard,
        now=seconds,
        chance=random.random,
        new_number=lambda: secrets.randbits(NUMBER_BITS),
    )
    calls = LineCalls(
        lines,
        enter_line,
        valkey,
        admission,
        clients(settings),
        clock=now,
        behind_tls=settings.behind_tls,
        find=find,
        without_line=without_line,
    )
    usher = UsherLines(valkey, lines, who=secrets.token_hex(8), now=seconds, chance=random.random)
    async with alongside(lines.follow(), usher.run()):
        yield WaitingRoom(
            calls,
            [
                Hot("GET", "/api/v1/events/{event}/line", calls.look),
                Hot("POST", "/api/v1/events/{event}/enter", calls.enter),
                Hot("GET", "/api/v1/events/{event}/session", calls.session),
                Hot("DELETE", "/api/v1/events/{event}/session", calls.leave),
            ],
        )


def seconds() -> float:
    """The clock of lines, in seconds since 1970."""
    return now().timestamp()
