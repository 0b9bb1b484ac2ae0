"""The waiting room's door. It stands when PostgreSQL falls, so it never imports it.

For now it says how it is, and has no line to let anybody into.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.types import ASGIApp

from frontrow.adapters.valkey import connection as valkey
from frontrow.processes.serving import limits
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.health import Readiness
from frontrow.web.metrics import Metrics


@asynccontextmanager
async def opened(settings: Settings, valkey_url: str) -> AsyncGenerator[ASGIApp]:
    memory = valkey.connect(valkey_url)
    try:
        yield front.build(
            api=None,
            pages=None,
            hot=(),
            readiness=Readiness(needed=[memory.part]),
            metrics=Metrics(),
            limits=limits(settings),
        )
    finally:
        await memory.close()
