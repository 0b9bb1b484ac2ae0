"""`frontrow bench map`: how many snapshots of a stadium one process answers a second, how soon, and in how many bytes.

Half of the stadium is held, by couples wherever they like, and a thousand seats change every second: no snapshot stays
the newest for long. How large snapshots get is found out for a whole sale, without a service.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Final

from frontrow.adapters.postgres import pool
from frontrow.bench.changes import Changing
from frontrow.bench.figures import MS, at_share, per_second
from frontrow.bench.http_load import Address, Answers, closed_load, connected, open_load
from frontrow.bench.on_sale import HALLS, HallName, put_on_sale
from frontrow.bench.own_service import Engines, Service, own_engines, own_service
from frontrow.core.catalogue import EventId
from frontrow.core.live_seats import packed
from frontrow.core.seat_maps import SeatMap
from frontrow.engines.children import Pause, Say
from frontrow.halt import Halt
from frontrow.processes.stopping import run
from frontrow.settings import Settings
from frontrow.web import encodings
from frontrow.web.encodings import Encoding

SECONDS: Final = 6.0  # of each part
CONNECTIONS: Final = 64
PACE_CONNECTIONS: Final = 512
PACE_PER_SECOND: Final = 5_000
SLICE: Final = 4_000  # answers that are kept at a time: 13 kB each
SLICE_SECONDS_MAX: Final = 20.0  # a net; it takes a third of one
CHANGING_SEATS: Final = 10_000
CHANGES_PER_SECOND: Final = 1_000  # seats
BATCHES_PER_SECOND: Final = 40
DATABASE_CONNECTIONS: Final = 2

# A sale as it may be at its worst for whoever compresses it: parties sit wherever they like.
PARTIES: Final = (1, 2, 2, 2, 2, 3, 4, 4, 5, 6)  # couples most of all
HELD: Final = 0.1  # of the parties; the others have paid
STEPS: Final = 40  # at which a sale is looked at, from empty to full


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of it."""

    snapshots_per_s: float  # as many as come
    p50_ms: float  # at PACE_PER_SECOND
    p99_ms: float
    snapshot_br_bytes: int  # as it was sent
    snapshot_br_bytes_max: int  # at any point of a sale
    geometry_gzip_bytes: int
    geometry_br_bytes: int
    seats: int


def measure(settings: Settings, *, seconds: float, say: Say, pause: Pause) -> Shown:
    """Everything, on engines of its own."""
    with own_engines(settings, say=say, pause=pause) as engines, own_service(engines, pause=pause) as service:
        return run(_measure(engines, service, seconds=seconds, say=say), pause)


async def _measure(engines: Engines, service: Service, *, seconds: float, say: Say) -> Shown:
    hall = HALLS[HallName.STADIUM]()
    [event_id] = await put_on_sale(engines.database_url, hall, events=1)
    async with _selling(engines, event_id, hall):
        snapshot = f"/api/v1/events/{event_id}/seats.bin"
        geometry = f"/api/v1/seat-maps/{hall.sha}.json"
        say("as many snapshots as come … ")
        per_s = await _as_many_as_come(service.address, snapshot, seconds=seconds)
        say(f"{per_s:,.0f}/s\n{PACE_PER_SECOND:,} a second … ")
        took = await _at_a_pace(service.address, snapshot, seconds=seconds)
        p50, p99 = (round(at_share(took, share) * MS, 1) for share in (0.5, 0.99))
        say(f"p99 {p99:.1f} ms\n")
        return Shown(
            snapshots_per_s=per_s,
            p50_ms=p50,
            p99_ms=p99,
            snapshot_br_bytes=await _bytes(service.address, snapshot, Encoding.BROTLI),
            snapshot_br_bytes_max=await asyncio.to_thread(largest_snapshot, hall),
            geometry_gzip_bytes=await _bytes(service.address, geometry, Encoding.GZIP),
            geometry_br_bytes=await _bytes(service.address, geometry, Encoding.BROTLI),
            seats=hall.seats,
        )


def largest_snapshot(hall: SeatMap) -> int:
    """Bytes in brotli, at any point of a sale."""
    chance = Random(1)  # noqa: S311 -- the same sale each time
    codes, taken, largest = bytearray(hall.seats), 0, 0
    for step in range(1, STEPS):
        while taken < hall.seats * step // STEPS:
            party, code = chance.choice(PARTIES), 1 if chance.random() < HELD else 2
            first = chance.randrange(hall.seats - party)
            for seat in range(first, first + party):
                taken += codes[seat] == 0
                codes[seat] = codes[seat] or code
        largest = max(largest, len(encodings.quickly(packed(codes), Encoding.BROTLI)))
    return largest


@asynccontextmanager
async def _selling(engines: Engines, event_id: EventId, hall: SeatMap) -> AsyncGenerator[None]:
    """Half of the seats are held when the block begins, and some change as long as it lasts."""
    database = await pool.connect(engines.database_url, connections_max=DATABASE_CONNECTIONS)
    try:
        changing = Changing(database.ledger, [event_id], seats=CHANGING_SEATS)
        await changing.fill(event_id, range(CHANGING_SEATS, hall.seats))
        async with changing.at_a_pace(per_second=CHANGES_PER_SECOND, batches_per_second=BATCHES_PER_SECOND):
            yield
    finally:
        await database.close()


async def _as_many_as_come(address: Address, path: str, *, seconds: float) -> float:
    answered, lasted = 0, 0.0
    async with connected(address, CONNECTIONS) as connections:
        await closed_load(
            connections, [_request(path)] * SLICE, seconds=SLICE_SECONDS_MAX
        )  # the event is loaded, the rest warm
        while lasted < seconds:
            answers = await closed_load(connections, [_request(path)] * SLICE, seconds=SLICE_SECONDS_MAX)
            answered += _ensure_good(answers, SLICE)
            lasted += max(answers.answered) - answers.began
    return per_second(answered, lasted)


async def _at_a_pace(address: Address, path: str, *, seconds: float) -> Sequence[float]:
    """How long each took, in order."""
    took: list[float] = []
    due_after = [number / PACE_PER_SECOND for number in range(SLICE)]
    async with connected(address, PACE_CONNECTIONS) as connections:
        for _ in range(round(seconds * PACE_PER_SECOND / SLICE)):
            answers = await open_load(connections, [_request(path)] * SLICE, due_after)
            _ensure_good(answers, SLICE)
            took += map(answers.seconds, range(SLICE))
    return sorted(took)


async def _bytes(address: Address, path: str, encoding: Encoding) -> int:
    async with connected(address, 1) as connections:
        answers = await closed_load(connections, [_request(path, encoding)], seconds=1)
    _ensure_good(answers, 1)
    return len(answers.body(0))


def _request(path: str, encoding: Encoding = Encoding.BROTLI) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: {encoding.value.decode()}\r\n\r\n".encode()


def _ensure_good(answers: Answers, count: int) -> int:
    """All were answered well, or a Halt."""
    bad = [answers.status(number) for number in range(count) if answers.status(number) != HTTPStatus.OK]
    if bad:
        raise Halt(f"of {count} requests, {len(bad)} were not answered with a snapshot; the first with {bad[0]}")
    return count
