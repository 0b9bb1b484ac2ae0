"""What a process knows of lines: their terms, how far each has come, and who has been let in and left again.

It is heard from Valkey a few times a second and kept: when Valkey or PostgreSQL is away, lines stand still and answer.
Who waits is told on from here, as counts. Whom this process let in it remembers, so that nothing is forgotten when
Valkey is emptied.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import FanId
from frontrow.core.line.crowd import Bins
from frontrow.core.line.policies import bins_of
from frontrow.core.line.terms import LineTerms
from frontrow.core.line.usher import Told, packed
from frontrow.core.line.visits import Known
from frontrow.flows.ports import LineNews

LOOK_SECONDS: Final = 0.25  # what is known is at most this old, and the time a look takes
ENDED_SECONDS: Final = 2.0  # so far back is looked each time: clocks of processes differ a little
SAY_EVERY_LOOKS: Final = 2
TOLD_FRESH_SECONDS: Final = 10.0  # with no usher for so long a line stands still
DAY_SECONDS: Final = 86_400

_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class Line:
    """One line as this process knows it."""

    terms: LineTerms
    told: Told
    open_as: bytes | None = None  # which opening of the door this is; another one: all was lost in between
    bins: Bins = field(init=False)
    beats: dict[int, float] = field(default_factory=dict[int, float])
    let_in: dict[FanId, Known] = field(default_factory=dict[FanId, Known])
    ended: dict[int, float] = field(default_factory=dict[int, float])  # sessions, and until when they would have been

    def __post_init__(self) -> None:
        self.bins = bins_of(self.terms.rules)

    def wait(self, key: float, beat: float) -> None:
        """Somebody waits with this key."""
        number = self.bins.number(key)
        self.beats[number] = self.beats.get(number, 0.0) + beat

    def hear_terms(self, terms: LineTerms) -> None:
        if terms.rules != self.terms.rules:
            self.bins = bins_of(terms.rules)
        self.terms = terms

    def hear_told(self, told: Told) -> None:
        """The frontier never goes back, whoever says so."""
        if told.at >= self.told.at and told.frontier >= self.told.frontier:
            self.told = told

    def forget(self, now: float) -> None:
        self.let_in = {fan: known for fan, known in self.let_in.items() if known.ends_at > now}
        self.ended = {number: until for number, until in self.ended.items() if until > now}


class Lines:
    """All lines that are not long over."""

    def __init__(self, news: LineNews, *, now: Callable[[], float]) -> None:
        self._news = news
        self._now = now
        self._lines: dict[EventId, Line] = {}
        self._looks = 0
        self.is_well = False  # where seats are sold
        self.is_heard = False  # the last look went well

    def get(self, event_id: EventId) -> Line | None:
        return self._lines.get(event_id)

    def all(self) -> Mapping[EventId, Line]:
        return self._lines

    def is_over(self, event_id: EventId, number: int) -> bool:
        """Whether a session has ended before its time."""
        line = self._lines.get(event_id)
        return line is not None and number in line.ended

    def hear(self, terms: Sequence[LineTerms]) -> None:
        """What lines go by."""
        for each in terms:
            line = self._lines.get(each.event_id)
            if line is None:
                self._lines[each.event_id] = Line(each, Told(at=0.0, frontier=each.frontier))
            else:
                line.hear_terms(each)

    async def follow(self) -> None:
        """Listen for ever."""
        while True:
            try:
                await self.look()
            except UnavailableError as error:
                self.is_heard = False
                _log.warning("lines.unheard", why=str(error))
            except Exception:  # noqa: BLE001 -- whatever broke once must not leave lines as they were, for ever
                _log.exception("lines.unheard")
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        terms, told, self.is_well = await self._news.published()
        self.hear(terms)
        for event_id, each in told:
            if line := self._lines.get(event_id):
                line.hear_told(each)
        await self._hear_inside()
        self._looks += 1
        if self._looks % SAY_EVERY_LOOKS == 0:
            await self._say()
        self.is_heard = True

    async def _hear_inside(self) -> None:
        now = self._now()
        following = {
            event_id: now - ENDED_SECONDS for event_id, line in self._lines.items() if line.terms.opens_at < now
        }
        for event_id, (open_as, numbers) in (await self._news.inside_news(following)).items() if following else ():
            line = self._lines[event_id]
            for number in numbers:
                line.ended.setdefault(number, now + line.terms.visit_seconds)
            if open_as != line.open_as:
                line.open_as = open_as
                line.forget(now)
                await self._restore(line, now)

    async def _restore(self, line: Line, now: float) -> None:
        """Put back the sessions that this process remembers: what was there is lost, or was never there."""
        there = {fan_id: known for fan_id, known in line.let_in.items() if known.number not in line.ended}
        if there:
            put = await self._news.restore(line.terms.event_id, there, today=int(now) // DAY_SECONDS)
            _log.info("sessions.restored", event_id=line.terms.event_id, sessions=put)

    async def _say(self) -> None:
        said = {event_id: line.beats for event_id, line in self._lines.items() if line.beats}
        for event_id in said:
            self._lines[event_id].beats = {}
        await self._news.say({event_id: packed(beats) for event_id, beats in said.items()})
