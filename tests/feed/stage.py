"""A live map as a process has it, with all its guards, and an event that somebody else sells seats of."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from starlette.types import ASGIApp
from tests.feed.messages import Message
from tests.feed.streams import Stream, streaming
from tests.ledger.on_sale import fan_no, hold_no, wish
from tests.postgres.watching import until
from tests.web.asking import Answer, Header, ask, service

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event
from frontrow.core.holds import Placed
from frontrow.flows.at_hand import EventsAtHand
from frontrow.processes.live_map import LiveMap, live_map
from frontrow.settings import Settings
from frontrow.web.metrics import Metrics

SNAPSHOT: Final = "frontrow-update-no"


@dataclass(frozen=True)
class LiveStage:
    """The map, and the one who sells."""

    app: ASGIApp
    shown: LiveMap
    event: Event
    database: Database
    metrics: Metrics

    @property
    def path(self) -> str:
        return f"/api/v1/events/{self.event.event_id}"

    def watch(
        self, query: str = "", headers: Iterable[Header] = (), *, reads: bool = True
    ) -> AbstractAsyncContextManager[Stream]:
        return streaming(self.app, f"{self.path}/updates", query=query, headers=headers, reads=reads)

    async def get(self, what: str, *headers: Header, query: str = "") -> Answer:
        return await ask(self.app, f"{self.path}/{what}", query=query, headers=[("host", "tickets.example"), *headers])

    async def heard(self, update_no: int) -> None:
        """Return once the map has this update."""

        async def has_it() -> bool:
            return int((await self.get("seats.bin")).headers[SNAPSHOT]) >= update_no

        await until(has_it)

    async def hold(self, number: int, *seats: int) -> int:
        """A fan of that number holds seats, elsewhere. The number of the update."""
        batch = await self.database.ledger.hold_seats(self.event.event_id, [wish(number, number, *seats)])
        assert isinstance(batch.answers[0], Placed), batch.answers
        return batch.update.update_no

    async def release(self, number: int) -> int:
        asked = [(hold_no(number), fan_no(number))]
        return (await self.database.ledger.release_holds(self.event.event_id, asked)).update.update_no

    def number(self, name: str) -> float:
        """A number of Prometheus."""
        value = self.metrics.registry.get_sample_value(name)
        assert value is not None, name
        return value


@asynccontextmanager
async def opened(database: Database, event: Event, **settings: Any) -> AsyncGenerator[LiveStage]:  # noqa: ANN401 -- of Settings
    metrics = Metrics()
    events = EventsAtHand(database.catalogue, database.journal)
    async with live_map(events, database.catalogue, Settings(**settings), metrics) as shown:
        app = service(hot=shown.hot, metrics=metrics)
        yield LiveStage(app, shown, event, database, metrics)


async def frames_until(stream: Stream, update_no: int) -> list[Message]:
    """All frames up to this update."""
    frames: list[Message] = []
    while not frames or frames[-1].update_no < update_no:
        frames.append(await stream.next())
        assert frames[-1].name == "", frames
    return frames
