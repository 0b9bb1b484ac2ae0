"""What every test may ask for: a database of its own, an empty Valkey. How these come about is in servers.py."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import settings
from tests import network_guard, quick_folder, servers

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database

quick_folder.use_it()
if not os.environ.get("FRONTROW_TEST_STRIPE_KEY"):  # who names a key of Stripe's test mode wants it to be asked
    network_guard.keep_in()

# `ci` tries the same examples each time, so a red test is red again; `nightly` looks for new ones. Machines that are
# busy are no finding: no deadline. Choose with `pytest --hypothesis-profile=nightly`.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("nightly", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def no_settings_of_the_developer() -> Iterator[None]:
    """Tests, and what they start, begin with the defaults, whatever is exported in this terminal."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.upper().startswith("FRONTROW_")]:
            patch.delenv(variable)
        yield


@pytest.fixture(scope="session")
def databases() -> Iterator[servers.Databases]:
    with servers.postgres_url() as url, servers.Databases(url) as databases:
        yield databases


@pytest.fixture
def database_url(databases: servers.Databases) -> Iterator[str]:
    """A database with today's schema and nothing in it, for one test."""
    with databases.migrated() as url:
        yield url


@pytest.fixture
def empty_database_url(databases: servers.Databases) -> Iterator[str]:
    """A database without a schema, for one test."""
    with databases.empty() as url:
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A process's way to `database_url`."""
    database = await pool.connect(database_url, connections_max=4)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def valkey_of_worker(worker_id: str) -> Iterator[str]:
    with servers.valkey_url(worker_id) as url:
        yield url


@pytest.fixture
def valkey_url(valkey_of_worker: str) -> str:
    """An empty Valkey."""
    servers.empty_valkey(valkey_of_worker)
    return valkey_of_worker
