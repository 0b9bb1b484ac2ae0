"""A live map on a real PostgreSQL, in the process of the test; and somebody elsewhere who sells."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from tests.feed.stage import LiveStage, opened
from tests.ledger.on_sale import plant, put_on_sale

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event

Open = Callable[..., AbstractAsyncContextManager[LiveStage]]


@pytest.fixture
async def event(database: Database) -> Event:
    """On sale, in a hall of seven seats."""
    async with database.pool.acquire() as connection:
        season = await plant(connection)
        return await put_on_sale(connection, season, waiting_room=False)


@pytest.fixture
def open_stage(database: Database, event: Event) -> Open:
    """A live map with these settings."""

    def open_with(**settings: Any) -> AbstractAsyncContextManager[LiveStage]:  # noqa: ANN401 -- of Settings
        return opened(database, event, **settings)

    return open_with


@pytest.fixture
async def stage(open_stage: Open) -> AsyncIterator[LiveStage]:
    async with open_stage() as stage:
        yield stage
