"""Redis lock, then compare-and-set in PostgreSQL, then keys that end with the hold.

As published: a lock for each seat (SET NX), in order; PostgreSQL, which alone decides; a key with a time to live for
each held seat; and the locks are let go. Tuned, one script takes all locks and refuses where a seat has its key, one
call writes to PostgreSQL (who has the locks need not look first), and one script sets the keys and lets go.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from frontrow.bench.strategies.seat_rows import HOLD_IF_FREE, STORED, call_hold_if_free, fill, seat_rows
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.bench.strategies.valkey import Ask, asking, load
from frontrow.bench.strategies.version_check import hold_as_seen
from frontrow.core.catalogue import HOLD_SECONDS, EventId
from frontrow.core.holds import HoldRequest
from frontrow.core.seats import SeatNo

HOLD_MS: Final = HOLD_SECONDS * 1_000
LOCK_MS: Final = 10_000  # longer than any write takes; whoever dies with a lock keeps a seat from others that long

# KEYS: the lock. ARGV: whose. One that ran out and is another's by now stays.
LET_GO: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"

# KEYS: as many locks as seats, then the keys of held seats. ARGV: whose, for how long.
TAKE_ALL: Final = """
if redis.call('EXISTS', unpack(KEYS)) > 0 then return 0 end
for i = 1, #KEYS / 2 do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
return 1
"""
# KEYS: the same. ARGV: whose, for how long; 0: not held.
LET_GO_ALL: Final = """
for i = 1, #KEYS / 2 do
    if ARGV[2] ~= '0' then redis.call('SET', KEYS[i + #KEYS / 2], ARGV[1], 'PX', ARGV[2]) end
    if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end
end
return 1
"""

Take = Callable[[EventId, HoldRequest], Awaitable[bool]]  # lock all seats, or none
LetGo = Callable[[EventId, HoldRequest, bool], Awaitable[None]]  # PostgreSQL has decided: held, or not


async def one_by_one(ask: Ask, prefix: str) -> tuple[Take, LetGo]:
    """A command for each seat, one after the other."""
    script = await load(ask, LET_GO)

    async def free(event_id: EventId, request: HoldRequest, seats: Sequence[SeatNo]) -> None:
        for lock in _keys(prefix, "lock", event_id, seats):
            await ask("EVALSHA", script, 1, lock, request.hold_id.bytes)

    async def take(event_id: EventId, request: HoldRequest) -> bool:
        for place, lock in enumerate(_keys(prefix, "lock", event_id, request.seats)):
            if not await ask("SET", lock, request.hold_id.bytes, "NX", "PX", LOCK_MS):
                await free(event_id, request, request.seats[:place])
                return False
        return True

    async def let_go(event_id: EventId, request: HoldRequest, is_held: bool) -> None:  # noqa: FBT001 -- of LetGo
        for key in _keys(prefix, "held", event_id, request.seats) if is_held else ():
            await ask("SET", key, request.hold_id.bytes, "PX", HOLD_MS)
        await free(event_id, request, request.seats)

    return take, let_go


async def all_at_once(ask: Ask, prefix: str) -> tuple[Take, LetGo]:
    """A script for all seats together."""
    take_all, let_go_all = await load(ask, TAKE_ALL), await load(ask, LET_GO_ALL)

    async def run(script: bytes, event_id: EventId, request: HoldRequest, milliseconds: int) -> bool:
        keys = [key for kind in ("lock", "held") for key in _keys(prefix, kind, event_id, request.seats)]
        return bool(await ask("EVALSHA", script, len(keys), *keys, request.hold_id.bytes, milliseconds))

    async def take(event_id: EventId, request: HoldRequest) -> bool:
        return await run(take_all, event_id, request, LOCK_MS)

    async def let_go(event_id: EventId, request: HoldRequest, is_held: bool) -> None:  # noqa: FBT001 -- of LetGo
        await run(let_go_all, event_id, request, HOLD_MS if is_held else 0)

    return take, let_go


def _keys(prefix: str, kind: str, event_id: EventId, seats: Sequence[SeatNo]) -> list[str]:
    return [f"{prefix}{kind}:{event_id}:{seat}" for seat in seats]


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    async with asking(bench) as ask, seat_rows(bench, HOLD_IF_FREE) as pool:
        take, let_go = await (all_at_once if bench.tuned else one_by_one)(ask, bench.prefix)
        write = call_hold_if_free if bench.tuned else hold_as_seen

        async def hold(event_id: EventId, request: HoldRequest) -> bool:
            if not await take(event_id, request):
                return False
            is_held = await write(pool, event_id, request)
            await let_go(event_id, request, is_held)
            return is_held

        yield AtWork(put_on_sale=partial(fill, pool, bench), hold=hold)


REDIS_LOCK: Final = Strategy(
    name="redis_lock", title="Redis lock + compare-and-set", durable=True, stored=STORED, at_work=at_work
)
