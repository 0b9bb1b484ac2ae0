"""What the ledger reads of many claims: asked of PostgreSQL as it runs the functions, statement by statement.

PostgreSQL plans for what it is asked with, or once for anything, as it sees fit; and it plans by what it knows of the
tables, which is little before the first ANALYZE, and wrong where they were empty at the time.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final, LiteralString, TypeAlias

import asyncpg
import pytest
from tests import servers
from tests.ledger.many_claims import ALL, CLAIMS, DECIDED, EVENTS, ONE, READ, REQUESTS
from tests.ledger.rewriting import rewrite
from tests.postgres.test_plans import nodes

from frontrow import sql

ROWS_OF_A_REQUEST_MAX: Final = 20  # its hold, its fan's holds and its seats' claims, some of them several times
LARGE: Final = ("claim", "hold", "journal")
MODES: Final = ("force_custom_plan", "force_generic_plan")
CASES: Final = [(name, words) for name, decided in DECIDED.items() for words in decided]
OF_A_CROWD: Final = [
    ("hold_seats", words) for words in ("free ones", "sold ones", "once more", "by fans who hold some")
]
PG_17: Final = 170_000
PLANS_KEPT_AFTER: Final = 8  # times that a statement was asked; then it is planned for anything, if that looks as good

Plan: TypeAlias = dict[str, Any]  # a node, with those below it
Asking: TypeAlias = asyncpg.Connection | asyncpg.pool.PoolConnectionProxy

EXPLAINING: Final[LiteralString] = """
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_nested_statements = on;
SET auto_explain.log_analyze = on;
SET auto_explain.log_format = json;
SET auto_explain.log_level = notice;
SET jit = off;
"""

# What PostgreSQL knows of the tables.
KNOWN: Final[LiteralString] = "SELECT"
UNKNOWN: Final[LiteralString] = """
    DELETE FROM pg_statistic USING pg_class WHERE starelid = pg_class.oid AND relname ~ '^(claim|hold|journal)';
    UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0
     WHERE relname ~ '^(claim|hold|journal)' AND relkind IN ('r', 'p')
"""
ALL_WERE_OVER: Final[LiteralString] = """
    UPDATE hold SET expires_at = expires_at - interval '1 day' WHERE state = 'held';
    ANALYZE hold;
    UPDATE hold SET expires_at = expires_at + interval '1 day' WHERE state = 'held'
"""


@pytest.fixture(scope="module")
def million_url(databases: servers.Databases) -> Iterator[str]:
    """A database with a million claims."""
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        loop.run(_fill(url))
        yield url


@pytest.fixture
async def million(million_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection to it. What is done with it is undone at the end."""
    connection = await asyncpg.connect(million_url)
    await connection.execute(EXPLAINING)
    await connection.execute("BEGIN")
    yield connection
    await connection.execute("ROLLBACK")
    await connection.close()


async def _fill(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET synchronous_commit = off; SET session_replication_role = replica")
    await connection.execute(EVENTS + ALL + CLAIMS)
    await connection.execute("VACUUM (ANALYZE)")
    await connection.close()


async def plans_of(connection: Asking, statement: str, asked: Sequence[object]) -> Sequence[Plan]:
    """How PostgreSQL ran a statement, and each one that this led to."""
    told: list[Plan] = []

    def hear(_: object, message: asyncpg.PostgresLogMessage) -> None:
        text = str(message.message)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType] -- set at run time
        told.append(json.loads(text.partition("plan:")[2])["Plan"])

    connection.add_log_listener(hear)
    await connection.fetch(statement, *asked)
    await connection.execute("SELECT")  # the one before it ends now, and is told of
    await asyncio.sleep(0)  # listeners are called soon
    connection.remove_log_listener(hear)
    return told


def of_large(plans: Sequence[Plan]) -> Sequence[Plan]:
    """What was done with the large tables."""
    return [
        node
        for plan in plans
        for node in nodes(plan)
        if node.get("Relation Name", "").startswith(LARGE) and node["Actual Loops"]
    ]


def rows_of(plans: Sequence[Plan]) -> float:
    """Rows of theirs that were read, those among them that were of no use."""
    return sum(
        node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) for node in of_large(plans)
    )


def whole_tables(plans: Sequence[Plan]) -> Sequence[str]:
    return [node["Relation Name"] for node in of_large(plans) if node["Node Type"] == "Seq Scan"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("known", [KNOWN, UNKNOWN], ids=["known", "unknown"])
@pytest.mark.parametrize(("name", "words"), CASES)
async def test_a_batch_reads_what_it_is_about(
    million: asyncpg.Connection, name: str, words: str, known: LiteralString, mode: str
):
    await million.execute(known)
    await million.execute(f"SET plan_cache_mode = {mode}")
    plans = await plans_of(million, sql.statements("ledger")[name], DECIDED[name][words])
    assert whole_tables(plans) == []
    assert 0 < rows_of(plans) <= REQUESTS * ROWS_OF_A_REQUEST_MAX


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("known", [KNOWN, UNKNOWN, ALL_WERE_OVER], ids=["known", "unknown", "all were over"])
@pytest.mark.parametrize("name", READ)
async def test_who_follows_reads_what_is_asked_for(
    million: asyncpg.Connection, name: str, known: LiteralString, mode: str
):
    asked, rows = READ[name]
    await million.execute(known)
    await million.execute(f"SET plan_cache_mode = {mode}")
    plans = await plans_of(million, sql.statements("journal")[name], asked)
    assert whole_tables(plans) == []
    assert rows_of(plans) == rows


async def test_plans_of_empty_tables_are_good_for_full_ones(connections: asyncpg.Pool):
    """Those of the first on-sale are such, until PostgreSQL looks at the tables for the first time: within a minute.

    Before 17 it looks for one seat number after the other, and reads all claims of an event where it thinks they are
    few; what a crowd does is kept from that on those servers too.
    """
    much = await _read_much(connections)
    if await connections.fetchval("SELECT current_setting('server_version_num')::integer") < PG_17:
        much = [case for case in much if case in OF_A_CROWD]
    assert much == []


async def test_control_an_index_of_live_holds_looks_as_good_as_the_key_and_is_not(connections: asyncpg.Pool):
    await rewrite(connections, "free_holds_v1", {"hold.state || '' IN": "hold.state IN"})
    assert ("release_holds", "") in await _read_much(connections)


async def _read_much(connections: asyncpg.Pool) -> Sequence[tuple[str, str]]:
    """Which batches do, once there are claims, by the plans of a connection that worked before there were any."""
    async with connections.acquire() as filling, connections.acquire() as asking:
        await filling.execute(EVENTS)
        await filling.execute("ANALYZE event; ANALYZE seat_map")
        await asking.execute(EXPLAINING)
        for name, words in CASES:
            for _ in range(PLANS_KEPT_AFTER):
                await _undone(asking, name, DECIDED[name][words])
        await filling.execute("SET session_replication_role = replica")
        await filling.execute(ONE + CLAIMS)
        read = {(name, words): rows_of(await _undone(asking, name, DECIDED[name][words])) for name, words in CASES}
    return [case for case, rows in read.items() if rows > REQUESTS * ROWS_OF_A_REQUEST_MAX]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "name", "words"),
    [
        ("ALTER TABLE hold DROP CONSTRAINT hold_pkey", "release_holds", ""),
        ("DROP INDEX hold_live_of_fan", "hold_seats", "by fans who hold some"),
        ("DROP INDEX hold_bought_by_fan", "hold_seats", "by fans who bought some"),
        ("ALTER TABLE claim DROP CONSTRAINT claim_pkey", "sell_holds", ""),
    ],
)
async def test_control_without_its_index_a_batch_reads_much(
    million: asyncpg.Connection, loss: LiteralString, name: str, words: str
):
    await million.execute(loss)
    plans = await plans_of(million, sql.statements("ledger")[name], DECIDED[name][words])
    assert rows_of(plans) > REQUESTS * ROWS_OF_A_REQUEST_MAX


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "name"),
    [
        ("ALTER TABLE hold DROP CONSTRAINT hold_pkey", "hold_of_fan"),
        ("DROP INDEX hold_live_of_fan", "live_hold_of_fan"),
        ("DROP INDEX hold_due", "holds_over"),
        ("ALTER TABLE claim DROP CONSTRAINT claim_pkey", "claims_of_event"),
        ("ALTER TABLE journal DROP CONSTRAINT journal_pkey", "updates_after"),
    ],
)
async def test_control_without_its_index_who_follows_reads_much(
    million: asyncpg.Connection, loss: LiteralString, name: str
):
    asked, rows = READ[name]
    await million.execute(loss)
    assert rows_of(await plans_of(million, sql.statements("journal")[name], asked)) > rows


def test_every_statement_has_its_test():
    assert set(sql.statements("ledger")) == set(DECIDED)
    assert set(sql.statements("journal")) == set(READ)


async def _undone(connection: Asking, name: str, asked: Sequence[object]) -> Sequence[Plan]:
    """The plans of a batch that leaves nothing behind but plans."""
    await connection.execute("BEGIN")
    plans = await plans_of(connection, sql.statements("ledger")[name], asked)
    await connection.execute("ROLLBACK")
    return plans
