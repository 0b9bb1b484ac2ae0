"""Planting a season in the catalogue: the whole of what is missing or nothing, by one planter at a time.

What a season is made of is not in here: whoever has one says what is missing and how to add it.
"""

from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

Connection_co = TypeVar("Connection_co", covariant=True)
Connection_contra = TypeVar("Connection_contra", contravariant=True)
Connection = TypeVar("Connection")
Missing = TypeVar("Missing")


class Ground(Protocol[Connection_co]):
    """Where a season grows: whatever opens SQL transactions."""

    def transaction(self) -> AbstractAsyncContextManager[Connection_co]: ...


class Planting(Protocol[Connection_contra, Missing]):
    """A season, and how it gets into the catalogue."""

    async def missing(self, connection: Connection_contra) -> Missing:
        """What of the season is not there; something false when nothing is missing."""
        ...

    def prepare(self, missing: Missing) -> None:
        """Do what needs no database, however long it takes."""
        ...

    async def take_turn(self, connection: Connection_contra) -> None:
        """Wait until no other planter is at work. The turn is ours until the SQL transaction ends."""
        ...

    async def add(self, connection: Connection_contra, missing: Missing) -> None: ...


async def plant_season(ground: Ground[Connection], planting: Planting[Connection, Missing]) -> bool:
    """Add what is missing. False when nothing is."""
    async with ground.transaction() as connection:
        missing = await planting.missing(connection)
    if not missing:
        return False
    planting.prepare(missing)
    async with ground.transaction() as connection:
        await planting.take_turn(connection)
        missing = await planting.missing(connection)  # another planter may have been faster
        if missing:
            await planting.add(connection, missing)
    return bool(missing)
