"""What of a season is in the catalogue already, and whose turn it is to plant one.

Works inside the SQL transaction that its caller opened. Adding what is missing is CatalogueWriting's.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection
from frontrow.core.catalogue import CityId, HallId, OrganizerId, ProductionId, VenueId
from frontrow.halt import Halt

_SQL: Final = sql.statements("seasons")


class Seasons:
    """The catalogue as one planter sees it: ids by the names that people know things by."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def take_turn(self) -> None:
        """Wait until no other planter is at work. The turn is ours until the SQL transaction ends."""
        await self._connection.execute(_SQL["limit_turn_wait"])
        try:
            await self._connection.execute(_SQL["take_turn"])
        except asyncpg.LockNotAvailableError as error:
            raise Halt("another planting of the season takes long; let it end, then try again") from error

    async def organizers_with_dates_ahead(self, emails: Iterable[str], *, now: datetime) -> frozenset[str]:
        rows = await self._connection.fetch(_SQL["organizers_with_dates_ahead"], list(emails), now)
        return frozenset(row["email"] for row in rows)

    async def cities(self, names: Iterable[str]) -> Mapping[tuple[str, str], CityId]:
        """By country and name."""
        rows = await self._connection.fetch(_SQL["cities_named"], list(names))
        return {(row["country"], row["name"]): CityId(row["city_id"]) for row in rows}

    async def venues(self, cities: Iterable[CityId]) -> Mapping[tuple[CityId, str], VenueId]:
        rows = await self._connection.fetch(_SQL["venues_in"], list(cities))
        return {(CityId(row["city_id"]), row["name"]): VenueId(row["venue_id"]) for row in rows}

    async def halls(self, venues: Iterable[VenueId]) -> Mapping[tuple[VenueId, str], HallId]:
        rows = await self._connection.fetch(_SQL["halls_in"], list(venues))
        return {(VenueId(row["venue_id"]), row["name"]): HallId(row["hall_id"]) for row in rows}

    async def organizers(self, emails: Iterable[str]) -> Mapping[str, OrganizerId]:
        rows = await self._connection.fetch(_SQL["organizers_reached_at"], list(emails))
        return {row["email"]: OrganizerId(row["organizer_id"]) for row in rows}

    async def productions(self, organizers: Iterable[OrganizerId]) -> Mapping[tuple[OrganizerId, str], ProductionId]:
        rows = await self._connection.fetch(_SQL["productions_of"], list(organizers))
        return {(OrganizerId(row["organizer_id"]), row["name"]): ProductionId(row["production_id"]) for row in rows}
