"""What `frontrow doctor` asks a PostgreSQL that it is connected to."""

from datetime import datetime
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection

_SQL: Final = sql.statements("doctor")


async def clock(connection: Connection) -> datetime:
    """Its clock: the one that decides whether a hold has ended."""
    at: datetime = await connection.fetchval(_SQL["clock"])
    return at
