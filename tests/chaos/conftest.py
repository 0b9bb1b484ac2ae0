"""What tests that break things may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator

import pytest
from tests.chaos.scene import Scene, scene_in


@pytest.fixture
async def scene(database_url: str) -> AsyncIterator[Scene]:
    async with scene_in(database_url) as scene:
        yield scene
