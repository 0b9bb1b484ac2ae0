"""Which level of the live map this process is at: a second's load each second, and what follows from it."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from frontrow.core.map_levels import Level, Load, Standing, after, level

SECOND: Final = 1.0

_log = structlog.stdlib.get_logger(__name__)


class MapLevels:
    """Counts what is asked for. The rules are core/map_levels.py."""

    def __init__(
        self, *, polls_max: int, streams_are_full: Callable[[], bool], told: Callable[[Level], None] | None = None
    ) -> None:
        """`polls_max`: snapshots and counts a second. `told`: hears of each change."""
        self._polls_max = polls_max
        self._streams_are_full = streams_are_full
        self._told = told
        self._standing = Standing()
        self._polls = 0
        self._level = Level.PUSH

    @property
    def level(self) -> Level:
        """Full streams count at once, and no longer than they are full."""
        return level(self._standing, streams_are_full=self._streams_are_full())

    def polled(self) -> None:
        """Somebody asked for a snapshot or for counts, whatever the answer."""
        self._polls += 1

    async def run(self) -> None:
        """Look at each second, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(SECOND)
            self.take(loop.time() - began)

    def take(self, seconds: float) -> None:
        """A second is over. It should have been one; what it took more is how late we are."""
        load = Load(polls=round(self._polls / seconds), lag_seconds=seconds - SECOND)
        self._polls = 0
        self._standing = after(self._standing, load, polls_max=self._polls_max)
        if self.level is not self._level:
            self._level = self.level
            lag = round(load.lag_seconds, 3)
            _log.warning("map.level_changed", level=self._level.value, polls=load.polls, lag_s=lag)
            if self._told:
                self._told(self._level)
