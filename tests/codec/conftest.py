from collections.abc import Iterator

import pytest
from tests.codec.javascript import Javascript, javascript


@pytest.fixture(scope="module")
def js() -> Iterator[Javascript]:
    with javascript() as js:
        yield js
