"""PostgreSQL and Valkey for tests: started from the wheels, or named by whoever runs the tests.

FRONTROW_TEST_DATABASE_URL and FRONTROW_TEST_VALKEY_URL name servers that run already (tools/with-debian-servers).
Without them each worker of the test run starts its own pair of embedded engines, when a test first asks for one.
"""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

import asyncpg
import redis

from frontrow.adapters.postgres.migrations import migrate
from frontrow.engines import pair

DATABASE_URL: Final = os.environ.get("FRONTROW_TEST_DATABASE_URL")
VALKEY_URL: Final = os.environ.get("FRONTROW_TEST_VALKEY_URL")
ENGINE_USER: Final = "nobody"


@contextmanager
def postgres_url() -> Generator[str]:
    """A PostgreSQL where we may make databases."""
    if DATABASE_URL:
        yield DATABASE_URL
        return
    with engines_folder() as folder, embedded(folder, valkey=False) as engines:
        assert engines.database_url is not None
        yield engines.database_url


@contextmanager
def valkey_url(worker: str) -> Generator[str]:
    """A Valkey whose data we may throw away."""
    if VALKEY_URL:
        yield _own_numbered_database(VALKEY_URL, worker)
        return
    with engines_folder() as folder, embedded(folder, postgres=False) as engines:
        assert engines.valkey_url is not None
        yield engines.valkey_url


@contextmanager
def engines_folder() -> Generator[Path]:
    """A new folder that the engines' account can get at, gone afterwards. pytest's own are for our eyes only."""
    top = Path(tempfile.mkdtemp(prefix="frontrow-tests-"))
    top.chmod(0o711)
    try:
        yield top / "data"
    finally:
        shutil.rmtree(top)


@contextmanager
def embedded(data_dir: Path, *, postgres: bool = True, valkey: bool = True) -> Generator[pair.Engines]:
    """Engines as `frontrow up` starts them, without a word."""
    with pair.running(
        data_dir,
        engine_user=ENGINE_USER,
        url="a test",
        postgres=postgres,
        valkey=valkey,
        say=lambda _: None,
        pause=time.sleep,
    ) as engines:
        yield engines


class Databases:
    """Makes databases on one server, copies of a migrated one or empty, and drops them.

    It has an event loop of its own, so that fixtures of tests without a loop can use it too.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._names = (f"frontrow_test_{os.getpid()}_{number}" for number in count())
        self._template: str | None = None
        self._ending = ExitStack()

    def __enter__(self) -> Self:
        self._loop = self._ending.enter_context(asyncio.Runner(loop_factory=asyncio.new_event_loop))
        self._connection = self._loop.run(asyncpg.connect(self._url))
        self._ending.callback(lambda: self._loop.run(self._connection.close()))
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    @contextmanager
    def empty(self) -> Generator[str]:
        """The URL of a new database without a schema."""
        with self._made("template1") as name:
            yield self._url_of(name)

    @contextmanager
    def migrated(self) -> Generator[str]:
        """The URL of a new database with today's schema: a copy takes a moment, however many migrations there are."""
        if self._template is None:
            self._template = self._ending.enter_context(self._made("template1"))
            self._loop.run(migrate_at(self._url_of(self._template)))
        with self._made(self._template) as name:
            yield self._url_of(name)

    @contextmanager
    def _made(self, template: str) -> Generator[str]:
        name = next(self._names)
        self._run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield name
        finally:
            self._run(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _run(self, statement: str) -> None:
        self._loop.run(self._connection.execute(statement))

    def _url_of(self, name: str) -> str:
        return urlsplit(self._url)._replace(path=f"/{name}").geturl()


async def migrate_at(url: str) -> None:
    """Bring a database to today's schema."""
    connection = await asyncpg.connect(url)
    try:
        await migrate(connection)
    finally:
        await connection.close()


def empty_valkey(url: str) -> None:
    """Throw away what is in the numbered database of a URL."""
    with _valkey(url) as client:
        client.flushdb()  # pyright: ignore[reportUnknownMemberType] -- as below


def _own_numbered_database(url: str, worker: str) -> str:
    """Workers of one test run share a server that was named; each takes one of its 16 databases."""
    number = worker.removeprefix("gw") if worker.startswith("gw") else "0"
    own = f"{url.partition('?')[0]}?db={number}"  # not by urlsplit: it makes unix:///a of it unix:/a
    with _valkey(own) as client:
        keys = client.dbsize()  # pyright: ignore[reportUnknownMemberType] -- as below
    if keys:
        raise RuntimeError(f"FRONTROW_TEST_VALKEY_URL, database {number}: holds {keys} keys; name one for tests alone")
    return own


def _valkey(url: str) -> redis.Redis:
    return redis.Redis.from_url(url)  # pyright: ignore[reportUnknownMemberType] -- redis-py names no type for **kwargs
