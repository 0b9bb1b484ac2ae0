"""The live map by itself, for those who keep watching fans away from the process that sells.

A proxy in front sends the addresses of processes/live_map.py here. It reads PostgreSQL and writes nothing. While
PostgreSQL is away it goes on showing what it knows, and says how old that is.
"""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from frontrow.adapters.postgres import pool
from frontrow.flows.at_hand import EventsAtHand
from frontrow.processes.live_map import live_map
from frontrow.processes.serving import Streaming, limits
from frontrow.processes.whereabouts import database_of
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.health import Readiness
from frontrow.web.metrics import Metrics


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Streaming]:
    async with AsyncExitStack() as ending:
        database = await pool.connect(database_of(settings), connections_max=settings.database_connections_max)
        ending.push_async_callback(database.close)
        metrics = Metrics()
        events = EventsAtHand(database.catalogue, database.journal)
        shown = await ending.enter_async_context(live_map(events, database.catalogue, settings, metrics))
        app = front.build(
            api=None,
            pages=None,
            hot=shown.hot,
            readiness=Readiness(needed=(), useful=[database.part]),
            metrics=metrics,
            limits=limits(settings),
        )
        yield Streaming(app, shown.end_streams)
