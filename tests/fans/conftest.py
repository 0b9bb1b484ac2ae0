"""What tests of fans may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import pytest
from starlette.types import ASGIApp
from tests.fans.counter import opened_service
from tests.fans.reception import Reception, reception
from tests.ledger.on_sale import plant
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.pool import Database


@pytest.fixture
def desk(database: Database) -> Reception:
    """Where fans sign in."""
    return reception(database)


@pytest.fixture
async def season(database: Database) -> SmallSeason:
    """A season in the test's database."""
    async with database.pool.acquire() as connection:
        return await plant(connection)


@pytest.fixture
async def app(database_url: str, valkey_url: str) -> AsyncIterator[ASGIApp]:
    """The service on the database of `desk`, for a machine of one's own: it shows mails."""
    async with opened_service(database_url, valkey_url) as app:
        yield app
