"""What tests of lines may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import pytest
from tests.line.room import Room, waiting_room

from frontrow.adapters.postgres.pool import Database


@pytest.fixture
async def room(database: Database, valkey_url: str) -> AsyncIterator[Room]:
    """A waiting room with one gate, and a clock of its own."""
    async with waiting_room(database, valkey_url) as room:
        yield room


@pytest.fixture
async def two_gates(database: Database, valkey_url: str) -> AsyncIterator[Room]:
    """The same with two processes that let fans in."""
    async with waiting_room(database, valkey_url, gates=2) as room:
        yield room
