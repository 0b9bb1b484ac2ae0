"""Redis first: a script in Valkey decides, all or none, and PostgreSQL hears of it afterwards.

The script also writes each hold to a stream, the journal; one reader takes it to PostgreSQL in batches. Where
PostgreSQL does not agree (Valkey had forgotten a hold), the hold is taken back in Valkey: its fan has been told yes
by then. So has the fan whose hold was not in PostgreSQL yet when the machine went down: this way is not durable at
the moment of the answer. The journal may lag behind by so many holds; beyond that, fans wait for it.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Self
from uuid import UUID

import asyncpg

from frontrow.bench.strategies.seat_rows import pool_of
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.bench.strategies.valkey import Ask, asking, load, pipeline
from frontrow.core.catalogue import HOLD_SECONDS, EventId
from frontrow.core.holds import HoldRequest

LAG_HOLDS_MAX: Final = 4_096  # a third of a second of PostgreSQL's work: what a crash may cost
BATCH_HOLDS_MAX: Final = 512
READ_BLOCKS_MS: Final = 1_000

# KEYS: the seats, then the journal. ARGV: hold, fan, event, seats, how long.
HOLD: Final = """
local seats = #KEYS - 1
if redis.call('EXISTS', unpack(KEYS, 1, seats)) > 0 then return 0 end
for i = 1, seats do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[5]) end
redis.call('XADD', KEYS[seats + 1], '*', 'hold', ARGV[1], 'fan', ARGV[2], 'event', ARGV[3], 'seats', ARGV[4])
return 1
"""
# KEYS: the seats. ARGV: whose.
TAKE_BACK: Final = """
for _, seat in ipairs(KEYS) do
    if redis.call('GET', seat) == ARGV[1] then redis.call('DEL', seat) end
end
return 1
"""

# A seat has a row only when somebody has it, since nobody looks for free seats here.
SCHEMA: Final = """
CREATE TABLE seat (
    event_id   bigint      NOT NULL,
    seat_no    integer     NOT NULL,
    hold_id    uuid        NOT NULL,
    fan_id     uuid        NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT seat_pkey PRIMARY KEY (event_id, seat_no)
);

-- write_down: store holds, all seats of each or none; the arrays have a place for each seat. Answers the holds that
-- somebody else has a seat of. Storing one again changes nothing.
CREATE FUNCTION write_down(
    event_ids bigint[], seat_nos integer[], hold_ids uuid[], fan_ids uuid[], ends_ms bigint[])
RETURNS SETOF uuid
LANGUAGE plpgsql
AS $$
DECLARE
    written integer;
    refused uuid[];
BEGIN
    INSERT INTO seat (event_id, seat_no, hold_id, fan_id, expires_at)
    SELECT DISTINCT ON (event_id, seat_no) event_id, seat_no, hold_id, fan_id, to_timestamp(end_ms / 1000.0)
      FROM unnest(event_ids, seat_nos, hold_ids, fan_ids, ends_ms) WITH ORDINALITY
           AS given (event_id, seat_no, hold_id, fan_id, end_ms, place)
     ORDER BY event_id, seat_no, place
    ON CONFLICT ON CONSTRAINT seat_pkey DO UPDATE
       SET hold_id = excluded.hold_id, fan_id = excluded.fan_id, expires_at = excluded.expires_at
     WHERE seat.expires_at <= clock_timestamp() OR seat.hold_id = excluded.hold_id;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written = cardinality(seat_nos) THEN
        RETURN;
    END IF;
    refused := ARRAY(
        SELECT given.hold_id
          FROM unnest(event_ids, seat_nos, hold_ids) AS given (event_id, seat_no, hold_id)
          LEFT JOIN seat USING (event_id, seat_no, hold_id)
         WHERE seat.hold_id IS NULL);
    DELETE FROM seat
     USING unnest(event_ids, seat_nos) AS given (event_id, seat_no)
     WHERE seat.event_id = given.event_id AND seat.seat_no = given.seat_no AND seat.hold_id = ANY (refused);
    RETURN QUERY SELECT DISTINCT unnest(refused);
END;
$$;
"""
STORED: Final = "SELECT event_id, seat_no, hold_id FROM seat WHERE expires_at > clock_timestamp()"
WRITE_DOWN: Final = "SELECT * FROM write_down($1, $2, $3, $4, $5)"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A hold as the journal has it."""

    entry_id: bytes
    hold_id: UUID
    fan_id: UUID
    event_id: int
    seats: tuple[int, ...]

    @classmethod
    def of(cls, told: Sequence[Any]) -> Self:
        entry_id, (_, hold_id, _, fan_id, _, event_id, _, seats) = told
        return cls(entry_id, UUID(bytes=hold_id), UUID(bytes=fan_id), int(event_id), tuple(map(int, seats.split())))

    @property
    def ends_at_ms(self) -> int:
        """Valkey's clock gave the entry its number."""
        return int(self.entry_id.split(b"-")[0]) + HOLD_SECONDS * 1000


class _Journal:
    """What Valkey has decided and PostgreSQL may not have heard of."""

    def __init__(self, reading: Ask, pool: asyncpg.Pool, prefix: str, *, take_back: bytes) -> None:
        """`reading`: a connection that may be blocked. `take_back`: the name of the script."""
        self._reading = reading
        self._pool = pool
        self._prefix = prefix
        self._take_back = take_back
        self._lag = asyncio.Semaphore(LAG_HOLDS_MAX)

    @property
    def key(self) -> str:
        return f"{self._prefix}journal"

    async def room(self) -> None:
        """Wait until the journal is not too far behind for one hold more."""
        await self._lag.acquire()

    def written(self, holds: int = 1) -> None:
        for _ in range(holds):
            self._lag.release()

    async def settle(self) -> None:
        """Wait until nothing is left to write."""
        for _ in range(LAG_HOLDS_MAX):
            await self._lag.acquire()
        self.written(LAG_HOLDS_MAX)

    async def follow(self) -> None:
        """Write down for ever."""
        while True:
            told = await self._reading(
                "XREAD", "COUNT", BATCH_HOLDS_MAX, "BLOCK", READ_BLOCKS_MS, "STREAMS", self.key, "0"
            )
            if told:
                entries = [_Entry.of(entry) for entry in told[0][1]]
                await self._write_down(entries)
                await self._reading("XDEL", self.key, *(entry.entry_id for entry in entries))
                self.written(len(entries))

    async def _write_down(self, entries: Sequence[_Entry]) -> None:
        seats = [(entry, seat) for entry in entries for seat in entry.seats]
        refused = await self._pool.fetch(
            WRITE_DOWN,
            [entry.event_id for entry, _ in seats],
            [seat for _, seat in seats],
            [entry.hold_id for entry, _ in seats],
            [entry.fan_id for entry, _ in seats],
            [entry.ends_at_ms for entry, _ in seats],
        )
        theirs = {row[0] for row in refused}
        for entry in entries:
            if entry.hold_id in theirs:
                keys = seat_keys(self._prefix, entry.event_id, entry.seats)
                await self._reading("EVALSHA", self._take_back, len(keys), *keys, entry.hold_id.bytes)


def seat_keys(prefix: str, event_id: int, seats: Sequence[int]) -> list[str]:
    return [f"{prefix}{event_id}:{seat}" for seat in seats]


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    async with (
        asking(bench) as ask,
        pipeline(bench.valkey_url) as reading,
        pool_of(bench, SCHEMA, connections=1) as pool,
    ):
        decide = await load(ask, HOLD)
        journal = _Journal(reading.ask, pool, bench.prefix, take_back=await load(reading.ask, TAKE_BACK))
        numbers = count(1)

        async def put_on_sale() -> EventId:
            return EventId(next(numbers))  # all there is to an event without rows

        async def hold(event_id: EventId, request: HoldRequest) -> bool:
            await journal.room()
            keys = seat_keys(bench.prefix, event_id, request.seats)
            seats = " ".join(map(str, request.seats))
            hold, fan = request.hold_id.bytes, request.fan_id.bytes
            words = (*keys, journal.key, hold, fan, event_id, seats, HOLD_SECONDS * 1000)
            held = await ask("EVALSHA", decide, len(keys) + 1, *words)
            if not held:
                journal.written()
            return bool(held)

        async with asyncio.TaskGroup() as work:
            following = work.create_task(journal.follow())
            yield AtWork(put_on_sale=put_on_sale, hold=hold, settle=journal.settle)
            following.cancel()


REDIS_FIRST: Final = Strategy(
    name="redis_first", title="Redis first, journal later", durable=False, stored=STORED, at_work=at_work
)
