"""What shows seats to everybody, for each process that does: maps, snapshots, counts, and streams of what changes."""

import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.feed import Feed
from frontrow.flows.map_levels import MapLevels
from frontrow.flows.ports import Catalogue
from frontrow.processes.alongside import alongside
from frontrow.settings import Settings
from frontrow.web.hot import Hot
from frontrow.web.map_numbers import MapNumbers
from frontrow.web.metrics import Metrics
from frontrow.web.seat_maps import SeatMaps
from frontrow.web.seats import Seats
from frontrow.web.updates import Updates

STREAMS_SHARE_MAX: Final = 0.8  # of the connections of a process: who is refused a stream must get in to hear it


@dataclass(frozen=True, slots=True)
class LiveMap:
    """Its paths, and how to end its streams."""

    hot: Sequence[Hot]
    end_streams: Callable[[], None]


@asynccontextmanager
async def live_map(
    events: EventsAtHand, catalogue: Catalogue, settings: Settings, metrics: Metrics
) -> AsyncGenerator[LiveMap]:
    """The live map of these events, which are followed as long as the block lasts."""
    numbers = MapNumbers(metrics)
    feed = Feed(events, streams_max=min(settings.streams_max, int(settings.connections_max * STREAMS_SHARE_MAX)))
    levels = MapLevels(
        polls_max=settings.polls_per_second_max, streams_are_full=lambda: feed.is_full, told=numbers.is_at
    )
    seats, maps = Seats(events, levels), SeatMaps(catalogue.seat_map)
    updates = Updates(events, feed, levels, numbers, chance=random.random)
    async with alongside(events.follow(), feed.run(), levels.run()):
        yield LiveMap(
            [
                Hot("GET", "/api/v1/seat-maps/{file}", maps.answer),
                Hot("GET", "/api/v1/events/{event}/availability", seats.availability),
                Hot("GET", "/api/v1/events/{event}/seats", seats.of_section),
                Hot("GET", "/api/v1/events/{event}/seats.bin", seats.snapshot),
                Hot("GET", "/api/v1/events/{event}/updates", updates.stream),
            ],
            feed.close,
        )
