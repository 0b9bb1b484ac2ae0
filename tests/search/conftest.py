"""What tests of searching share: the demo's season with a part of it sold, to be read; a small one, to be changed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Final

import pytest
from tests import servers
from tests.postgres import small_season
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.connection import ReadingPool
from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.price_levels import PostgresPriceLevels
from frontrow.adapters.postgres.search import PostgresSearch, connected_for_search
from frontrow.demo.planting import DemoPlanting
from frontrow.flows.follow_price_levels import FollowPriceLevels
from frontrow.flows.plant_season import plant_season
from frontrow.flows.search import Search

NOW: Final = datetime(2027, 3, 23, 16, 0, tzinfo=UTC)  # a Tuesday, in the week that ends with summer time

# Of every third event all seats are taken, of every other third those of its cheapest price level.
TAKEN: Final = """
WITH numbered AS (
    SELECT event_id, seat_map, row_number() OVER (ORDER BY event_id) AS place FROM event WHERE seat_map IN (
        SELECT sha256 FROM seat_map WHERE seats < 2000)
), part AS (
    SELECT sha256 AS seat_map, place, row_place,
           coalesce(row_ ->> 'price_level', section ->> 'price_level') AS level,
           coalesce(row_ ->> 'seats', section ->> 'capacity')::integer AS seats
      FROM seat_map,
           jsonb_path_query(convert_from(document, 'UTF8')::jsonb, '$.sections[*]')
               WITH ORDINALITY AS s (section, place)
      LEFT JOIN LATERAL jsonb_path_query(section, '$.rows[*]') WITH ORDINALITY AS r (row_, row_place) ON true
), run AS (
    SELECT *, sum(seats) OVER (PARTITION BY seat_map ORDER BY place, row_place) - seats AS first_seat FROM part
), wanted AS (
    SELECT numbered.event_id, array_agg(seat_no::integer ORDER BY seat_no) AS seats
      FROM numbered
      JOIN run USING (seat_map),
           generate_series(first_seat, first_seat + run.seats - 1) AS seat_no
     WHERE numbered.place % 3 = 0
        OR numbered.place % 3 = 1 AND run.level = (SELECT level FROM price_level
                                           WHERE price_level.event_id = numbered.event_id
                                       ORDER BY amount_minor + fee_minor, level LIMIT 1)
     GROUP BY numbered.event_id
)
SELECT count(*)
  FROM wanted, block_seats_v1(event_id, 1, array_fill(1, ARRAY[cardinality(seats)]), seats)
"""


@pytest.fixture(scope="session")
def season_url(databases: servers.Databases) -> Iterator[str]:
    """The demo's season as seen from NOW, with seats of some events gone. Nobody changes it."""
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        loop.run(_plant(url))
        yield url


@pytest.fixture
async def season(season_url: str) -> AsyncIterator[Database]:
    database = await pool.connect(season_url, connections_max=2)
    yield database
    await database.close()


@pytest.fixture
async def index(season_url: str) -> AsyncIterator[PostgresSearch]:
    async with connected_for_search(season_url) as index:
        yield index


@pytest.fixture
def search(index: PostgresSearch) -> Search:
    """Searching the demo's season."""
    return Search(index)


@pytest.fixture
async def own_season(database: Database) -> Database:
    """The demo's season in a database of this test's own."""
    await plant_season(database, DemoPlanting(now=NOW))
    return database


@pytest.fixture
async def small(database: Database) -> SmallSeason:
    """One of each thing of the catalogue, in a database of this test's own."""
    async with database.transaction() as connection:
        return await small_season.plant(connection)


@pytest.fixture
async def small_search(database_url: str) -> AsyncIterator[Search]:
    """Searching that database, each time anew."""
    async with connected_for_search(database_url) as index:
        yield Search(index)


def follower(database: Database) -> FollowPriceLevels:
    return FollowPriceLevels(database.catalogue, database.journal, PostgresPriceLevels(ReadingPool(database.pool)))


async def _plant(url: str) -> None:
    database = await pool.connect(url, connections_max=2)
    await plant_season(database, DemoPlanting(now=NOW))
    async with database.transaction() as connection:
        await connection.execute("SET LOCAL statement_timeout = 0")
        await connection.fetch(TAKEN)
    await follower(database).look(at_all=True)
    await database.pool.execute("VACUUM (ANALYZE)")
    await database.close()
