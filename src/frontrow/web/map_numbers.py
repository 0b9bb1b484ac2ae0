"""What Prometheus may know of the live map: streams, who was sent away and why, and the level of each process."""

from contextlib import AbstractContextManager
from typing import Final

from prometheus_client import Counter, Gauge

from frontrow.core.map_levels import Level
from frontrow.flows.channel import Ending
from frontrow.web.metrics import Metrics

LEVELS: Final = tuple(Level)  # a level's number is its place


class MapNumbers:
    """Of one process."""

    def __init__(self, metrics: Metrics) -> None:
        registry = metrics.registry
        self._streams = Gauge(
            "frontrow_map_streams", "Live maps that are followed", registry=registry, multiprocess_mode="livesum"
        )
        self._sent_away = Counter(
            "frontrow_map_streams_ended", "Streams that we ended, by reason", ("why",), registry=registry
        )
        self._level = Gauge(
            "frontrow_map_level",
            "What is told of seats: 0 every change, 1 snapshots (streams are full), 2 counts of sections",
            registry=registry,
            multiprocess_mode="livemax",
        )

    def streaming(self) -> AbstractContextManager[object]:
        """One more, for the length of a block."""
        return self._streams.track_inprogress()

    def sent_away(self, why: Ending) -> None:
        self._sent_away.labels(why.value).inc()

    def is_at(self, level: Level) -> None:
        self._level.set(LEVELS.index(level))
