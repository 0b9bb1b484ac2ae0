"""Keeping postal codes. Where one of them is, search.py asks."""

from collections.abc import Sequence
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection
from frontrow.core.postal_codes import PostalCode

_SQL: Final = sql.statements("postal_codes")


async def keep(connection: Connection, codes: Sequence[PostalCode]) -> None:
    """Add codes, and move those that are there to where they are now. Of one that comes twice, the last counts."""
    by_code = {(code.code, code.country): code for code in codes}
    rows = [(c.code, c.country, c.name, c.place.latitude, c.place.longitude) for c in by_code.values()]
    if rows:
        await connection.fetch(_SQL["keep_postal_codes"], *map(list, zip(*rows, strict=True)))
