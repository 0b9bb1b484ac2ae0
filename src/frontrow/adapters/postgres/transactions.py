"""SQL transactions for flows, and statements that are one each, with faults that callers can tell apart.

The ledger decides in batches and has its own way.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import LiteralString

import asyncpg

from frontrow.adapters.postgres.connection import FAULTS, MAY_BE_STORED, Connection, lent, sql_transaction
from frontrow.core.faults import OutcomeUnknownError, UnavailableError


class Transactions:
    """Writes, whole or not at all."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """A connection with an open SQL transaction. Await nothing outside PostgreSQL inside.

        UnavailableError: nothing was stored. OutcomeUnknownError: PostgreSQL went away while it was storing.
        """
        is_ending = False
        try:
            async with lent(self._pool) as connection, sql_transaction(connection):
                yield connection
                is_ending = True
        except FAULTS as error:
            raise _told(error, is_stored=is_ending) from error

    async def fetch(self, statement: LiteralString, /, *words: object) -> list[asyncpg.Record]:
        """One statement that is a transaction of its own. Faults as above."""
        is_asked = False
        try:
            async with lent(self._pool) as connection:
                is_asked = True
                return await connection.fetch(statement, *words)
        except FAULTS as error:
            raise _told(error, is_stored=is_asked) from error


def _told(error: Exception, *, is_stored: bool) -> UnavailableError | OutcomeUnknownError:
    """`is_stored`: what was asked may have been done before the error came."""
    kind = OutcomeUnknownError if is_stored and isinstance(error, MAY_BE_STORED) else UnavailableError
    return kind(str(error) or type(error).__name__)
