"""Migrations: each once, in order, whole or not at all; and who refuses which database."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, Literal, LiteralString

import asyncpg
import pytest
from tests.postgres.watching import until_waiting

from frontrow import sql
from frontrow.adapters.postgres import migrations
from frontrow.adapters.postgres.migrations import (
    Applied,
    SchemaState,
    ensure_understood,
    migrate,
    misunderstanding,
    schema_state,
)
from frontrow.halt import Halt
from frontrow.sql import Migration

KNOWN: Final = sql.migrations()
every_migration = pytest.mark.parametrize("migration", KNOWN, ids=lambda migration: migration.name)


def made_up(
    number: int, text: LiteralString, *, kind: Literal["expand", "contract"] = "expand", name: str = ""
) -> Migration:
    name = name or f"{number:04}_{kind}_made_up"
    return Migration(number, kind, name, text, sha256(text.encode()).hexdigest())


NEWEST: Final = KNOWN[-1].number
NEXT: Final = NEWEST + 1


class TestRunning:
    async def test_one_that_was_missing_below_the_newest_is_run(self, connection: asyncpg.Connection):
        """Two branches were made at the same time; the one with the lower number is here later."""
        later, earlier = made_up(NEXT + 1, "CREATE TABLE later ();"), made_up(NEXT, "CREATE TABLE earlier ();")
        assert await migrate(connection, (*KNOWN, later)) == (later,)
        assert await migrate(connection, (*KNOWN, earlier, later)) == (earlier,)
        assert await migrate(connection, (*KNOWN, earlier, later)) == ()

    async def test_each_takes_the_database_one_step_further(self, empty: asyncpg.Connection):
        for number, migration in enumerate(KNOWN, start=1):
            assert await migrate(empty, KNOWN[:number]) == (migration,)
            assert (await schema_state(empty)).newest == migration.number

    async def test_the_second_time_nothing_is_left_to_do(self, empty: asyncpg.Connection):
        assert await migrate(empty) == KNOWN
        assert await migrate(empty) == ()

    async def test_what_ran_is_recorded(self, empty: asyncpg.Connection):
        await migrate(empty)
        state = await schema_state(empty)
        assert [(a.number, a.name, a.sha256) for a in state.applied] == [(m.number, m.name, m.sha256) for m in KNOWN]

    async def test_an_empty_database_has_no_state(self, empty: asyncpg.Connection):
        state = await schema_state(empty)
        assert (state.newest, state.applied, state.oldest_program) == (0, (), 0)

    async def test_one_that_fails_leaves_nothing(self, connection: asyncpg.Connection):
        half = made_up(NEXT, "CREATE TABLE half (id bigint PRIMARY KEY); SELECT 1 / 0;")
        with pytest.raises(Halt, match=rf"{half.name} changed nothing: division by zero; .*report"):
            await migrate(connection, (*KNOWN, half))
        assert await connection.fetchval("SELECT to_regclass('half')") is None
        assert (await schema_state(connection)).newest == NEWEST
        assert not connection.is_in_transaction()

    async def test_those_before_one_that_fails_stay(self, connection: asyncpg.Connection):
        good, bad = made_up(NEXT, "CREATE TABLE good ();"), made_up(NEXT + 1, "SELECT 1 / 0;")
        with pytest.raises(Halt, match=bad.name):
            await migrate(connection, (*KNOWN, good, bad))
        assert (await schema_state(connection)).newest == NEXT

    async def test_one_whose_process_dies_leaves_nothing(
        self, connection: asyncpg.Connection, crowd: list[asyncpg.Connection]
    ):
        victim, holder, *_ = crowd
        await holder.execute("BEGIN; LOCK TABLE city")
        half = made_up(NEXT, "CREATE TABLE half (); ALTER TABLE city ADD COLUMN mayor text;")
        running = asyncio.create_task(migrate(victim, (*KNOWN, half)))
        await until_waiting(connection, 1)
        await connection.execute("SELECT pg_terminate_backend($1)", victim.get_server_pid())
        with pytest.raises((Halt, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
            await running
        assert await connection.fetchval("SELECT to_regclass('half')") is None
        assert await migrate(connection, KNOWN) == ()


class TestTwoAtOnce:
    """Both wait at a gate inside the first migration's SQL transaction, or for their turn before it."""

    GATED: Final = made_up(NEXT, "SELECT pg_advisory_xact_lock_shared(1); CREATE TABLE gated ();")

    async def migrate_twice(
        self, watcher: asyncpg.Connection, crowd: list[asyncpg.Connection]
    ) -> list[tuple[Migration, ...] | BaseException]:
        one, other, keeper, *_ = crowd
        await keeper.execute("BEGIN; SELECT pg_advisory_xact_lock(1)")
        both = asyncio.gather(
            migrate(one, (*KNOWN, self.GATED)), migrate(other, (*KNOWN, self.GATED)), return_exceptions=True
        )
        await until_waiting(watcher, 2)
        await keeper.execute("COMMIT")
        return list(await both)

    async def test_each_migration_runs_once(self, connection: asyncpg.Connection, crowd: list[asyncpg.Connection]):
        assert sorted(map(str, await self.migrate_twice(connection, crowd))) == sorted(map(str, [(self.GATED,), ()]))

    async def test_control_without_turns_the_second_one_runs_it_again(
        self, connection: asyncpg.Connection, crowd: list[asyncpg.Connection], monkeypatch: pytest.MonkeyPatch
    ):
        async def no_turn(_: object) -> None: ...

        monkeypatch.setattr(migrations, "_take_turn", no_turn)
        ends = await self.migrate_twice(connection, crowd)
        assert [str(end) for end in ends if isinstance(end, Halt)] != []

    async def test_who_waits_too_long_is_told(
        self, connection: asyncpg.Connection, crowd: list[asyncpg.Connection], monkeypatch: pytest.MonkeyPatch
    ):
        statements = {**sql.statements("migrations"), "limit_turn_wait": "SET LOCAL lock_timeout = '20ms'"}
        monkeypatch.setattr(migrations, "_SQL", statements)
        keeper, *_ = crowd
        await keeper.execute(f"BEGIN; {statements['take_turn']}")
        with pytest.raises(Halt, match="another migration has been running for a minute"):
            await migrate(connection)
        assert not connection.is_in_transaction()


class TestLimits:
    async def test_a_blocked_migration_gives_up_and_changes_nothing(
        self, connection: asyncpg.Connection, crowd: list[asyncpg.Connection]
    ):
        holder, *_ = crowd
        await holder.execute("BEGIN; SELECT FROM city")
        blocked = made_up(
            NEXT,
            "SET LOCAL lock_timeout = '50ms'; CREATE TABLE half (); ALTER TABLE city ADD COLUMN mayor text;",
        )
        with pytest.raises(Halt, match=r"changed nothing: .*something else works on the table: try again"):
            await migrate(connection, (*KNOWN, blocked))
        assert await connection.fetchval("SELECT to_regclass('half')") is None
        await holder.execute("ROLLBACK")
        assert await migrate(connection, (*KNOWN, blocked)) == (blocked,)  # the control: it was only the table

    async def test_every_migration_has_limits(self, connection: asyncpg.Connection):
        seen = made_up(
            NEXT,
            "CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS for_a_table,"
            " current_setting('statement_timeout') AS for_a_statement;",
        )
        before = await connection.fetchval("SHOW lock_timeout")
        await migrate(connection, (*KNOWN, seen))
        assert tuple(await connection.fetchrow("SELECT * FROM seen") or ()) == ("5s", "5min")
        assert await connection.fetchval("SHOW lock_timeout") == before  # and whoever comes after it has none

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("SET LOCAL statement_timeout = '20ms'; SELECT pg_sleep(60);", "try again at a quieter hour"),
            ("SET LOCAL ROLE pg_monitor; CREATE TABLE theirs ();", "own the database"),
            ("CREATE TABLE city ();", "give Frontrow a database of its own"),
            ("SELEC 1;", "please report it"),
        ],
    )
    async def test_a_failure_says_what_helps(self, connection: asyncpg.Connection, text: LiteralString, words: str):
        with pytest.raises(Halt, match=words):
            await migrate(connection, (*KNOWN, made_up(NEXT, text)))


class TestRefusals:
    async def test_a_file_that_changed_after_it_ran(self, connection: asyncpg.Connection):
        changed = made_up(KNOWN[0].number, "SELECT 1;", name=KNOWN[0].name)
        known = (changed, *KNOWN[1:])
        with pytest.raises(Halt, match=rf"{changed.name} is not the one that ran .*restore the file"):
            await migrate(connection, known)
        with pytest.raises(Halt, match="restore the file"):
            await ensure_understood(connection, known)

    async def test_a_database_that_is_behind(self, empty: asyncpg.Connection):
        with pytest.raises(Halt, match=rf"at 0000, this Frontrow needs {NEWEST:04}: run `frontrow db migrate`"):
            await ensure_understood(empty)

    async def test_a_newer_database_after_an_expansion_is_understood(self, connection: asyncpg.Connection):
        await migrate(connection, (*KNOWN, made_up(NEXT, "CREATE TABLE newer ();")))
        await ensure_understood(connection, KNOWN)
        assert await migrate(connection, KNOWN) == ()

    async def test_a_newer_database_after_a_contraction_is_not(self, connection: asyncpg.Connection):
        raising: LiteralString = "UPDATE schema_compat SET oldest_program = (SELECT max(number) FROM schema_migration);"
        expand, contract = made_up(NEXT, "CREATE TABLE newer ();"), made_up(NEXT + 1, raising, kind="contract")
        await migrate(connection, (*KNOWN, expand, contract))
        for refusing in (ensure_understood(connection, KNOWN), migrate(connection, KNOWN)):
            with pytest.raises(Halt, match=rf"at {NEXT + 1:04}, .* up to {NEWEST:04}: run the newer Frontrow"):
                await refusing

    @pytest.mark.parametrize(
        ("server_major", "ran", "oldest_program", "words"),
        [
            (15, 2, 1, None),  # the oldest server, and a database as this program makes it
            (18, 3, 2, None),  # one that a newer program expanded
            (14, 2, 1, "PostgreSQL 15 or newer"),  # too old a server
            (14, 0, 0, "PostgreSQL 15 or newer"),  # … is said before that migrations are missing
            (15, 3, 3, "run the newer Frontrow"),  # contracted
            (15, 0, 0, "frontrow db migrate"),  # empty
            (15, 1, 1, "frontrow db migrate"),  # behind
        ],
    )
    def test_who_understands_what(self, server_major: int, ran: int, oldest_program: int, words: str | None):
        known = (made_up(1, "SELECT 1;"), made_up(2, "SELECT 2;"))
        hashes = {migration.number: migration.sha256 for migration in known}
        applied = tuple(
            Applied(number, f"{number:04}", hashes.get(number, "0" * 64), datetime(2027, 1, 1, tzinfo=UTC))
            for number in range(1, ran + 1)
        )
        state = SchemaState(server_major, f"{server_major}.1", applied, oldest_program)
        said = misunderstanding(state, known)
        assert said == words if words is None else words in (said or "")


class TestFiles:
    @every_migration
    async def test_only_a_contraction_raises_the_oldest_program(self, empty: asyncpg.Connection, migration: Migration):
        await migrate(empty, [each for each in KNOWN if each.number < migration.number])
        before = (await schema_state(empty)).oldest_program or 1
        await migrate(empty, [each for each in KNOWN if each.number <= migration.number])
        after = (await schema_state(empty)).oldest_program
        assert (after > before) == (migration.kind == "contract")
        assert after <= migration.number

    @every_migration
    def test_it_says_on_top_why_it_is_safe(self, migration: Migration):
        header = re.match(r"(?:--.*\n)+", migration.text)
        assert header is not None
        assert f"\n-- {migration.kind.capitalize()}: " in header[0]

    @every_migration
    def test_it_leaves_its_sql_transaction_alone(self, migration: Migration):
        code = re.sub(r"--.*|\$\$.*?\$\$", "", migration.text, flags=re.DOTALL if "$$" in migration.text else 0)
        assert (
            re.search(r"\b(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|CONCURRENTLY|VACUUM)\b", code, re.IGNORECASE) is None
        )


@pytest.fixture
async def crowd(database_url: str) -> AsyncIterator[list[asyncpg.Connection]]:
    """More connections to the database of `connection`."""
    async with AsyncExitStack() as ending:
        connections = [await asyncpg.connect(database_url) for _ in range(3)]
        for connection in connections:
            ending.push_async_callback(connection.close, timeout=5)
        yield connections
