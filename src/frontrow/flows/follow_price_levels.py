"""Noting which price levels of events have no seat left, so that lists show from how much on seats can still be had.

They do within a second or so of the sale of the last seat of a level, or of the return of one. This follows the journal
as all others do, and is no part of a sale. What was followed how far is noted with it, so that whoever was stopped in
between goes on from there. Two at once are harmless: the newer note stays.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from frontrow.core.catalogue import EventId, SeatMapSha
from frontrow.core.faults import UnavailableError
from frontrow.core.price_levels import LevelsGone, LevelsLeft, SeatLevels
from frontrow.core.seat_maps import SeatMap, read
from frontrow.flows.ports import Catalogue, Journal, PriceLevels

LOOK_SECONDS: Final = 0.5  # what is noted is at most this old, and the time a look takes
LOOKS_UNTIL_ALL: Final = 120  # once a minute every event is looked at, whenever it changed
MISSED_MAX: Final = 200  # events that are begun in one look; the others are next
SEATS_MAX: Final = 20_000_000  # of all events that are kept in mind; a byte each
UPDATES_MAX: Final = 500  # of one event in one look

_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True)
class _Followed:
    """One event, and the update that its levels were noted after."""

    seat_map: SeatMapSha
    left: LevelsLeft
    noted_no: int = -1


class FollowPriceLevels:
    """The follower, for as long as a process lives."""

    def __init__(self, catalogue: Catalogue, journal: Journal, levels: PriceLevels) -> None:
        self._catalogue = catalogue
        self._journal = journal
        self._levels = levels
        self._events: dict[EventId, _Followed] = {}  # those that changed last are last
        self._maps: dict[SeatMapSha, SeatLevels] = {}

    async def run(self) -> None:
        """Look for ever: first at all that was missed, then at what changes."""
        looks = 0
        while True:
            try:
                was_all = await self.look(at_all=looks % LOOKS_UNTIL_ALL == 0)
                looks += was_all
            except UnavailableError as error:
                _log.warning("price_levels.unread", why=str(error))
            except Exception:  # noqa: BLE001 -- whatever broke once must not leave all prices as they were, for ever
                _log.exception("price_levels.unread")
                self._events.clear()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, *, at_all: bool = False) -> bool:
        """Follow what has changed, and note what that means. False: there is more than one look takes."""
        changed = await (self._levels.not_followed(limit=MISSED_MAX) if at_all else self._levels.changed_lately())
        await self._catch_up(changed)
        for event_id, seat_map in changed.items():
            if event_id not in self._events:
                await self._begin(event_id, seat_map)
        await self._note(changed)
        self._let_go()
        return not at_all or len(changed) < MISSED_MAX

    async def _catch_up(self, changed: Mapping[EventId, SeatMapSha]) -> None:
        followed = {event_id: self._events[event_id].left.update_no for event_id in changed if event_id in self._events}
        if not followed:
            return
        updates = await self._journal.updates_after(followed, limit=UPDATES_MAX)
        for event_id, theirs in updates.items():
            if not all(map(self._events[event_id].left.fold, theirs)):
                del self._events[event_id]  # it follows something else than we know: begun anew

    async def _begin(self, event_id: EventId, seat_map: SeatMapSha) -> None:
        levels = await self._levels_of(seat_map)
        claims = await self._journal.claims(event_id) if levels else None
        if levels and claims:
            self._events[event_id] = _Followed(seat_map, LevelsLeft(levels, claims))

    async def _levels_of(self, sha: SeatMapSha) -> SeatLevels | None:
        if sha not in self._maps:
            document = await self._catalogue.seat_map(sha)
            seat_map = await asyncio.to_thread(read, document) if document else None
            if not isinstance(seat_map, SeatMap):
                return None
            self._maps[sha] = SeatLevels(seat_map)
        return self._maps[sha]

    async def _note(self, changed: Mapping[EventId, SeatMapSha]) -> None:
        for event_id in changed:
            followed = self._events.pop(event_id, None)
            if followed is None:
                continue
            self._events[event_id] = followed
            left = followed.left
            if followed.noted_no < left.update_no:
                with suppress(UnavailableError):  # its organizer is changing it, perhaps: the next look notes it
                    await self._levels.note_gone(LevelsGone(event_id, left.update_no, tuple(left.gone)))
                    followed.noted_no = left.update_no

    def _let_go(self) -> None:
        seats = sum(followed.left.seats for followed in self._events.values())
        for event_id in list(self._events):
            if seats <= SEATS_MAX:
                break
            seats -= self._events.pop(event_id).left.seats
        used = {followed.seat_map for followed in self._events.values()}
        self._maps = {sha: levels for sha, levels in self._maps.items() if sha in used}
