"""What tests of the ledger may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from tests.ledger.on_sale import plant, pooled
from tests.postgres.small_season import SmallSeason

CONNECTIONS = 8


@pytest.fixture
async def connections(database_url: str) -> AsyncIterator[asyncpg.Pool]:
    """Several connections to a database of the test's own."""
    async with pooled(database_url, CONNECTIONS) as pool:
        yield pool


@pytest.fixture
async def season(connections: asyncpg.Pool) -> SmallSeason:
    """A season in that database."""
    async with connections.acquire() as connection:
        return await plant(connection)
