"""The feed: what changes at an event, told to everybody who watches it.

Channels (channel.py) say what there is to tell; here it is told in time, to all of them. Who does not take what is
there is let go, and begins anew with a snapshot; nobody waits for him.

When PostgreSQL is away nobody is sent home: the frames stop, and what is told is how old everything has become.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import UnavailableError
from frontrow.flows.at_hand import EVENTS_MAX, SEATS_MAX, EventAtHand, EventsAtHand
from frontrow.flows.channel import RING_SECONDS, Channel, Ending, Watcher

FRAME_SECONDS_MIN: Final = 0.25  # four frames a second look like a film; more would only cost
WRITES_PER_SECOND_MAX: Final = 20_000  # a third of a core; with more watchers each gets fewer frames, and all changes
SHARE_MAX: Final = 0.5  # of the events at hand: what is watched stays there, and others need room too
WOKEN_AT_ONCE: Final = 100  # then others get their turn, holds among them: 2 ms

_log = structlog.stdlib.get_logger(__name__)


class Feed:
    """All that is watched in this process."""

    def __init__(self, events: EventsAtHand, *, streams_max: int) -> None:
        self._events = events
        self._streams_max = streams_max
        self._channels = dict[EventId, Channel]()
        self.streams = 0
        self._is_closed = False

    @property
    def is_full(self) -> bool:
        return self.streams >= self._streams_max

    def watch(self, at_hand: EventAtHand, update_no: int | None) -> Watcher | None:
        """Watch an event from this update on; without one, from now. None: there is no room. Use it with `with`."""
        if self.is_full or self._is_closed:
            return None
        now = asyncio.get_running_loop().time()
        event_id = at_hand.event.event_id
        channel = self._channels.get(event_id)
        if channel is None:
            if not self._has_room_for(at_hand):
                return None
            channel = self._channels[event_id] = Channel(at_hand, now)
        watcher = Watcher(channel, update_no, now, self._leave)
        channel.watchers.add(watcher)
        self.streams += 1
        return watcher

    async def run(self) -> None:
        """Tell what has changed, for ever, whether or not the journal can be read."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(FRAME_SECONDS_MIN):  # wait_for may lose a cancellation
                    await self._events.looked.wait()
            self._events.looked.clear()
            for channel in list(self._channels.values()):
                try:
                    await self._tell(channel)
                except Exception:  # noqa: BLE001 -- what broke for one event must not leave all others without news
                    _log.exception("feed.untold", event_id=channel.event_id)

    def close(self) -> None:
        """Let everybody go: they find another process, or this one when it is back."""
        self._is_closed = True
        for channel in self._channels.values():
            for watcher in channel.watchers:
                watcher.end(Ending.STOPPED)

    def _has_room_for(self, at_hand: EventAtHand) -> bool:
        seats = sum(channel.at_hand.seat_map.seats for channel in self._channels.values()) + at_hand.seat_map.seats
        return len(self._channels) < EVENTS_MAX * SHARE_MAX and seats <= SEATS_MAX * SHARE_MAX

    def _leave(self, watcher: Watcher) -> None:
        """Its place is free. The channel stays as long as its ring: whoever lost the way comes back to it."""
        watcher.channel.watchers.remove(watcher)
        watcher.channel.left_at = asyncio.get_running_loop().time()
        self.streams -= 1

    async def _tell(self, channel: Channel) -> None:
        now = asyncio.get_running_loop().time()
        if not channel.watchers and now - channel.left_at > RING_SECONDS:
            del self._channels[channel.event_id]
            return
        at_hand = self._events.known(channel.event_id) or self._last_known(channel)
        frame_seconds = max(FRAME_SECONDS_MIN, self.streams / WRITES_PER_SECOND_MAX)
        if not channel.hear(at_hand, now, frame_seconds):
            return
        for number, watcher in enumerate(tuple(channel.watchers), start=1):
            if not watcher.wake(now):
                watcher.end(Ending.SLOW)
            if not number % WOKEN_AT_ONCE:
                await asyncio.sleep(0)

    def _last_known(self, channel: Channel) -> EventAtHand:
        """An event that is not at hand any more, as it was; meanwhile it is looked for."""
        if channel.finding is None or channel.finding.done():
            channel.finding = asyncio.create_task(self._find(channel))
        return channel.at_hand

    async def _find(self, channel: Channel) -> None:
        with suppress(UnavailableError):  # tried again; whoever watches is told how old it is
            if await self._events.get(channel.event_id) is None:  # the public knows of no such event any more
                for watcher in channel.watchers:
                    watcher.end(Ending.WITHDRAWN)
