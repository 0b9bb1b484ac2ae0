"""The waiting room's door by itself. It stands when PostgreSQL falls, so it never imports it.

It knows the events that have a waiting room, and no others: a proxy in front sends it theirs.
"""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from starlette.types import ASGIApp

from frontrow.adapters.valkey import connection as valkey
from frontrow.processes.admitting import admission
from frontrow.processes.guarding import guard
from frontrow.processes.serving import limits
from frontrow.processes.waiting_room import lines_of, waiting_room
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.health import Readiness
from frontrow.web.metrics import Metrics


@asynccontextmanager
async def opened(settings: Settings, valkey_url: str) -> AsyncGenerator[ASGIApp]:
    async with AsyncExitStack() as ending:
        memory = valkey.connect(valkey_url)
        ending.push_async_callback(memory.close)
        lines = lines_of(memory)
        known = await ending.enter_async_context(admission(settings, is_over=lines.is_over))
        metrics = Metrics()
        watch = guard(memory, metrics, settings)
        room = await ending.enter_async_context(waiting_room(memory, lines, known, settings, guard=watch))
        yield front.build(
            api=None,
            pages=None,
            hot=room.hot,
            readiness=Readiness(needed=[memory.part]),
            metrics=metrics,
            limits=limits(settings),
        )
