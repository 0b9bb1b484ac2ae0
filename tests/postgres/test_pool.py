"""A process's way to PostgreSQL: its limits, and how it loses the server and finds it again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress

import asyncpg
import pytest
from tests import servers
from tests.postgres.watching import until

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.connection import FAULTS
from frontrow.adapters.postgres.pool import SESSION, Database
from frontrow.halt import Halt


class TestLimits:
    @pytest.mark.parametrize(("setting", "value"), SESSION.items())
    async def test_every_connection_has_them(self, database: Database, setting: str, value: str):
        async with database.pool.acquire() as connection:
            assert await connection.fetchval("SELECT current_setting($1)", setting) == value

    async def test_they_come_back_after_whatever_a_flow_set_for_itself(self, database: Database):
        async with database.transaction() as connection:
            await connection.execute("SET LOCAL statement_timeout = '1ms'")
        async with database.transaction() as connection:
            assert await connection.fetchval("SHOW statement_timeout") == SESSION["statement_timeout"]

    async def test_a_statement_past_its_time_is_ended_and_the_connection_lives_on(self, database: Database):
        with pytest.raises(asyncpg.QueryCanceledError):  # noqa: PT012 -- the block is what is tested
            async with database.transaction() as connection:
                await connection.execute("SET LOCAL statement_timeout = '20ms'")
                await connection.execute("SELECT pg_sleep(60)")
        assert await database.pool.fetchval("SELECT 1") == 1

    async def test_no_more_connections_than_allowed(self, database_url: str):
        database = await pool.connect(database_url, connections_max=2)
        async with database.pool.acquire(), database.pool.acquire():
            with pytest.raises(TimeoutError):
                await database.pool.acquire(timeout=0.02)
        await database.close()


class TestTransactions:
    async def test_one_is_stored_at_its_end(self, database: Database):
        async with database.transaction() as connection:
            await connection.execute("CREATE TABLE kept ()")
        assert await database.pool.fetchval("SELECT to_regclass('kept') IS NOT NULL")

    async def test_one_that_fails_stores_nothing_and_hands_back_its_connection(self, database: Database):
        for _ in range(10):  # more often than there are connections
            with pytest.raises(ZeroDivisionError):  # noqa: PT012 -- the block is what is tested
                async with database.transaction() as connection:
                    await connection.execute("CREATE TABLE half ()")
                    raise ZeroDivisionError
        assert await database.pool.fetchval("SELECT to_regclass('half') IS NULL")

    async def test_one_left_open_is_rolled_back_before_the_next_has_the_connection(self, database_url: str):
        database = await pool.connect(database_url, connections_max=1)
        async with database.pool.acquire() as connection:
            await connection.execute("BEGIN")
            await connection.execute("CREATE TABLE half ()")
        async with database.transaction() as connection:
            assert await connection.fetchval("SELECT to_regclass('half') IS NULL")
        await database.close()

    async def test_one_whose_task_is_cancelled_stores_nothing(self, database: Database):
        begun = asyncio.Event()

        async def half() -> None:
            async with database.transaction() as connection:
                await connection.execute("CREATE TABLE half ()")
                begun.set()
                await connection.execute("SELECT pg_sleep(60)")

        task = asyncio.create_task(half())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await database.pool.fetchval("SELECT to_regclass('half') IS NULL")


class TestConnecting:
    async def test_a_schema_that_is_behind_halts_with_the_command_that_helps(self, empty_database_url: str):
        with pytest.raises(Halt, match="run `frontrow db migrate`"):
            await pool.connect(empty_database_url, connections_max=2)

    async def test_a_schema_that_is_newer_halts(self, database_url: str, database: Database):
        await database.pool.execute("UPDATE schema_compat SET oldest_program = 9000")
        with pytest.raises(Halt, match="run the newer Frontrow"):
            await pool.connect(database_url, connections_max=2)

    async def test_nobody_at_home_halts(self):
        with pytest.raises(Halt, match="cannot be reached"):
            await pool.connect("postgresql://127.0.0.1:1/frontrow", connections_max=2)

    async def test_a_connection_that_halted_leaves_no_connection(self, empty_database_url: str):
        with suppress(Halt):
            await pool.connect(empty_database_url, connections_max=2)
        watcher = await asyncpg.connect(empty_database_url)
        others = "SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database()"
        await until(lambda: watcher.fetchval(others))
        await watcher.close()


class TestTrouble:
    """What /readyz says of PostgreSQL."""

    async def test_there_is_none(self, database: Database):
        assert await database.part.trouble() is None

    async def test_a_schema_moved_on_under_us(self, database: Database):
        await database.pool.execute("UPDATE schema_compat SET oldest_program = 9000")
        assert "run the newer Frontrow" in str(await database.part.trouble())

    async def test_a_schema_that_is_gone(self, database: Database):
        await database.pool.execute("DROP TABLE schema_migration CASCADE")
        assert "frontrow db migrate" in str(await database.part.trouble())

    async def test_a_server_that_does_not_answer_in_time(self, busy: Database, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(pool, "TROUBLE_SECONDS_MAX", 0.05)
        assert await busy.part.trouble() == "no answer within 0.05 s"

    async def test_however_many_ask_one_question_is_under_way(self, busy: Database, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(pool, "TROUBLE_SECONDS_MAX", 0.05)
        before = len(asyncio.all_tasks())
        for _ in range(5):
            await busy.part.trouble()
        assert len(asyncio.all_tasks()) <= before + 1

    async def test_lost_connections_are_replaced(self, database: Database, database_url: str):
        watcher = await asyncpg.connect(database_url)
        async with database.pool.acquire() as one, database.pool.acquire() as other:
            lost = [one.get_server_pid(), other.get_server_pid()]
        await watcher.execute("SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::integer[]) AS pid", lost)
        await until(lambda: _answers(database))
        assert await database.part.trouble() is None
        await watcher.close()


def test_a_server_that_restarts_is_found_again():
    """Not a test on a loop of pytest's: engines are started where none runs."""
    with (
        servers.engines_folder() as folder,
        servers.embedded(folder, valkey=False) as engines,
        asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop,
    ):
        assert engines.database is not None
        loop.run(servers.migrate_at(engines.database.url))
        database = loop.run(pool.connect(engines.database.url, connections_max=2))
        assert loop.run(database.part.trouble()) is None
        engines.database.stop()
        assert loop.run(database.part.trouble()) is not None
        assert not loop.run(_answers(database))
        engines.database.start()
        assert loop.run(database.part.trouble()) is None
        assert loop.run(_answers(database))
        loop.run(database.close())


async def _answers(database: Database) -> bool:
    with suppress(*FAULTS):
        return await database.pool.fetchval("SELECT true")
    return False


@pytest.fixture
async def busy(database: Database) -> AsyncIterator[Database]:
    """A database whose connections are all in use: as slow to answer as a frozen server."""
    async with AsyncExitStack() as taken:
        for _ in range(database.pool.get_max_size()):
            await taken.enter_async_context(database.pool.acquire())
        yield database
        await database.part.close()
