"""One copy of Frontrow for all tests of commands: up, with its demo."""

from collections.abc import Iterator

import pytest
from tests.processes.copies import Copy, new_copy, running


@pytest.fixture(scope="session")
def up() -> Iterator[Copy]:
    with new_copy() as copy, running(copy):
        yield copy


@pytest.fixture
def copy() -> Iterator[Copy]:
    """A copy that was never started."""
    with new_copy() as copy:
        yield copy
