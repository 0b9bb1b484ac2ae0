"""What signing in reads: of many holds and fans no more than it needs, by the index that is there for it."""

import json

import asyncpg
import pytest
from tests.fans.reception import nameless

from frontrow import sql

# A busy evening: 20,000 live holds, ten times as many that are over, at fifty events.
SEED = """
SET session_replication_role = replica;
INSERT INTO hold (hold_id, event_id, fan_id, state, seats, tickets, placed_at, expires_at)
SELECT gen_random_uuid(), 1 + n % 50, gen_random_uuid(), CASE n % 11 WHEN 0 THEN 'held' ELSE 'expired' END, '{1}',
       CASE n % 11 WHEN 0 THEN 1 ELSE 0 END, now(), now()
  FROM generate_series(1, 220000) AS n;
ANALYZE hold;
"""


async def plan(connection: asyncpg.Connection) -> dict[str, object]:
    statement = sql.statements("fans")["live_holds_of_fan"]
    await connection.execute(f"PREPARE asked (uuid) AS {statement}")
    told = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked('{nameless()}')")
    await connection.execute("DEALLOCATE asked")
    return json.loads(told)[0]["Plan"]


@pytest.fixture
async def busy(database_url: str) -> asyncpg.Connection:
    connection = await asyncpg.connect(database_url)
    await connection.execute(SEED)
    return connection


async def test_the_holds_of_a_fan_are_found_by_the_index_of_live_ones(busy: asyncpg.Connection):
    assert "hold_live_of_fan" in json.dumps(await plan(busy))
    await busy.close()


async def test_control_without_it_all_holds_are_read(busy: asyncpg.Connection):
    await busy.execute("DROP INDEX hold_live_of_fan")
    assert "Seq Scan" in json.dumps(await plan(busy))
    await busy.close()
