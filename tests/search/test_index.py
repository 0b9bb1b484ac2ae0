"""The index follows the catalogue: every change is found at once, and making all of it anew changes nothing."""

import asyncio
from collections.abc import Sequence
from typing import Final

import asyncpg
import pytest
from tests.postgres.small_season import NOW, SmallSeason
from tests.postgres.watching import until_waiting
from tests.search.conftest import NOW as SEASON_NOW

from frontrow.adapters.postgres.pool import Database
from frontrow.core.search import Position, Sort, Wish
from frontrow.flows.search import Search

STALE: Final = "SELECT invariant, violation FROM violations_v1(20) WHERE invariant LIKE 'inv\\_search%'"
CONTENT: Final = {
    "search_name": "SELECT owner, of_id, kind, name, said, folded FROM search_name",
    "search_word": """
        SELECT word, is_stem, name.owner, name.of_id, kind, said, worth
          FROM search_word JOIN search_name AS name USING (name_id)
    """,
    "search_spelling": "SELECT DISTINCT word FROM search_spelling",
    "search_event": "SELECT * FROM search_event",
}

# What an organizer may change, and a search that finds the event afterwards and did not before.
CHANGES: Final[Sequence[tuple[str, Wish]]] = [
    ("UPDATE production SET name = 'Thirteen Suns'", Wish(words="thirteen")),
    ("UPDATE production SET performers = '{Somebody Else}'", Wish(words="somebody else")),
    ("UPDATE production SET also_known_as = '{Zwölf Monde}'", Wish(words="zwolf monde")),
    ("UPDATE production SET genre = 'polka'", Wish(words="polka")),
    ("UPDATE production SET genre = 'polka'", Wish(genre="polka")),
    ("UPDATE production SET category = 'comedy'", Wish(words="kabarett")),
    ("UPDATE venue SET name = 'Grosses Haus'", Wish(words="grosses")),
    ("UPDATE city SET name = 'Winterthur'", Wish(words="winterthur")),
    ("UPDATE city SET also_known_as = '{Turicum}'", Wish(words="turicum")),
    ("UPDATE event SET name = 'The gala'", Wish(words="gala")),
    ("UPDATE price_level SET amount_minor = 10, fee_minor = 0", Wish(price_max=10)),
    ("INSERT INTO price_level SELECT event_id, 'C', 'Gallery', 5, 1 FROM event", Wish(price_max=6)),
    ("DELETE FROM price_level WHERE level = 'B'", Wish(price_min=4_800)),
]


async def count(search: Search, wish: Wish) -> int:
    page = await search.find(wish, sort=Sort.RELEVANCE, after=Position.first(NOW), limit=10, counted=False)
    return len(page.found)


async def content(database: Database) -> dict[str, Sequence[str]]:
    """All that the index holds, but for numbers that mean nothing."""
    return {
        table: sorted(str(tuple(row.values())) for row in await database.pool.fetch(query))
        for table, query in CONTENT.items()
    }


@pytest.mark.parametrize(("change", "wish"), CHANGES)
async def test_a_change_is_found_at_once(
    database: Database, small: SmallSeason, small_search: Search, change: str, wish: Wish
):
    assert small.event.name
    assert await count(small_search, wish) == 0
    await database.pool.execute(change)
    assert await count(small_search, wish) == 1
    assert await database.pool.fetch(STALE) == []


@pytest.mark.parametrize(("change", "wish"), CHANGES)
async def test_control_without_its_trigger_it_is_not_found_and_the_audit_tells(
    database: Database, small: SmallSeason, small_search: Search, change: str, wish: Wish
):
    assert small.event.name
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute("SET LOCAL session_replication_role = replica")
        await connection.execute(change)
    assert await count(small_search, wish) == 0
    assert await database.pool.fetch(STALE) != []


async def test_what_is_gone_is_not_found(database: Database, small: SmallSeason, small_search: Search):
    twelve = Wish(words="twelve moons")
    assert await count(small_search, twelve) == 1
    await database.pool.execute("UPDATE event SET publication = 'draft'")
    assert await count(small_search, twelve) == 0
    assert await count(small_search, Wish()) == 0
    await database.pool.execute("UPDATE event SET publication = 'cancelled'")
    assert await count(small_search, twelve) == 1  # people want to know
    await database.pool.execute("DELETE FROM price_level")
    assert await count(small_search, twelve) == 0  # what has no price is not listed either
    await database.pool.execute("DELETE FROM lane; DELETE FROM event")
    await database.pool.execute(
        "DELETE FROM production; DELETE FROM hall_seat_map; DELETE FROM hall; DELETE FROM venue"
    )
    await database.pool.execute("DELETE FROM city")
    assert await database.pool.fetchval("SELECT count(*) FROM search_name WHERE owner <> 'category'") == 0
    assert await database.pool.fetch(STALE) == []
    assert small.event.name


async def test_an_event_that_moves_is_found_where_it_is(database: Database, small: SmallSeason, small_search: Search):
    await database.pool.execute("""
        INSERT INTO city (name, country, time_zone, latitude, longitude) VALUES ('Basel', 'CH', 'Europe/Zurich', 47, 7);
        UPDATE venue SET city_id = (SELECT city_id FROM city WHERE name = 'Basel');
    """)
    assert await count(small_search, Wish(words="basel")) == 1
    assert await count(small_search, Wish(words="zurich")) == 0
    assert await count(small_search, Wish(city_id=small.city.city_id)) == 0


async def test_a_price_that_moves_counts_for_both_events(database: Database, small: SmallSeason):
    await database.pool.execute("""
        INSERT INTO event OVERRIDING SYSTEM VALUE
        SELECT event_id + 1, production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at,
                                 ends_at, currency, waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max
          FROM event;
    """)
    await database.pool.execute("UPDATE price_level SET event_id = event_id + 1 WHERE level = 'B'")
    rows = await database.pool.fetch("SELECT event_id, price_minor FROM search_event ORDER BY event_id")
    first = small.event.event_id
    assert [tuple(row.values()) for row in rows] == [(first, 4_800), (first + 1, 2_700)]


async def test_made_anew_it_is_the_same(season: Database, database: Database, small: SmallSeason):
    """Here after changes; of the whole season in the next."""
    for change, _ in CHANGES:
        await database.pool.execute(change)
    before = await content(database)
    await database.pool.execute("SELECT rebuild_search_v1()")
    after = await content(database)
    assert set(after["search_spelling"]) <= set(before["search_spelling"])  # words of old are forgotten
    del before["search_spelling"], after["search_spelling"]
    assert after == before
    assert small.event.name
    assert await season.pool.fetch(STALE) == []


async def test_a_search_returns_the_same_with_the_index_made_anew(own_season: Database, small_search: Search):
    asked = [Wish(words=words) for words in ("film", "odessa quill", "lissabon", "tragedy", "theatre london", "brass")]
    before = [await ids(small_search, wish) for wish in asked]
    assert all(before[:3])
    await own_season.pool.execute("SELECT rebuild_search_v1()")
    assert [await ids(small_search, wish) for wish in asked] == before


async def ids(search: Search, wish: Wish) -> Sequence[int]:
    page = await search.find(wish, sort=Sort.RELEVANCE, after=Position.first(SEASON_NOW), limit=100, counted=False)
    return [found.listing.event_id for found in page.found]


class TestTwoAtOnce:
    """Two who change what meets in one event: whichever is first, both changes are in the index."""

    async def test_a_production_and_a_venue(self, database: Database, database_url: str, small: SmallSeason):
        first, second = await asyncpg.connect(database_url), await asyncpg.connect(database_url)
        await first.execute("BEGIN; UPDATE production SET genre = 'polka'")
        moving = asyncio.create_task(second.execute("UPDATE event SET name = 'Gala', starts_at = starts_at + '1 hour'"))
        await until_waiting(first, 1)
        await first.execute("COMMIT")
        await moving
        assert await database.pool.fetchval("SELECT genre FROM search_event") == "polka"
        assert await database.pool.fetch(STALE) == []
        assert small.event.name
        await first.close()
        await second.close()

    async def test_a_production_and_a_new_event_of_it(self, database: Database, database_url: str, small: SmallSeason):
        first, second = await asyncpg.connect(database_url), await asyncpg.connect(database_url)
        await first.execute("BEGIN; UPDATE production SET genre = 'polka'")
        adding = asyncio.create_task(
            second.execute("""
                BEGIN;
                INSERT INTO event OVERRIDING SYSTEM VALUE
                SELECT event_id + 1000, production_id, hall_id, seat_map, name, publication, on_sale_at,
                       starts_at, ends_at, currency, waiting_room, hold_seconds, seats_per_hold_max,
                       tickets_per_fan_max
                  FROM event;
                INSERT INTO lane SELECT event_id + 1000 FROM lane;
                INSERT INTO price_level SELECT event_id + 1000, level, name, amount_minor, fee_minor FROM price_level;
                COMMIT;
            """)
        )
        await until_waiting(first, 1)
        await first.execute("COMMIT")
        await adding
        genres = await database.pool.fetch("SELECT DISTINCT genre FROM search_event")
        assert [row["genre"] for row in genres] == ["polka"]
        assert await database.pool.fetch(STALE) == []
        assert small.event.name
        await first.close()
        await second.close()


async def test_an_odd_catalogue_is_indexed_too(database: Database, small: SmallSeason, small_search: Search):
    """Names at the limits, none at all, and twice the same."""
    await database.pool.execute(
        "UPDATE production SET performers = $1, genre = '', also_known_as = $2",
        ["x" * 5_000, "", "Same", "Same", "'; DROP TABLE event; --"],
        ["", "Twelve Moons", "\u202e reversed"],
    )
    await database.pool.execute("UPDATE venue SET name = $1", "\ufb01" * 200)
    assert await database.pool.fetch(STALE) == []
    assert await count(small_search, Wish(words="drop table event")) == 1
    assert small.event.name
