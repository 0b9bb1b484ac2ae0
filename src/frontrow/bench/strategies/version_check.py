"""Version compare-and-set: look without locking, then write where every version is still the one seen, all or none.

A request whose seats are taken already ends after the look and writes nothing. Tuned, the look is one round trip and
the write another.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import asyncpg

from frontrow.bench.strategies.seat_rows import STORED, TakenError, add_hold, fill, insist_on_all, one_change, seat_rows
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.core.catalogue import HOLD_SECONDS, EventId
from frontrow.core.holds import HoldRequest

SEE_FREE: Final = """
SELECT seat_no, version
  FROM seat
 WHERE event_id = $1 AND seat_no = ANY ($2) AND (state = 'available' OR expires_at <= clock_timestamp())
 ORDER BY seat_no
"""
# Rows are written in the order of the array, which is that of the seats: the only plan left (seat_rows.PLANS) is to go
# through it and look each one up. Two requests that overlap therefore cannot deadlock.
TAKE_AS_SEEN: Final = """
UPDATE seat
   SET state = 'held', version = seat.version + 1, hold_id = $4,
       expires_at = clock_timestamp() + $5::integer * interval '1 second'
  FROM unnest($2::integer[], $3::integer[]) AS seen (seat_no, version)
 WHERE seat.event_id = $1 AND seat.seat_no = seen.seat_no AND seat.version = seen.version
RETURNING seat.seat_no
"""
HOLD_AS_SEEN: Final = """
CREATE FUNCTION hold_as_seen(
    of_event bigint, seat_nos integer[], versions integer[], by_hold uuid, by_fan uuid, hold_seconds integer)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    ends    timestamptz := clock_timestamp() + hold_seconds * interval '1 second';
    changed integer;
BEGIN
    UPDATE seat
       SET state = 'held', version = seat.version + 1, hold_id = by_hold, expires_at = ends
      FROM unnest(seat_nos, versions) AS seen (seat_no, version)
     WHERE seat.event_id = of_event AND seat.seat_no = seen.seat_no AND seat.version = seen.version;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed < cardinality(seat_nos) THEN
        RAISE serialization_failure USING MESSAGE = 'a seat is not as it was seen';
    END IF;
    INSERT INTO hold (hold_id, event_id, fan_id, seats, expires_at) VALUES (by_hold, of_event, by_fan, seat_nos, ends);
END;
$$;
"""
CALL: Final = "SELECT hold_as_seen($1, $2, $3, $4, $5, $6)"


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    async with seat_rows(bench, HOLD_AS_SEEN) as pool:
        hold = hold_by_call if bench.tuned else hold_as_seen
        yield AtWork(put_on_sale=partial(fill, pool, bench), hold=partial(hold, pool))


async def hold_as_seen(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    """Look, then compare and set."""
    seen = await pool.fetch(SEE_FREE, event_id, request.seats)
    if len(seen) < len(request.seats):
        return False
    seats, versions = _columns(seen)
    try:
        async with one_change(pool) as connection:
            taken = await connection.fetch(TAKE_AS_SEEN, event_id, seats, versions, request.hold_id, HOLD_SECONDS)
            insist_on_all(taken, request)
            await add_hold(connection, event_id, request)
    except TakenError:
        return False
    return True


async def hold_by_call(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    """The same, where comparing and setting is one call."""
    seen = await pool.fetch(SEE_FREE, event_id, request.seats)
    if len(seen) < len(request.seats):
        return False
    try:
        await pool.execute(CALL, event_id, *_columns(seen), request.hold_id, request.fan_id, HOLD_SECONDS)
    except asyncpg.SerializationError:
        return False
    return True


def _columns(seen: Sequence[asyncpg.Record]) -> tuple[list[int], list[int]]:
    return [row["seat_no"] for row in seen], [row["version"] for row in seen]


VERSION_CHECK: Final = Strategy(
    name="version_check", title="Version compare-and-set", durable=True, stored=STORED, at_work=at_work
)
