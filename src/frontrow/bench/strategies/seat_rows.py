"""A row for every seat, written at each hold, and a row for the hold: the schema that the published ways share."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final, LiteralString

import asyncpg

from frontrow.adapters.postgres.connection import Connection, sql_transaction
from frontrow.adapters.postgres.pool import SESSION
from frontrow.bench.strategies.strategy import Workbench
from frontrow.core.catalogue import HOLD_SECONDS, EventId
from frontrow.core.holds import HoldRequest

# Tried from 4 to 64 with two cores: fewer leave a core idle while one commits, more only wait for each other.
CONNECTIONS: Final = 16

# Every statement of a hold looks up a few seats by their key; a plan that does anything else is a mistake.
PLANS: Final = {"enable_hashjoin": "off", "enable_mergejoin": "off", "enable_seqscan": "off"}

FILLING_SECONDS_MAX: Final = 120.0  # a row for each seat of a stadium, on a slow disk

# Pages are filled to two thirds: a seat's new version fits beside the old one, and no index is touched.
SCHEMA: Final = """
CREATE TABLE seat (
    event_id   bigint  NOT NULL,
    seat_no    integer NOT NULL,
    state      text    NOT NULL DEFAULT 'available',
    version    integer NOT NULL DEFAULT 0,
    hold_id    uuid,
    expires_at timestamptz,
    CONSTRAINT seat_pkey PRIMARY KEY (event_id, seat_no)
) WITH (fillfactor = 66);
CREATE TABLE hold (
    hold_id    uuid        NOT NULL CONSTRAINT hold_pkey PRIMARY KEY,
    event_id   bigint      NOT NULL,
    fan_id     uuid        NOT NULL,
    seats      integer[]   NOT NULL,
    expires_at timestamptz NOT NULL
);
"""
# Said twice, by the seats and by the holds. Where only one of them says it, the seat is nobody's whom we know.
STORED: Final = """
SELECT event_id, seat_no, CASE count(*) WHEN 2 THEN hold_id END AS hold_id
  FROM (SELECT event_id, seat_no, hold_id FROM seat WHERE state = 'held' AND expires_at > clock_timestamp()
         UNION ALL
        SELECT event_id, unnest(seats), hold_id FROM hold WHERE expires_at > clock_timestamp()) AS said
 GROUP BY event_id, seat_no, said.hold_id
"""
FILL: Final = "INSERT INTO seat (event_id, seat_no) SELECT $1, generate_series(0, $2::integer - 1)"
EVENTS: Final = "SELECT coalesce(max(event_id), 0) FROM seat"

ADD_HOLD: Final = """
INSERT INTO hold (hold_id, event_id, fan_id, seats, expires_at)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5::integer * interval '1 second')
"""
# Whoever else is at it: a row that somebody changed while we waited for it is looked at again before it counts.
TAKE_IF_FREE: Final = """
UPDATE seat
   SET state = 'held', version = version + 1, hold_id = $3,
       expires_at = clock_timestamp() + $4::integer * interval '1 second'
 WHERE event_id = $1 AND seat_no = ANY ($2) AND (state = 'available' OR expires_at <= clock_timestamp())
RETURNING seat_no
"""

# hold_if_free: the two statements above, all seats or none, in one call.
HOLD_IF_FREE: Final = """
CREATE FUNCTION hold_if_free(of_event bigint, seat_nos integer[], by_hold uuid, by_fan uuid, hold_seconds integer)
RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    ends    timestamptz := clock_timestamp() + hold_seconds * interval '1 second';
    changed integer;
BEGIN
    UPDATE seat
       SET state = 'held', version = seat.version + 1, hold_id = by_hold, expires_at = ends
     WHERE seat.event_id = of_event AND seat.seat_no = ANY (seat_nos)
       AND (seat.state = 'available' OR seat.expires_at <= clock_timestamp());
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed < cardinality(seat_nos) THEN
        RAISE serialization_failure USING MESSAGE = 'some of the seats are taken';
    END IF;
    INSERT INTO hold (hold_id, event_id, fan_id, seats, expires_at) VALUES (by_hold, of_event, by_fan, seat_nos, ends);
    RETURN true;
END;
$$;
"""
CALL_HOLD_IF_FREE: Final = "SELECT hold_if_free($1, $2, $3, $4, $5)"


class TakenError(Exception):
    """Somebody has one of the seats: what the SQL transaction has done so far is undone."""


@asynccontextmanager
async def pool_of(
    bench: Workbench, schema: LiteralString, *, connections: int = CONNECTIONS
) -> AsyncGenerator[asyncpg.Pool]:
    """So many connections to a database that has this schema, each statement prepared when it is first used."""
    async with asyncpg.create_pool(
        bench.database_url,
        min_size=connections,
        max_size=connections,
        server_settings=SESSION | PLANS,
        reset=_nothing_to_undo,
    ) as pool:
        await pool.execute(schema)
        yield pool


@asynccontextmanager
async def seat_rows(bench: Workbench, function: LiteralString = "") -> AsyncGenerator[asyncpg.Pool]:
    """Connections to a database for a row for every seat, and with the function that a strategy calls."""
    async with pool_of(bench, SCHEMA + function) as pool:
        yield pool


async def fill(pool: asyncpg.Pool, bench: Workbench) -> EventId:
    """One event more: a row for each of its seats."""
    event_id = EventId(1 + await pool.fetchval(EVENTS))
    async with pool.acquire() as connection:
        await connection.execute("SET statement_timeout = 0")
        await connection.execute(FILL, event_id, bench.hall.seats, timeout=FILLING_SECONDS_MAX)
        await connection.execute("VACUUM (ANALYZE) seat", timeout=FILLING_SECONDS_MAX)
        await connection.execute("RESET statement_timeout")
    return event_id


@asynccontextmanager
async def one_change(pool: asyncpg.Pool) -> AsyncGenerator[Connection]:
    """A connection on which all that follows is stored as a whole, or nothing of it."""
    async with pool.acquire() as connection, sql_transaction(connection):
        yield connection


async def add_hold(connection: Connection, event_id: EventId, request: HoldRequest) -> None:
    """The row of a hold whose seats are taken."""
    await connection.execute(ADD_HOLD, request.hold_id, event_id, request.fan_id, request.seats, HOLD_SECONDS)


async def hold_if_free(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    """Take the seats where they are free, and write the hold; two statements in one SQL transaction."""
    try:
        async with one_change(pool) as connection:
            taken = await connection.fetch(TAKE_IF_FREE, event_id, request.seats, request.hold_id, HOLD_SECONDS)
            insist_on_all(taken, request)
            await add_hold(connection, event_id, request)
    except TakenError:
        return False
    return True


def insist_on_all(taken: Sequence[asyncpg.Record], request: HoldRequest) -> None:
    """TakenError where not every seat of the request was taken."""
    if len(taken) < len(request.seats):
        raise TakenError


async def call_hold_if_free(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    """The same in one call."""
    try:
        await pool.execute(CALL_HOLD_IF_FREE, event_id, request.seats, request.hold_id, request.fan_id, HOLD_SECONDS)
    except asyncpg.SerializationError:
        return False
    return True


async def _nothing_to_undo(_: asyncpg.Connection) -> None:
    """Save the round trip of asyncpg's RESET, as Frontrow's own pool does."""
