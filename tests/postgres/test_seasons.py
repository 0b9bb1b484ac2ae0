"""What a planter learns of the catalogue before planting, and that planters take turns."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import asyncpg
import pytest
from tests.postgres.small_season import NOW, SmallSeason
from tests.postgres.watching import until_waiting

from frontrow import sql
from frontrow.adapters.postgres import seasons
from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import sql_transaction
from frontrow.adapters.postgres.seasons import Seasons
from frontrow.core.catalogue import CityId, VenueId
from frontrow.halt import Halt


async def test_things_are_known_by_their_names(connection: asyncpg.Connection, season: SmallSeason):
    known = Seasons(connection)
    city, venue, organizer = season.city, season.venue, season.organizer
    assert await known.cities(["Zürich", "Nowhere"]) == {("CH", "Zürich"): city.city_id}
    assert await known.venues([city.city_id]) == {(city.city_id, "Kleines Haus"): venue.venue_id}
    assert await known.halls([venue.venue_id]) == {(venue.venue_id, "Saal"): season.hall.hall_id}
    assert await known.organizers([organizer.email, "no@one.example"]) == {organizer.email: organizer.organizer_id}
    assert await known.productions([organizer.organizer_id]) == {
        (organizer.organizer_id, "Twelve Moons"): season.production.production_id
    }


async def test_who_asks_for_nothing_gets_nothing(connection: asyncpg.Connection):
    known = Seasons(connection)
    assert await known.cities([]) == {}
    assert await known.venues([CityId(1)]) == {}
    assert await known.halls([VenueId(1)]) == {}


async def test_of_two_with_one_name_the_older_one_counts(connection: asyncpg.Connection, season: SmallSeason):
    async with sql_transaction(connection):
        writing = CatalogueWriting(connection)
        [city_id], [venue_id] = await writing.city_ids(1), await writing.venue_ids(1)
        await writing.add_cities([replace(season.city, city_id=city_id)])
        await writing.add_venues([replace(season.venue, venue_id=venue_id)])
    known = Seasons(connection)
    assert await known.cities(["Zürich"]) == {("CH", "Zürich"): season.city.city_id}
    assert list((await known.venues([season.city.city_id])).values()) == [season.venue.venue_id]


@pytest.mark.parametrize(
    ("after", "publication", "has_dates"),
    [
        (timedelta(days=-1), "announced", True),
        (timedelta(0), "announced", False),  # what starts now is not ahead
        (timedelta(days=-1), "cancelled", False),
        (timedelta(days=-1), "draft", False),
    ],
)
async def test_who_has_dates_ahead(
    connection: asyncpg.Connection,
    season: SmallSeason,
    after: timedelta,
    publication: str,
    has_dates: bool,  # noqa: FBT001 -- a column of the table above
):
    await connection.execute("UPDATE event SET publication = $1", publication)
    email, now = season.organizer.email, season.event.starts_at + after
    found = await Seasons(connection).organizers_with_dates_ahead([email, "no@one.example"], now=now)
    assert found == (frozenset({email}) if has_dates else frozenset())


async def test_nobody_has_dates_in_an_empty_catalogue(connection: asyncpg.Connection):
    assert await Seasons(connection).organizers_with_dates_ahead(["no@one.example"], now=NOW) == frozenset()


class TestTurns:
    async def test_the_second_planter_waits_for_the_first(self, database_url: str, connection: asyncpg.Connection):
        other = await asyncpg.connect(database_url)
        async with sql_transaction(connection):
            await Seasons(connection).take_turn()
            second = asyncio.create_task(_take_turn(other))
            await until_waiting(connection, 1)
            assert not second.done()
        await second
        await other.close()

    async def test_who_waits_too_long_is_told(
        self, database_url: str, connection: asyncpg.Connection, monkeypatch: pytest.MonkeyPatch
    ):
        statements = {**sql.statements("seasons"), "limit_turn_wait": "SET LOCAL lock_timeout = '20ms'"}
        monkeypatch.setattr(seasons, "_SQL", statements)
        other = await asyncpg.connect(database_url)
        async with sql_transaction(connection):
            await Seasons(connection).take_turn()
            with pytest.raises(Halt, match="another planting of the season takes long"):
                await _take_turn(other)
        await _take_turn(other)  # the control: it was only the turn
        await other.close()


async def _take_turn(connection: asyncpg.Connection) -> None:
    async with sql_transaction(connection):
        await Seasons(connection).take_turn()
