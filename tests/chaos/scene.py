"""An event on sale, an api that gets to its database by a way of ours, and the fans who ask it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import asyncpg
from tests.chaos.fans import Diary, Fan, Yes, ask_all, check, client_of, find_out
from tests.chaos.on_sale import open_sale
from tests.chaos.services import Service, api
from tests.chaos.way import Way, way_to

from frontrow.core.catalogue import EventId

SEATS: Final = 100
HOLD: Final = "ledger.hold_seats"  # a statement

EARLY: Final = [Fan(number, (2 * number, 2 * number + 1)) for number in range(10)]  # hold seats before it happens
LATE: Final = [
    *(Fan(number, (2 * number, 2 * number + 1)) for number in range(10, 20)),
    *(Fan(number, (2 * number - 20, 90)) for number in range(20, 30)),  # each wants a seat of the row above, and one
    *(Fan(number, (number - 30,)) for number in range(30, 40)),  # these are held
]


@dataclass(frozen=True)
class Scene:
    """An event on sale, an api that gets to its database by a way of ours, and what fans were told."""

    database_url: str
    event_id: EventId
    watcher: asyncpg.Connection
    way: Way
    api: Service
    diary: Diary = field(default_factory=Diary)

    async def ask(self, fans: Sequence[Fan]) -> None:
        async with client_of(self.api) as client:
            await ask_all(client, self.event_id, fans, self.diary)

    async def kill(self) -> None:
        """The api and its connections, at once."""
        self.api.kill()
        await self.way.cut()

    async def stored(self) -> int:
        """How many of the late fans have a hold."""
        ids = [fan.hold_id for fan in LATE]
        return await self.watcher.fetchval("SELECT count(*) FROM hold WHERE hold_id = ANY ($1)", ids)

    async def find_out(self) -> None:
        """From the next api."""
        async with api(self.database_url) as second:
            await self._find_out_from(await second.ready())

    async def find_out_here(self) -> None:
        """From the same one."""
        await self._find_out_from(self.api)

    async def _find_out_from(self, service: Service) -> None:
        async with client_of(service) as client:
            await find_out(client, self.event_id, self.diary)
        await check(self.watcher, self.diary)


@asynccontextmanager
async def scene_in(database_url: str) -> AsyncGenerator[Scene]:
    """The early fans hold their seats."""
    event_id = await open_sale(database_url, seats=SEATS)
    watcher = await asyncpg.connect(database_url)
    async with way_to(database_url) as way, api(way.url) as first:
        await first.ready()
        scene = Scene(database_url, event_id, watcher, way, first)
        await scene.ask(EARLY)
        assert len(scene.diary.those_told(Yes)) == len(EARLY)
        yield scene
    await watcher.close()


@asynccontextmanager
async def asking(scene: Scene) -> AsyncGenerator[None]:
    """Late fans have asked, and wait for what they are told."""
    asked = asyncio.create_task(scene.ask(LATE))
    try:
        yield
    finally:
        await asked
