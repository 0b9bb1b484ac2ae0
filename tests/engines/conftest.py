"""What tests of the engines share: a folder, and who works in it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import servers

from frontrow.engines.account import Account, engine_account


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data folder that is not there yet."""
    with servers.engines_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def account() -> Account:
    """Who runs the engines."""
    return engine_account(servers.ENGINE_USER)


@pytest.fixture
def as_root() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root starts engines as another account")
