"""What taking jobs reads: those that are due, however many were done or wait for their next try."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import asyncpg
import pytest

from frontrow import sql

# A mail server was away: many wait for their next try, few are due, and a day's jobs are done.
SEED = """
INSERT INTO job (kind, job_key, payload, state, urgency, attempts, due_at, made_at)
SELECT 'mail', seeded.what || n, '{}', seeded.state, n % 6, 1, now() + n * seeded.step, now()
  FROM (VALUES ('done ', 'done', interval '-1 s', 60000), ('later ', 'waiting', interval '1 s', 20000),
               ('due ', 'waiting', interval '-1 ms', 100)) AS seeded (what, state, step, jobs)
 CROSS JOIN LATERAL generate_series(1, seeded.jobs) AS n;
"""
ROWS_READ_MAX = 200


@pytest.fixture
async def busy(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database_url)
    await connection.execute(SEED)
    await connection.execute("ANALYZE job")
    yield connection
    await connection.close()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


async def plan_of(connection: asyncpg.Connection, name: str, types: str, given: str, mode: str) -> dict[str, Any]:
    statement = sql.statements("jobs")[name]
    await connection.execute(f"SET plan_cache_mode = {mode}; PREPARE asked ({types}) AS {statement}")
    told = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({given})")
    await connection.execute("DEALLOCATE asked")
    return json.loads(told)[0]["Plan"]


def rows_read(plan: dict[str, Any]) -> int:
    """Rows taken from the table, those among them that were of no use."""
    return sum(
        node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
        for node in nodes(plan)
        if "Relation Name" in node
    )


STATEMENTS = [
    ("take_jobs", "text[], integer, float8", "'{mail}', 16, 30"),
    ("dead_jobs", "integer", "100"),
    ("forget_jobs", "integer, float8", "10, 3600"),
]


@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize(("name", "types", "given"), STATEMENTS, ids=[name for name, *_ in STATEMENTS])
async def test_it_reads_little(busy: asyncpg.Connection, name: str, types: str, given: str, mode: str):
    plan = await plan_of(busy, name, types, given, mode)
    assert rows_read(plan) <= ROWS_READ_MAX, json.dumps(plan, indent=1)


async def test_control_without_its_index_it_reads_all(busy: asyncpg.Connection):
    await busy.execute("DROP INDEX job_due")
    assert rows_read(await plan_of(busy, *STATEMENTS[0], "force_custom_plan")) > 20_000
