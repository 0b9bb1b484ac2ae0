"""Ushering: once a second somebody looks at every line, and says how far it has come.

Of all processes that could, one does. It holds an office for a few seconds at a time; when it dies, or is frozen,
another takes over and goes on from where the line stands. Until then it stands still, and fans keep their places.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import UnavailableError
from frontrow.core.line.estimates import ASKED_MAX
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.usher import Seen, Told, Usher, unpacked
from frontrow.core.line.visits import InsideNow
from frontrow.flows.follow_lines import Line, Lines
from frontrow.flows.ports import Lobby

LOOK_SECONDS: Final = 1.0
OFFICE_SECONDS: Final = 3.0  # without a word for so long, another takes over
RESTORE_SECONDS: Final = (
    2.0  # that everybody has who remembers sessions, when all was lost, before anybody new comes in
)
CROWD_KEPT_LOOKS: Final = 10

_OPEN: Final = frozenset({LinePhase.GATHERING, LinePhase.ADMITTING, LinePhase.PAUSED, LinePhase.SOLD_OUT})
_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class _Ushered:
    """A line that we look after, and how it was at the last look."""

    usher: Usher
    inside: InsideNow
    shut_since: float | None = None


class UsherLines:
    """The usher of a process, whether or not it is the one who does it now."""

    def __init__(
        self, lobby: Lobby, lines: Lines, *, who: str, now: Callable[[], float], chance: Callable[[], float]
    ) -> None:
        """`who`: a name that no other process has."""
        self._lobby = lobby
        self._lines = lines
        self._who = who
        self._now = now
        self._chance = chance
        self._looks = 0
        self._ushered: dict[EventId, _Ushered] = {}

    @property
    def is_leading(self) -> bool:
        return bool(self._ushered)

    async def run(self) -> None:
        """Look for ever."""
        while True:
            try:
                await self.look()
            except UnavailableError as error:
                _log.warning("lines.unushered", why=str(error))
            except Exception:  # noqa: BLE001 -- whatever broke once must not stop all lines, for ever
                _log.exception("lines.unushered")
                self._ushered.clear()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """One look at every line, if the office is ours."""
        if not await self._lobby.lead(self._who, seconds=OFFICE_SECONDS):
            self._ushered.clear()
            return
        now = self._now()
        open_lines = {id_: line for id_, line in self._lines.all().items() if line.terms.phase(now) in _OPEN}
        self._ushered = {id_: ushered for id_, ushered in self._ushered.items() if id_ in open_lines}
        told: dict[EventId, tuple[Told, bool]] = {}
        for event_id, line in open_lines.items():
            told[event_id] = await self._look_at(event_id, line)
        if told and not await self._lobby.tell(self._who, told):
            self._ushered.clear()
            return
        for event_id, (each, _) in told.items():
            self._lines.all()[event_id].hear_told(each)
        self._looks += 1
        if self._looks % CROWD_KEPT_LOOKS == 0:
            for event_id, ushered in self._ushered.items():
                await self._lobby.keep_crowd(event_id, ushered.usher.crowd.weights)

    async def _look_at(self, event_id: EventId, line: Line) -> tuple[Told, bool]:
        now = self._now()
        inside = await self._lobby.look(event_id, now=now)
        ushered = self._ushered.get(event_id)
        if ushered is None:
            weights = await self._lobby.crowd(event_id)
            ushered = _Ushered(Usher.of(line.terms, frontier=line.told.frontier, weights=weights), inside)
            self._ushered[event_id] = ushered
            _log.info("line.ushered", event_id=event_id, frontier=ushered.usher.frontier)
        for said in await self._lobby.beats(event_id):
            ushered.usher.hear(unpacked(said))
        seen = Seen(
            active=inside.active,
            came=max(inside.came - ushered.inside.came, 0),
            ended=max(inside.ended - ushered.inside.ended, 0),
            is_well=self._lines.is_well,
            is_open=inside.is_open,
        )
        ushered.inside = inside
        shares = [self._chance() for _ in range(ASKED_MAX)]
        told = ushered.usher.look(line.terms, seen, now=now, shares=shares)
        return replace(told, at=now), self._may_open(ushered, inside, now)

    def _may_open(self, ushered: _Ushered, inside: InsideNow, now: float) -> bool:
        """A door that is not open is opened when everybody has had the time to put back whom they let in."""
        if inside.is_open:
            ushered.shut_since = None
            return False
        if ushered.shut_since is None:
            ushered.shut_since = now
        return now - ushered.shut_since >= RESTORE_SECONDS
