"""No page reads a whole table: what each statement reads of a large catalogue, asked of PostgreSQL's planner.

The catalogue: 50,000 events over five years, of which three thousandths are ahead in the next week. A statement that is
added to these files takes part without being listed here; its arguments follow from their types.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import asyncpg
import pytest
from tests import servers

from frontrow import sql

ROWS_READ_MAX: Final = 3_000  # a month of that catalogue, joined with what lists show of it; the whole is 300,000

# A value of each type that statements ask for: in the middle of what is there.
ARGUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bigint": "50",
        "bigint[]": "ARRAY[50]",
        "integer": "50",
        "text": "'name'",
        "text[]": "ARRAY['name', 'organizer10@example.org']",
        "timestamptz": "'2027-03-01T12:00Z'",
    }
)

SEED: Final = """
INSERT INTO city (name, country, time_zone, latitude, longitude)
SELECT 'City ' || n, 'CH', 'Europe/Zurich', 47, 8 FROM generate_series(1, 500) AS n;
INSERT INTO venue (city_id, name, street, postal_code, latitude, longitude)
SELECT 1 + n % 500, 'Venue ' || n, '', '', 47, 8 FROM generate_series(1, 2000) AS n;
INSERT INTO hall (venue_id, name) SELECT 1 + n % 2000, 'Hall ' || n FROM generate_series(1, 4000) AS n;
INSERT INTO seat_map (sha256, name, seats, document)
SELECT encode(sha256(document), 'hex'), 'Map', 1, document
  FROM convert_to('{"format": "frontrow-seat-map/1", "name": "Map"}', 'UTF8') AS document;
INSERT INTO hall_seat_map (hall_id, version, seat_map) SELECT hall_id, 1, sha256 FROM hall, seat_map;
INSERT INTO organizer (name, email)
SELECT 'Organizer ' || n, format('organizer%s@example.org', n) FROM generate_series(1, 1000) AS n;
INSERT INTO production (organizer_id, name, performers, category, genre, about, minutes, popularity)
SELECT 1 + n % 1000, 'Production ' || n, '{}', 'film', '', '', 90, 0.5 FROM generate_series(1, 5000) AS n;
INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
                   waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
SELECT 1 + n % 5000, 1 + n % 4000, sha256, 'Event ' || n, CASE n % 10 WHEN 0 THEN 'draft' ELSE 'announced' END,
       starts_at - interval '60 days', starts_at, starts_at + interval '2 hours', 'CHF', false, 300, 6, 8
  FROM generate_series(1, 50000) AS n, seat_map,
       LATERAL (SELECT timestamptz '2023-01-01' + n * interval '5 years' / 50000 AS starts_at) AS time;
INSERT INTO lane (event_id) SELECT event_id FROM event;
INSERT INTO price_level (event_id, level, name, amount_minor, fee_minor)
SELECT event_id, level, level, 4500, 300 FROM event, unnest('{A,B,C,D}'::text[]) AS level;
"""

STATEMENTS: Final = {
    f"{file}.{name}": text for file in ("catalogue", "seasons") for name, text in sql.statements(file).items()
}
OF_PAGES: Final = [name for name in STATEMENTS if name.startswith("catalogue.")]
MODES: Final = ("force_custom_plan", "force_generic_plan")  # PostgreSQL takes the one or the other as it sees fit


@pytest.fixture(scope="module")
def large_url(databases: servers.Databases) -> Iterator[str]:
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        loop.run(_seed(url))
        yield url


@pytest.fixture
async def large(large_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(large_url, server_settings={"jit": "off"})
    yield connection
    await connection.close()


async def _seed(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("SET synchronous_commit = off; SET session_replication_role = replica")
    await connection.execute(SEED)
    await connection.execute("VACUUM (ANALYZE)")
    await connection.close()


async def plan_of(connection: asyncpg.Connection, statement: str, mode: str) -> dict[str, Any]:
    """How PostgreSQL runs a statement, and what it read while doing so."""
    types = [parameter.name for parameter in (await connection.prepare(statement)).get_parameters()]
    given = ", ".join(ARGUMENTS[name.replace("int8", "bigint").replace("int4", "integer")] for name in types)
    await connection.execute(f"SET plan_cache_mode = {mode}; PREPARE asked AS {statement}")
    words = f"EXECUTE asked({given})" if given else "EXECUTE asked"
    plan = await connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {words}")
    return json.loads(plan)[0]["Plan"]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def rows_read(plan: dict[str, Any]) -> int:
    """Rows taken from tables and indexes, those among them that were of no use."""
    return sum(
        node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
        for node in nodes(plan)
        if "Relation Name" in node
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", OF_PAGES)
async def test_it_reads_little(large: asyncpg.Connection, name: str, mode: str):
    plan = await plan_of(large, STATEMENTS[name], mode)
    assert rows_read(plan) <= ROWS_READ_MAX, json.dumps(plan, indent=1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("catalogue.listings_upcoming", "event_public_by_start"),
        ("catalogue.listings_of_production", "event_by_production"),
        ("catalogue.listings_of_productions", "event_by_production"),
        ("catalogue.listing_of_event", "event_pkey"),
        ("catalogue.price_levels_of_event", "price_level_pkey"),
        ("seasons.venues_in", "venue_by_city"),
        ("seasons.productions_of", "production_by_organizer"),
    ],
)
async def test_it_enters_by_its_index(large: asyncpg.Connection, name: str, index: str, mode: str):
    plan = await plan_of(large, STATEMENTS[name], mode)
    assert index in {node.get("Index Name") for node in nodes(plan)}, json.dumps(plan, indent=1)


@pytest.mark.parametrize(
    ("index", "name"),
    [
        ("event_public_by_start", "catalogue.listings_upcoming"),
        ("event_by_production", "catalogue.listings_of_production"),
    ],
)
async def test_control_without_its_index_it_reads_much(large: asyncpg.Connection, index: str, name: str):
    await large.execute(f"BEGIN; DROP INDEX {index}")
    plan = await plan_of(large, STATEMENTS[name], "force_custom_plan")
    await large.execute("ROLLBACK")
    assert rows_read(plan) > ROWS_READ_MAX
