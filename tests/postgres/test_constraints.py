"""The constraints of the catalogue: each lets its edge pass and refuses what lies beyond, under its own name."""

from typing import Final

import asyncpg
import pytest

CATALOGUE: Final = {
    "city",
    "event",
    "hall",
    "hall_seat_map",
    "organizer",
    "price_level",
    "production",
    "schema_compat",
    "schema_migration",
    "seat_map",
    "venue",
}  # fmt: skip -- a list of names

TOO_LARGE: Final = """(
    SELECT encode(sha256(large), 'hex'), large
      FROM convert_to('{"format": "frontrow-seat-map/1", "name": "Small hall"' || repeat(' ', 4194304) || '}', 'UTF8')
           AS large)"""

# (constraint, column, the last value that is good, the first that is bad): every value an SQL expression
CHECKS: Final = [
    ("schema_migration_number_positive", "number", "1", "0"),  # 0000 would run before the first
    ("schema_migration_sha256_hex", "sha256", "repeat('a', 64)", "repeat('A', 64)"),  # compared as text
    ("schema_compat_one_row", "only_row", "true", "false"),  # one answer to who may work here
    ("schema_compat_oldest_program_positive", "oldest_program", "1", "0"),  # 0 would be a program without a schema
    ("city_name_length", "name", "repeat('ü', 200)", "repeat('ü', 201)"),  # characters, not bytes
    ("city_name_length", "name", "'Ü'", "''"),  # nobody finds a city without a name
    ("city_country_code", "country", "'CH'", "'ch'"),  # one way to write each
    ("city_time_zone_name", "time_zone", "'America/Port-au-Prince'", "'Europe/Zürich'"),  # no such zone has blanks
    ("city_time_zone_name", "time_zone", "'Etc/GMT+1'", "'Europe/Zurich '"),  # zones are looked up by their bytes
    ("city_latitude_range", "latitude", "90", "90.001"),  # the pole
    ("city_latitude_range", "latitude", "-90", "'NaN'"),  # NaN is greater than all, and no place
    ("city_longitude_range", "longitude", "-180", "-180.001"),  # the date line
    ("venue_name_length", "name", "repeat('x', 200)", "repeat('x', 201)"),
    ("venue_street_length", "street", "''", "repeat('x', 201)"),  # a park has no street
    ("venue_postal_code_length", "postal_code", "''", "repeat('1', 17)"),  # not every country has them
    ("venue_latitude_range", "latitude", "-90", "-90.001"),
    ("venue_longitude_range", "longitude", "180", "180.001"),
    ("hall_name_length", "name", "'H'", "''"),
    ("seat_map_named_by_content", "sha256", "sha256", "repeat('0', 64)"),  # a map in use never changes
    ("seat_map_name_length", "name", "name", "repeat('x', 121)"),  # as the reader of maps has it
    ("seat_map_size", "(sha256, document)", "(SELECT sha256, document)", TOO_LARGE),  # the limit of that reader
    ("seat_map_format", "document", "document", "convert_to('{\"name\": \"Small hall\"}', 'UTF8')"),  # absent is NULL
    ("seat_map_own_name", "name", "name", "'Another hall'"),  # the name is part of what is hashed
    ("seat_map_seats_range", "seats", "1", "0"),  # an empty room sells nothing
    ("seat_map_seats_range", "seats", "200000", "200001"),
    ("hall_seat_map_version_positive", "version", "1", "0"),
    ("organizer_name_length", "name", "'O'", "''"),
    ("organizer_email_shape", "email", "'a@b'", "'a@b@c'"),
    ("organizer_email_shape", "email", "'a@' || repeat('b', 252)", "'a@' || repeat('b', 253)"),  # RFC 5321
    ("production_name_length", "name", "'P'", "''"),
    ("production_performers_known", "performers", "'{}'", "ARRAY[NULL]::text[]"),  # a film may name nobody
    ("production_performers_count", "performers", "array_fill('x'::text, '{100}')", "array_fill('x'::text, '{101}')"),
    ("production_category_known", "category", "'family'", "'Family'"),
    ("production_genre_length", "genre", "''", "repeat('x', 101)"),
    ("production_about_length", "about", "''", "repeat('x', 10001)"),
    ("production_minutes_range", "minutes", "44640", "44641"),  # as long as an event can be
    ("production_popularity_range", "popularity", "1", "1.001"),
    ("production_popularity_range", "popularity", "0", "'NaN'"),  # NaN would sort before the best
    ("production_rating_range", "rating", "NULL", "5.001"),  # not rated yet is no zero
    ("event_name_length", "name", "'E'", "''"),
    ("event_publication_known", "publication", "'cancelled'", "'sold_out'"),  # sold out is derived, never stored
    ("event_times_finite", "on_sale_at", "starts_at", "'-infinity'"),  # pages compute with it
    ("event_starts_before_it_ends", "ends_at", "starts_at + interval '1 s'", "starts_at"),
    ("event_on_sale_before_it_ends", "on_sale_at", "ends_at - interval '1 s'", "ends_at"),  # the box office sells late
    ("event_length", "ends_at", "starts_at + interval '31 days'", "starts_at + interval '31 days 1 s'"),
    ("event_currency_code", "currency", "'JPY'", "'€'"),
    ("event_hold_seconds_range", "hold_seconds", "3600", "3601"),
    ("event_seats_per_hold_max_range", "seats_per_hold_max", "10", "11"),
    ("event_tickets_per_fan_max_range", "tickets_per_fan_max", "100", "0"),
    ("price_level_level_length", "level", "repeat('x', 12)", "repeat('x', 13)"),
    ("price_level_name_length", "name", "'N'", "''"),
    ("price_level_amount_range", "amount_minor", "0", "-1"),  # a free event is one; paid to come is none
    ("price_level_fee_range", "fee_minor", "100000000", "100000001"),
]  # fmt: skip -- a table

# (constraint, statement): what points nowhere, or is there twice
KEYS: Final = [
    ("city_pkey", "INSERT INTO city OVERRIDING SYSTEM VALUE SELECT * FROM city"),
    ("venue_pkey", "INSERT INTO venue OVERRIDING SYSTEM VALUE SELECT * FROM venue"),
    ("hall_pkey", "INSERT INTO hall OVERRIDING SYSTEM VALUE SELECT hall_id, venue_id, name || '!' FROM hall"),
    ("hall_name_in_venue", "INSERT INTO hall (venue_id, name) SELECT venue_id, name FROM hall"),
    ("seat_map_pkey", "INSERT INTO seat_map SELECT * FROM seat_map"),
    ("hall_seat_map_pkey", "INSERT INTO hall_seat_map SELECT hall_id, 1, 'another' FROM hall"),
    ("hall_seat_map_once", "INSERT INTO hall_seat_map SELECT hall_id, 2, seat_map FROM hall_seat_map"),
    ("organizer_pkey", "INSERT INTO organizer OVERRIDING SYSTEM VALUE SELECT * FROM organizer"),
    ("production_pkey", "INSERT INTO production OVERRIDING SYSTEM VALUE SELECT * FROM production"),
    ("event_pkey", "INSERT INTO event OVERRIDING SYSTEM VALUE SELECT * FROM event"),
    ("price_level_pkey", "INSERT INTO price_level SELECT * FROM price_level"),
    ("schema_migration_pkey", "INSERT INTO schema_migration SELECT * FROM schema_migration"),
    ("schema_compat_pkey", "INSERT INTO schema_compat (oldest_program) VALUES (1)"),
    ("venue_city", "DELETE FROM city"),
    ("hall_venue", "UPDATE hall SET venue_id = 0"),
    ("hall_seat_map_hall", "INSERT INTO hall_seat_map SELECT 0, 1, sha256 FROM seat_map"),
    ("hall_seat_map_seat_map", "INSERT INTO hall_seat_map SELECT hall_id, 2, 'gone' FROM hall"),
    ("production_organizer", "DELETE FROM organizer"),
    ("event_production", "UPDATE event SET production_id = 0"),
    ("event_hall", "INSERT INTO hall_seat_map VALUES (0, 1, 'x'); UPDATE event SET hall_id = 0, seat_map = 'x'"),
    ("event_seat_map_of_hall", "DELETE FROM hall_seat_map"),  # a map in use stays with its hall
    ("price_level_event", "DELETE FROM event"),
]


def table_of(constraint: str) -> str:
    """The name of a constraint begins with that of its table; `hall_seat_map_once` is not about a hall."""
    return max((table for table in CATALOGUE if constraint.startswith(f"{table}_")), key=len)


@pytest.mark.parametrize(("constraint", "column", "good", "bad"), CHECKS)
async def test_check(passing: asyncpg.Connection, constraint: str, column: str, good: str, bad: str):
    table = table_of(constraint)
    await passing.execute("SET LOCAL session_replication_role = replica")  # checks stay, references have their own test
    one = f"UPDATE {table} SET {column} = %s WHERE ctid = (SELECT min(ctid) FROM {table})"  # noqa: S608 -- CHECKS is ours
    await passing.execute(one % good)
    with pytest.raises(asyncpg.CheckViolationError) as refused:
        await passing.execute(one % bad)
    assert refused.value.constraint_name == constraint


@pytest.mark.parametrize(("constraint", "statement"), KEYS)
async def test_key(passing: asyncpg.Connection, constraint: str, statement: str):
    if constraint == "event_hall":  # the reference to the hall's maps is asked first, and covers it
        await passing.execute("ALTER TABLE event DROP CONSTRAINT event_seat_map_of_hall")
        statement = statement.partition("; ")[2]
    with pytest.raises(asyncpg.IntegrityConstraintViolationError) as refused:
        await passing.execute(statement)
    assert refused.value.constraint_name == constraint


async def test_every_constraint_of_the_catalogue_has_its_test(passing: asyncpg.Connection):
    rows = await passing.fetch(
        """
        SELECT conname FROM pg_constraint
         WHERE conrelid::regclass::text = ANY ($1) AND contype IN ('c', 'f', 'p', 'u', 'x')
    """,
        CATALOGUE,
    )  # fmt: skip -- one statement
    assert {constraint for constraint, *_ in (*CHECKS, *KEYS)} == {row["conname"] for row in rows}


async def test_nothing_is_unknown_but_a_rating(passing: asyncpg.Connection):
    rows = await passing.fetch(
        """
        SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
         WHERE attrelid::regclass::text = ANY ($1) AND attnum > 0 AND NOT attnotnull AND NOT attisdropped
    """,
        CATALOGUE,
    )  # fmt: skip -- one statement
    assert [row["name"] for row in rows] == ["production.rating"]


async def test_an_event_without_prices_can_go(passing: asyncpg.Connection):
    """The control of price_level_event."""
    await passing.execute("DELETE FROM price_level; DELETE FROM lane")
    assert await passing.execute("DELETE FROM event") == "DELETE 1"
