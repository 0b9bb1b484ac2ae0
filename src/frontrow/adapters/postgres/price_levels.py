"""Which price levels have no seat left, as it is noted in PostgreSQL. Satisfies `flows.ports.PriceLevels`."""

from collections.abc import Mapping
from typing import Final, LiteralString

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.core.catalogue import EventId, SeatMapSha
from frontrow.core.price_levels import LevelsGone

_SQL: Final = sql.statements("price_levels")


class PostgresPriceLevels:
    """What was followed so far is in the database, so any number of followers may come and go."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    async def not_followed(self, *, limit: int) -> Mapping[EventId, SeatMapSha]:
        """Events of which the journal has more than was followed, however long ago; at most so many."""
        return await self._events(_SQL["events_not_followed"], limit)

    async def changed_lately(self) -> Mapping[EventId, SeatMapSha]:
        """Events with updates in the last seconds."""
        return await self._events(_SQL["events_changed_lately"])

    async def note_gone(self, gone: LevelsGone) -> None:
        """Note it, unless something newer is noted."""
        await self._reading.fetch(_SQL["note_levels_gone"], gone.event_id, gone.update_no, list(gone.levels))

    async def _events(self, statement: LiteralString, *words: object) -> Mapping[EventId, SeatMapSha]:
        rows = await self._reading.fetch(statement, *words)
        return {EventId(row["event_id"]): SeatMapSha(row["seat_map"]) for row in rows}
