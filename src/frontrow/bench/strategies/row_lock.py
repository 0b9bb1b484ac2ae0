"""Row lock per request: lock the rows of the seats in order, look, write, commit.

Rows are locked in the order of their numbers, so two requests that overlap cannot deadlock. A row that somebody
changed while we waited for it is looked at again before it counts. Tuned, all of it is one call, so a row is locked
no longer than its commit takes.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import asyncpg

from frontrow.bench.strategies.seat_rows import STORED, add_hold, fill, one_change, seat_rows
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.core.catalogue import HOLD_SECONDS, EventId
from frontrow.core.holds import HoldRequest

LOCK_FREE: Final = """
SELECT seat_no
  FROM seat
 WHERE event_id = $1 AND seat_no = ANY ($2) AND (state = 'available' OR expires_at <= clock_timestamp())
 ORDER BY seat_no
   FOR UPDATE
"""
TAKE_LOCKED: Final = """
UPDATE seat
   SET state = 'held', version = version + 1, hold_id = $3,
       expires_at = clock_timestamp() + $4::integer * interval '1 second'
 WHERE event_id = $1 AND seat_no = ANY ($2)
"""
HOLD_BY_ROW_LOCK: Final = """
CREATE FUNCTION hold_by_row_lock(of_event bigint, seat_nos integer[], by_hold uuid, by_fan uuid, hold_seconds integer)
RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    ends timestamptz := clock_timestamp() + hold_seconds * interval '1 second';
    ours integer;
BEGIN
    PERFORM FROM seat
      WHERE seat.event_id = of_event AND seat.seat_no = ANY (seat_nos)
        AND (seat.state = 'available' OR seat.expires_at <= clock_timestamp())
      ORDER BY seat.seat_no
        FOR UPDATE;
    GET DIAGNOSTICS ours = ROW_COUNT;
    IF ours < cardinality(seat_nos) THEN
        RETURN false;
    END IF;
    UPDATE seat
       SET state = 'held', version = seat.version + 1, hold_id = by_hold, expires_at = ends
     WHERE seat.event_id = of_event AND seat.seat_no = ANY (seat_nos);
    INSERT INTO hold (hold_id, event_id, fan_id, seats, expires_at) VALUES (by_hold, of_event, by_fan, seat_nos, ends);
    RETURN true;
END;
$$;
"""
CALL: Final = "SELECT hold_by_row_lock($1, $2, $3, $4, $5)"


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    async with seat_rows(bench, HOLD_BY_ROW_LOCK) as pool:
        hold = _hold_by_call if bench.tuned else _hold
        yield AtWork(put_on_sale=partial(fill, pool, bench), hold=partial(hold, pool))


async def _hold(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    async with one_change(pool) as connection:
        free = await connection.fetch(LOCK_FREE, event_id, request.seats)
        if len(free) < len(request.seats):
            return False
        await connection.execute(TAKE_LOCKED, event_id, request.seats, request.hold_id, HOLD_SECONDS)
        await add_hold(connection, event_id, request)
        return True


async def _hold_by_call(pool: asyncpg.Pool, event_id: EventId, request: HoldRequest) -> bool:
    held: bool = await pool.fetchval(CALL, event_id, request.seats, request.hold_id, request.fan_id, HOLD_SECONDS)
    return held


ROW_LOCK: Final = Strategy(name="row_lock", title="Row lock per request", durable=True, stored=STORED, at_work=at_work)
