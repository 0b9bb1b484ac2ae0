"""One event that is watched: the snapshot as it was told last, and the frames of the last minute.

A frame is what differs between two snapshots, so it is right whatever came in between, and is encoded once: all
watchers take the same bytes, each from its own place. Nothing is kept for one of them alone.

Times are of the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Final, Self

from frontrow.core.catalogue import EventId
from frontrow.core.seat_codec import age, changes, delta, frame, resync
from frontrow.flows.at_hand import EventAtHand

RING_SECONDS: Final = 60.0  # a tunnel, a lift, a change of networks
RING_BYTES_MAX: Final = 1_048_576  # of one event: five thousand changes a second, all that time
BEAT_SECONDS: Final = 15.0  # proxies cut what is silent for a minute, phones' networks sooner
BEHIND_SECONDS_MAX: Final = 2.0  # older than this was never promised: whoever watches is told
BEHIND_BEAT_SECONDS: Final = 5.0  # and how much by now
TAKE_SECONDS_MAX: Final = 5.0  # what a watcher leaves for so long, it does not want

_UNKNOWN: Final = -1  # older than any update


@dataclass(frozen=True, slots=True)
class _Frame:
    """What changed after one update and up to another."""

    after: int
    update_no: int
    made_at: float
    encoded: bytes


class Channel:
    """One event that is watched."""

    def __init__(self, at_hand: EventAtHand, now: float) -> None:
        self.at_hand = at_hand
        self.watchers: set[Watcher] = set()
        self.left_at = now  # when the last watcher left
        self.finding: asyncio.Task[None] | None = None
        self.beat_no = 0
        self._beat = b""
        self._beat_at = now
        self._is_behind = False
        self._begin_anew()

    @property
    def event_id(self) -> EventId:
        return self.at_hand.event.event_id

    def hear(self, at_hand: EventAtHand, now: float, frame_seconds: float) -> bool:
        """Look what is new with the event. Whether there is something to tell."""
        is_other = at_hand.event.seat_map != self.at_hand.event.seat_map
        self.at_hand = at_hand
        update_no = at_hand.seats.update_no
        if is_other or update_no < self.update_no:  # another hall, or a database that knows less than it knew
            self._begin_anew()
            return True
        is_framed = update_no > self.update_no and now - self._framed_at >= frame_seconds
        if is_framed:
            self._frame(now)
        return self._beats(now) or is_framed

    def said_since(self, watcher: "Watcher") -> bytes:
        """Everything new to this watcher, who has it then."""
        said: list[bytes] = []
        if watcher.update_no < self.update_no:
            frames = [made.encoded for made in self._frames_after(watcher.update_no)]
            said += frames or [self._resync()]
            watcher.update_no = self.update_no
        elif watcher.update_no > self.update_no and self.at_hand.fresh_at > watcher.since:
            said.append(self._resync())  # it named an update that there is not
            watcher.update_no = self.update_no
        if watcher.beat_no != self.beat_no:
            said.append(self._beat)
            watcher.beat_no = self.beat_no
        return b"".join(said)

    def _begin_anew(self) -> None:
        """What was told until now is not what anything can be added to."""
        self._told = self.at_hand.seats.snapshot()
        self.update_no = self.at_hand.seats.update_no
        self._frames: deque[_Frame] = deque()
        self._ring_bytes = 0
        self._framed_at = 0.0
        for watcher in self.watchers:
            watcher.update_no = _UNKNOWN

    def _frame(self, now: float) -> None:
        snapshot, update_no = self.at_hand.seats.snapshot(), self.at_hand.seats.update_no
        encoded = frame(update_no, delta(changes(self._told, snapshot)))
        self._frames.append(_Frame(self.update_no, update_no, now, encoded))
        self._ring_bytes += len(encoded)
        self._told, self.update_no, self._framed_at = snapshot, update_no, now
        while len(self._frames) > 1 and (
            self._ring_bytes > RING_BYTES_MAX or now - self._frames[0].made_at > RING_SECONDS
        ):
            self._ring_bytes -= len(self._frames.popleft().encoded)

    def _frames_after(self, update_no: int) -> Iterator[_Frame]:
        """All frames that lead from there to now; none where the first of them is gone."""
        if self._frames and self._frames[0].after <= update_no:
            yield from (made for made in self._frames if made.update_no > update_no)

    def _resync(self) -> bytes:
        return resync(self.update_no, self.at_hand.event.seat_map)

    def _beats(self, now: float) -> bool:
        """Now and then, all are told how old it is; at once, when that is no longer as promised, or is again."""
        seconds = self.at_hand.age(now)
        is_behind = seconds > BEHIND_SECONDS_MAX
        rest = BEHIND_BEAT_SECONDS if is_behind else BEAT_SECONDS
        if is_behind == self._is_behind and now - self._beat_at < rest:
            return False
        self._is_behind = is_behind
        self._beat, self._beat_at = age(seconds), now
        self.beat_no += 1
        return True


class Ending(StrEnum):
    """Why a watcher is sent away."""

    SLOW = "slow"  # it does not take what it is told
    WITHDRAWN = "withdrawn"  # the public knows of no such event any more
    STOPPED = "stopped"  # this process is


class Watcher:
    """One who watches, and how far it has got. Its place is given back at the end of a `with` block."""

    __slots__ = ("_leave", "_news", "_woken_at", "beat_no", "channel", "over", "since", "update_no")

    def __init__(self, channel: Channel, update_no: int | None, now: float, leave: "Callable[[Watcher], None]") -> None:
        """`update_no`: what it knows already; None: nothing."""
        self.channel = channel
        self.update_no = _UNKNOWN if update_no is None else update_no
        self.beat_no = channel.beat_no
        self.since = now
        self.over: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()  # done: nothing more will come
        self._leave = leave
        self._news = asyncio.Event()
        self._woken_at = now

    async def next(self) -> bytes:
        """What it has not got yet, as soon as there is something."""
        self._news.clear()
        while not (said := self.channel.said_since(self)):
            await self._news.wait()
            self._news.clear()
        return said

    def wake(self, now: float) -> bool:
        """There is something new. False: it has not even taken what was new long ago."""
        if not self._news.is_set():
            self._woken_at = now
            self._news.set()
        return now - self._woken_at <= TAKE_SECONDS_MAX

    def end(self, why: Ending) -> None:
        if not self.over.done():
            self.over.set_result(why)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._leave(self)
