"""What a database needs before it can be worked with: its schema, and for a demo the season."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from frontrow.adapters.postgres import migrations, pool
from frontrow.adapters.postgres.connection import Connection, connected
from frontrow.adapters.postgres.migrations import Applied
from frontrow.flows.plant_season import Planting, plant_season

Missing = TypeVar("Missing")


@dataclass(frozen=True, slots=True)
class Schema:
    """What is in the database, what this program would add, and whether the two understand each other."""

    server: str
    applied: Sequence[Applied]
    pending: Sequence[str]
    misunderstanding: str | None


async def schema(url: str) -> Schema:
    async with connected(url, purpose="db status") as connection:
        state = await migrations.schema_state(connection)
    return Schema(
        server=state.server,
        applied=state.applied,
        pending=[migration.name for migration in migrations.pending(state)],
        misunderstanding=migrations.misunderstanding(state),
    )


async def migrate(url: str) -> list[str]:
    """Bring the schema up to this program. The names of what had to be run: none, the second time."""
    async with connected(url, purpose="db migrate") as connection:
        return [migration.name for migration in await migrations.migrate(connection)]


async def plant(url: str, planting: Planting[Connection, Missing]) -> bool:
    """Plant a season. False: it was there already."""
    database = await pool.connect(url, connections_max=1)
    try:
        return await plant_season(database, planting)
    finally:
        await database.close()
