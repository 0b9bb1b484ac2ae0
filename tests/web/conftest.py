"""What tests over HTTP may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import pytest
from tests.web import fans
from tests.web.fans import Service

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event


@pytest.fixture
async def service(database: Database, database_url: str, valkey_url: str) -> AsyncIterator[Service]:
    """The api service as it is wired, on a database and a Valkey of the test's own."""
    async with fans.service(database, database_url, valkey_url) as service:
        yield service


@pytest.fixture
async def event(service: Service) -> Event:
    """On sale without a waiting room: four seats a hold, five tickets a fan."""
    return await service.sell()
