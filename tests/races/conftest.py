"""What tests of races may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator
from typing import Final

import pytest
from tests.races.meeting import Meeting, at_an_event

RIVALS: Final = 50


@pytest.fixture
async def meeting(database_url: str) -> AsyncIterator[Meeting]:
    """An event where two calls meet."""
    async with at_an_event(database_url, rivals=2) as meeting:
        yield meeting


@pytest.fixture
async def crowd(database_url: str) -> AsyncIterator[Meeting]:
    """The same for fifty."""
    async with at_an_event(database_url, rivals=RIVALS) as meeting:
        yield meeting
