"""One copy of Frontrow with its demo, for the examples of the documents."""

from collections.abc import Iterator

import pytest
from tests.processes.copies import Copy, new_copy, running


@pytest.fixture(scope="session")
def up() -> Iterator[Copy]:
    with new_copy() as copy, running(copy):
        yield copy
