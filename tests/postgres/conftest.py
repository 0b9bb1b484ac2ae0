"""What tests of the PostgreSQL adapter may ask for beside tests/conftest.py: plain connections."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest
from tests import servers
from tests.postgres import small_season
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.connection import sql_transaction


@pytest.fixture
async def connection(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database with today's schema and nothing in it."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def empty(empty_database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database without a schema."""
    connection = await asyncpg.connect(empty_database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def season(connection: asyncpg.Connection) -> SmallSeason:
    """One of each thing of the catalogue, in the database of `connection`."""
    async with sql_transaction(connection):
        return await small_season.plant(connection)


@pytest.fixture(scope="session")
def shared_url(databases: servers.Databases) -> Iterator[str]:
    """A database with a small season, for `passing`: making one for each of a hundred rows of a table takes long."""
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        loop.run(_plant(url))
        yield url


@pytest.fixture
async def passing(shared_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to a database with a small season. What is done with it is undone at the end."""
    connection = await asyncpg.connect(shared_url)
    await connection.execute("BEGIN")
    yield connection
    await connection.execute("ROLLBACK")
    await connection.close()


async def _plant(url: str) -> None:
    connection = await asyncpg.connect(url)
    async with sql_transaction(connection):
        await small_season.plant(connection)
    await connection.close()
