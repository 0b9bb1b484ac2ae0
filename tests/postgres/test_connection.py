"""One connection: its SQL transactions, and what an operator reads when it does not come about."""

import asyncio
from contextlib import suppress
from typing import Final

import asyncpg
import pytest
from tests.postgres.watching import until_waiting

from frontrow.adapters.postgres.connection import (
    ErrorSwallowedError,
    address,
    connected,
    halting,
    sql_transaction,
)
from frontrow.halt import Halt

ADD: Final = "INSERT INTO organizer (name, email) VALUES ('Limmat Concerts', 'office@limmat.example')"


async def organizers(connection: asyncpg.Connection) -> int:
    return await connection.fetchval("SELECT count(*) FROM organizer")


class TestSqlTransaction:
    async def test_it_is_stored_at_its_end(self, connection: asyncpg.Connection):
        async with sql_transaction(connection):
            await connection.execute(ADD)
        assert (await organizers(connection), connection.is_in_transaction()) == (1, False)

    @pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, asyncio.CancelledError])
    async def test_whatever_ends_it_early_stores_nothing(
        self, connection: asyncpg.Connection, failure: type[BaseException]
    ):
        with pytest.raises(failure):  # noqa: PT012 -- the block is what is tested
            async with sql_transaction(connection):
                await connection.execute(ADD)
                raise failure
        assert (await organizers(connection), connection.is_in_transaction()) == (0, False)

    async def test_an_error_that_was_caught_inside_is_told(self, connection: asyncpg.Connection):
        with pytest.raises(ErrorSwallowedError):  # noqa: PT012 -- the block is what is tested
            async with sql_transaction(connection):
                await connection.execute(ADD)
                with suppress(asyncpg.PostgresError):
                    await connection.execute("SELECT 1 / 0")
        assert await organizers(connection) == 0

    async def test_control_asyncpg_says_nothing_and_stores_nothing(self, connection: asyncpg.Connection):
        async with connection.transaction():
            await connection.execute(ADD)
            with suppress(asyncpg.PostgresError):
                await connection.execute("SELECT 1 / 0")
        assert await organizers(connection) == 0

    async def test_its_isolation_is_the_one_the_statements_are_written_for(self, connection: asyncpg.Connection):
        await connection.execute("SET default_transaction_isolation = 'serializable'")
        async with sql_transaction(connection):
            assert await connection.fetchval("SHOW transaction_isolation") == "read committed"

    async def test_a_statement_cancelled_on_its_way_stores_nothing(
        self, database_url: str, connection: asyncpg.Connection
    ):
        other = await asyncpg.connect(database_url)
        async with connection.transaction():
            await connection.execute("LOCK TABLE organizer")
            adding = asyncio.create_task(_add(other))
            await until_waiting(connection, 1)
            adding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await adding
        assert (await organizers(connection), other.is_in_transaction()) == (0, False)
        await other.close()

    async def test_the_first_fault_is_the_one_told_when_the_connection_is_lost(
        self, database_url: str, connection: asyncpg.Connection
    ):
        other = await asyncpg.connect(database_url)
        with pytest.raises(ValueError, match="the first"):  # noqa: PT012 -- the block is what is tested
            async with sql_transaction(other):
                await connection.execute("SELECT pg_terminate_backend($1, 5000)", other.get_server_pid())
                raise ValueError("the first")
        assert other.is_closed()


async def _add(connection: asyncpg.Connection) -> None:
    async with sql_transaction(connection):
        await connection.execute(ADD)


class TestConnecting:
    async def test_its_purpose_shows(self, database_url: str):
        async with connected(database_url, purpose="audit") as connection:
            assert await connection.fetchval("SHOW application_name") == "frontrow audit"
        assert connection.is_closed()

    @pytest.mark.parametrize(
        ("url", "words"),
        [
            ("postgresql://fan:secret@127.0.0.1:1/seats", r"fan:\*\*\*@127\.0\.0\.1:1/seats: cannot be reached"),
            ("postgresql://frontrow@/x?host=/nowhere/at/all", "cannot be reached"),  # no such socket
            (
                "postgresql://127.0.0.1:99999/frontrow",
                "correct FRONTROW_DATABASE_URL",
            ),  # no such port
            ("postgresql://127.0.0.1:port/frontrow", "correct FRONTROW_DATABASE_URL"),  # no number
            ("postgresql://127.0.0.1:1/frontrow?sslmode=maybe", "correct FRONTROW_DATABASE_URL"),
        ],
    )
    async def test_what_cannot_be_reached_is_one_line(self, url: str, words: str):
        with pytest.raises(Halt, match=words) as halt:
            async with connected(url, purpose="audit"):
                raise AssertionError("it connected")
        assert "secret" not in str(halt.value)
        assert "\n" not in str(halt.value)

    async def test_a_database_that_is_not_there_is_to_be_made(self, empty_database_url: str):
        missing = empty_database_url.replace("frontrow_test_", "frontrow_missing_")
        with pytest.raises(Halt, match="does not exist; create it, or correct"):
            async with connected(missing, purpose="audit"):
                raise AssertionError("it connected")

    async def test_an_account_that_is_not_there(self, empty_database_url: str):
        with pytest.raises(Halt, match="correct user and password"):
            async with connected(empty_database_url.replace("//frontrow@", "//nobody_known@"), purpose="audit"):
                raise AssertionError("it connected")

    @pytest.mark.parametrize(
        ("error", "words"),
        [
            (TimeoutError(), "no answer within 5 s; is it running, and does a firewall"),
            (asyncpg.TooManyConnectionsError("sorry, too many clients"), "lower FRONTROW_DATABASE_CONNECTIONS_MAX"),
            (asyncpg.CannotConnectNowError("the database system is starting up"), "try again in a moment"),
            (asyncpg.InvalidPasswordError("password authentication failed"), "correct user and password"),
        ],
    )
    def test_what_no_test_can_wait_for_has_words_too(self, error: Exception, words: str):
        with pytest.raises(Halt, match=words), halting("postgresql://db.example/frontrow"):
            raise error


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://db.example/frontrow", "postgresql://db.example/frontrow"),
        ("postgresql://fan@db.example/frontrow", "postgresql://fan@db.example/frontrow"),
        ("postgresql://fan:secret@db.example:5432/frontrow", "postgresql://fan:***@db.example:5432/frontrow"),
        ("postgresql://fan:sec@ret@db.example/frontrow", "postgresql://fan:***@db.example/frontrow"),
        ("postgresql://fan:s?cret@db.example/frontrow", "postgresql://fan:***@db.example/frontrow"),
        ("postgresql://fan:s/cret@db.example/frontrow", "postgresql://fan:***@db.example/frontrow"),
        ("postgresql://:secret@db.example/frontrow", "postgresql://:***@db.example/frontrow"),
        ("postgresql://db.example/frontrow?user=fan&password=secret", "postgresql://db.example/frontrow"),
        ("postgresql://fan:secret@/frontrow?host=/run/x", "postgresql://fan:***@/frontrow"),
        ("postgresql://db.example/frontrow?password=sec@ret", "postgresql://db.example/frontrow"),
    ],
)
def test_an_address_shows_no_password(url: str, shown: str):
    assert address(url) == shown
