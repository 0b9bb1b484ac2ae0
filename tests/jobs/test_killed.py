"""`kill -9` of a real sweeper in the middle of a job, with a real mail server: what is promised, and what cannot be.

Promised: the mail goes out. Not promised: once. Killed before the mail server has said yes, it is taken once. Killed
after that, and before PostgreSQL was told, it is handed in again with the same Message-ID. Kept mails are kept once
either way.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import asyncpg
import pytest
from asyncpg.pool import PoolConnectionProxy as PoolConnection
from tests.fans.reception import ADA, SECRET, reception
from tests.jobs.post_office import PostOffice, post_office
from tests.jobs.workshop import let_pass
from tests.postgres.watching import until
from tests.processes.copies import Copy, Started, new_copy

from frontrow.adapters.postgres.pool import Database
from frontrow.core.fans import CodeAsked
from frontrow.flows.do_jobs import LEASE_SECONDS


@dataclass
class Sweepers:
    """Real processes on the test's database."""

    copy: Copy
    database: Database
    settings: dict[str, str]
    started: list[Started]

    def start(self) -> Started:
        started = self.copy.start("sweeper", **self.settings)
        self.started.append(started)
        return started

    async def kill(self, started: Started) -> None:
        """By the signal that nobody can wait for. What it had taken comes again when its lease is over: now."""
        assert await asyncio.to_thread(started.stop, signal.SIGKILL) == -signal.SIGKILL
        await let_pass(self.database, LEASE_SECONDS)


@pytest.fixture
def copy() -> Iterator[Copy]:
    with new_copy() as copy:
        yield copy


@pytest.fixture
async def office() -> AsyncIterator[PostOffice]:
    async with post_office() as office:
        yield office


@pytest.fixture
async def keeper(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Keeps rows from the others."""
    keeper = await asyncpg.connect(database_url)
    yield keeper
    await keeper.close()


@pytest.fixture
async def sweepers(copy: Copy, database: Database, database_url: str, valkey_url: str) -> AsyncIterator[Sweepers]:
    settings = {
        "FRONTROW_DATABASE_URL": database_url,
        "FRONTROW_VALKEY_URL": valkey_url,
        "FRONTROW_SIGNING_KEYS": SECRET.decode(),
    }
    sweepers = Sweepers(copy, database, settings, [])
    yield sweepers
    for started in sweepers.started:
        await asyncio.to_thread(started.stop, signal.SIGKILL)


def by_mail_server(sweepers: Sweepers, office: PostOffice) -> None:
    sweepers.settings |= {"FRONTROW_SMTP_URL": office.url, "FRONTROW_MAIL_FROM": "Frontrow <tickets@example.org>"}


async def ask(database: Database) -> None:
    assert isinstance(await reception(database).sign_in.ask(ADA), CodeAsked)


async def is_done(database: Database) -> bool:
    return await database.pool.fetchval("SELECT state FROM job") == "done"


@pytest.mark.slow
async def test_killed_before_the_server_said_yes_it_is_taken_once(
    sweepers: Sweepers, database: Database, office: PostOffice
):
    by_mail_server(sweepers, office)
    office.is_open.clear()
    await ask(database)
    first = sweepers.start()
    await office.has_seen.wait()
    await sweepers.kill(first)
    assert (len(office.seen), office.taken) == (1, [])

    office.is_open.set()  # whoever waits for its answer now gets one
    sweepers.start()
    await until(lambda: is_done(database))
    await until(lambda: both(office))
    assert len({str(mail["Message-ID"]) for mail in office.seen}) == 1
    assert office.recipients[-1] == ADA


async def both(office: PostOffice) -> bool:
    return len(office.seen) == 2


@pytest.mark.slow
async def test_killed_after_that_it_is_handed_in_again_as_the_same_mail(
    sweepers: Sweepers, database: Database, keeper: asyncpg.Connection, office: PostOffice
):
    by_mail_server(sweepers, office)
    office.is_open.clear()
    await ask(database)
    first = sweepers.start()
    await office.has_seen.wait()
    await keeper.execute("BEGIN; SELECT FROM job FOR UPDATE")  # PostgreSQL cannot be told that it is done
    office.is_open.set()
    await kill_while_it_tells(sweepers, first, keeper)
    assert len(office.taken) == 1

    sweepers.start()
    await until(lambda: is_done(database))
    assert len(office.taken) == 2
    assert len({str(mail["Message-ID"]) for mail in office.taken}) == 1


@pytest.mark.slow
async def test_a_kept_mail_is_kept_once(sweepers: Sweepers, database: Database, keeper: asyncpg.Connection):
    await ask(database)
    await keeper.execute("BEGIN; LOCK TABLE kept_mail IN EXCLUSIVE MODE")
    first = sweepers.start()
    await until(lambda: waits_for(database, "keep_mail"))
    async with database.pool.acquire() as other:
        await other.execute("BEGIN; SELECT FROM job FOR UPDATE")
        await keeper.execute("ROLLBACK")
        await kill_while_it_tells(sweepers, first, other)
    assert await database.pool.fetchval("SELECT count(*) FROM kept_mail") == 1

    sweepers.start()
    await until(lambda: is_done(database))
    assert await database.pool.fetchval("SELECT attempts FROM job") == 2
    assert await database.pool.fetchval("SELECT count(*) FROM kept_mail") == 1


async def kill_while_it_tells(
    sweepers: Sweepers, started: Started, keeper: asyncpg.Connection | PoolConnection
) -> None:
    """The work is done, and `keeper` has the row where that is written down. With the process goes what it asked."""
    await until(lambda: waits_for(sweepers.database, "end_job"))
    assert await asyncio.to_thread(started.stop, signal.SIGKILL) == -signal.SIGKILL
    await sweepers.database.pool.fetch(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE '/* jobs.end_job %'"
    )
    await until(lambda: nobody_tells(sweepers.database))
    await keeper.execute("ROLLBACK")
    await let_pass(sweepers.database, LEASE_SECONDS)


async def waits_for(database: Database, statement: str) -> bool:
    """Whether somebody's statement of that name waits for what somebody else has."""
    return await database.pool.fetchval(
        """
        SELECT EXISTS (SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ $1)
        """,
        rf"^/\* \w+\.{statement} ",
    )  # fmt: skip -- one statement


async def nobody_tells(database: Database) -> bool:
    return not await waits_for(database, "end_job")
