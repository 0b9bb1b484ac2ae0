"""What tests of flows may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import pytest
from tests.flows.shop import Process, process, sell
from tests.ledger.on_sale import plant
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event


@pytest.fixture
async def season(database: Database) -> SmallSeason:
    """A season in the test's database. Its seven seats: a row of four, 0 to 3, and a floor for three, 4 to 6."""
    async with database.pool.acquire() as connection:
        return await plant(connection)


@pytest.fixture
async def event(database: Database, season: SmallSeason) -> Event:
    """On sale: four seats a hold, five tickets a fan."""
    return await sell(database, season)


@pytest.fixture
async def here(database: Database) -> AsyncIterator[Process]:
    """The process that the test looks at."""
    async with process(database) as here:
        yield here


@pytest.fixture
async def elsewhere(database: Database) -> AsyncIterator[Process]:
    """Another process on the same database."""
    async with process(database) as elsewhere:
        yield elsewhere
