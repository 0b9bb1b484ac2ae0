"""What the ledger has decided, for those who follow it. Satisfies `flows.ports.Journal`; deciding has its own file."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.adapters.postgres.ledger import update_of
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId, Hold, HoldId, HoldState
from frontrow.core.live_seats import ClaimsSeen
from frontrow.core.updates import Update

_SQL: Final = sql.statements("journal")


class PostgresJournal:
    """Reads at once what is committed: no cache, no replica."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def claims(self, event_id: EventId) -> ClaimsSeen | None:
        """All claims of an event as they are now, or None where there is no such event."""
        row = await self._reading.fetchrow(_SQL["claims_of_event"], event_id)
        if row is None:
            return None
        return ClaimsSeen(row["update_no"], row["at"], row["seats"], row["states"], row["holders"], row["ends"])

    async def updates_after(self, followed: Mapping[EventId, int], *, limit: int) -> Mapping[EventId, Sequence[Update]]:
        """Of each event, what came after the update of that number: in order, at most so many."""
        rows = await self._reading.fetch(_SQL["updates_after"], list(followed), list(followed.values()), limit)
        found: dict[EventId, list[Update]] = defaultdict(list)
        for row in rows:
            found[EventId(row["event_id"])].append(update_of(row))
        return found

    async def hold(self, hold_id: HoldId, fan_id: FanId) -> tuple[EventId, Hold] | None:
        """One hold of a fan. Others' holds are not there."""
        row = await self._reading.fetchrow(_SQL["hold_of_fan"], hold_id, fan_id)
        if row is None:
            return None
        hold = Hold(hold_id, HoldState(row["state"]), tuple(row["seats"]), row["expires_at"])
        return EventId(row["event_id"]), hold

    async def live_hold(self, event_id: EventId, fan_id: FanId) -> Hold | None:
        """What a fan holds at an event now."""
        row = await self._reading.fetchrow(_SQL["live_hold_of_fan"], event_id, fan_id)
        if row is None:
            return None
        return Hold(row["hold_id"], HoldState(row["state"]), tuple(row["seats"]), row["expires_at"])

    async def holds_over(self, *, apart_from: Collection[EventId], limit: int) -> Mapping[EventId, Sequence[HoldId]]:
        """Holds whose time is over, the oldest first, at most so many; none of the events that are named."""
        rows = await self._reading.fetch(_SQL["holds_over"], list(apart_from), limit)
        found: dict[EventId, list[HoldId]] = defaultdict(list)
        for row in rows:
            found[EventId(row["event_id"])].append(HoldId(row["hold_id"]))
        return found
