"""What tests of jobs may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import asyncpg
import pytest


@pytest.fixture
async def passing(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to an empty database, in an SQL transaction that is undone."""
    connection = await asyncpg.connect(database_url)
    await connection.execute("BEGIN")
    yield connection
    await connection.execute("ROLLBACK")
    await connection.close()
