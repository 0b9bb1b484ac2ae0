"""The files of schema/, in order, are the sum of the migrations, and keep the conventions at the top of the first."""

from collections.abc import Sequence
from typing import Final

import asyncpg
import pytest

from frontrow import sql

SCHEMA: Final = "\n".join(
    path.read_text("utf-8") for path in sorted((sql.FOLDER / "schema").iterdir(), key=lambda path: path.name)
)

# Everything that pg_dump would write, a line each. Columns in the order of their names: a column that a migration adds
# is the last of its table, and stands in schema/ where it reads best.
LISTING: Final = """
SELECT format('column %s.%s %s%s%s default=%s identity=%s generated=%s collation=%s',
              relation.relname, attname, format_type(atttypid, atttypmod),
              CASE WHEN attnotnull THEN ' NOT NULL' END,
              CASE WHEN attislocal THEN '' ELSE ' inherited' END,
              pg_get_expr(adbin, adrelid), attidentity, attgenerated, collname) AS line
  FROM pg_attribute
  JOIN pg_class AS relation   ON relation.oid = attrelid
  LEFT JOIN pg_attrdef        ON adrelid = attrelid AND adnum = attnum
  LEFT JOIN pg_collation AS c ON c.oid = attcollation
 WHERE relation.relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'c')
   AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('relation %s kind=%s persistence=%s options=%s rights=%s rules=%s', relname, relkind, relpersistence,
              reloptions, relacl, relrowsecurity)
  FROM pg_class WHERE relnamespace = 'public'::regnamespace
UNION ALL
SELECT format('constraint %s of %s %s: %s', conname, conrelid::regclass, contypid::regtype, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT format('index %s', pg_get_indexdef(indexrelid))
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
UNION ALL
SELECT format('view %s: %s', relname, pg_get_viewdef(oid))
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
UNION ALL
SELECT format('function %s: %s rights=%s', proname, pg_get_functiondef(oid), proacl)
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
UNION ALL
SELECT format('trigger %s', pg_get_triggerdef(pg_trigger.oid))
  FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT format('type %s kind=%s default=%s values=%s', typname, typtype, typdefault,
              (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid))
  FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r')
UNION ALL
SELECT format('sequence %s: %s', seqrelid::regclass, to_jsonb(pg_sequence) - 'seqrelid')
  FROM pg_sequence
UNION ALL
SELECT format('extension %s', extname) FROM pg_extension
UNION ALL
SELECT format('namespace %s', nspname) FROM pg_namespace WHERE nspname !~ '^pg_'
"""


async def listing(connection: asyncpg.Connection) -> Sequence[str]:
    return sorted(row["line"] for row in await connection.fetch(LISTING))


async def test_schema_file_is_the_sum_of_the_migrations(connection: asyncpg.Connection, empty: asyncpg.Connection):
    await empty.execute(SCHEMA)
    assert await listing(empty) == await listing(connection)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE city ADD COLUMN mayor text",
        "ALTER TABLE event ALTER COLUMN waiting_room SET DEFAULT false",
        "ALTER TABLE venue ALTER COLUMN street DROP NOT NULL",
        "ALTER TABLE price_level DROP CONSTRAINT price_level_fee_range",
        "ALTER TABLE hall RENAME CONSTRAINT hall_venue TO hall_in_venue",
        "DROP INDEX event_by_hall",
        "CREATE OR REPLACE VIEW inv_schema_migration_missing AS SELECT 1::bigint AS migrations, 2 AS newest",
        "ALTER FUNCTION violations_v1 STRICT",
        "ALTER FUNCTION violations_v1 VOLATILE",
        "ALTER SEQUENCE city_city_id_seq INCREMENT BY 2",
        "CREATE TYPE mood AS ENUM ('calm')",
        "CREATE TRIGGER watch BEFORE UPDATE ON city FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "ALTER TABLE city SET (fillfactor = 70)",
    ],
)
async def test_listing_sees_a_difference(passing: asyncpg.Connection, change: str):
    before = await listing(passing)
    await passing.execute(change)
    assert await listing(passing) != before


async def test_columns_have_the_types_of_the_conventions(passing: asyncpg.Connection):
    types = await passing.fetch("""
        SELECT DISTINCT format_type(atttypid, atttypmod) AS name
          FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    """)
    not_ours = {
        "timestamp without time zone",  # a time without its zone is nobody's
        "time without time zone",
        "money",  # depends on the server's language
        "real",  # prices and places lose digits
        "json",  # neither compares nor is checked
    }
    assert not {row["name"] for row in types} & not_ours


async def test_every_table_has_a_primary_key(passing: asyncpg.Connection):
    without = await passing.fetch("""
        SELECT relname FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'p')
    """)
    assert [row["relname"] for row in without] == []
