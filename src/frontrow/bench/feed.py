"""`frontrow bench feed`: how soon thousands of fans who watch one process see seats change, and what that costs it.

A change is as old as its batch when a fan has it: from before PostgreSQL was asked, to when the fan's socket gave it
out. Some fans keep all that came, and in the end their map is held against PostgreSQL's.
"""

import asyncio
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final, Self

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database
from frontrow.bench.changes import Changes, Changing
from frontrow.bench.effort import cpu_seconds, resident_mb
from frontrow.bench.figures import MS, at_share, per_second
from frontrow.bench.on_sale import HALLS, HallName, put_on_sale
from frontrow.bench.own_service import Engines, Service, database_pid, own_engines, own_service
from frontrow.bench.quiet import undisturbed
from frontrow.bench.watchers import Watching, watching
from frontrow.core.catalogue import EventId
from frontrow.core.choosing import plan_seats
from frontrow.core.live_seats import LiveSeats
from frontrow.core.seat_codec import unpacked
from frontrow.core.seat_maps import SeatMap
from frontrow.engines.children import Pause, Say
from frontrow.halt import Halt
from frontrow.processes.stopping import run
from frontrow.settings import Settings

CLIENTS: Final = 5_000
CHANGES_PER_SECOND: Final = 1_000  # seats
BATCHES_PER_SECOND: Final = 40  # what group commit makes of a thousand changes a second, or more
SECONDS: Final = 10.0
WARM_UP_SECONDS: Final = 3.0
KEEPING: Final = 20  # fans whose map is held against PostgreSQL's in the end
SETTLE_SECONDS_MAX: Final = 10.0  # for the last change to reach everybody
LOOK_SECONDS: Final = 0.1
FILES_MORE: Final = 256  # open files beside the streams
CONNECTIONS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many watch, for how long."""

    clients: int = CLIENTS
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Watched:
    """What came of it."""

    clients: int
    changes_per_s: float
    frames_per_s: float  # to all clients
    staleness_p50_ms: float
    staleness_p95_ms: float
    staleness_max_ms: float
    feed_cpu_share: float  # of one core
    postgres_cpu_share: float  # with the changes themselves
    feed_mb: float
    wrong_seats: int


@dataclass(frozen=True, slots=True)
class _Moment:
    """What has been used and done until then: processor time of two processes with their children, changed seats."""

    at: float
    feed: float
    postgres: float
    seats: int

    @classmethod
    def of(cls, feed: int, postmaster: int, changes: Changes) -> Self:
        return cls(perf_counter(), cpu_seconds(feed), cpu_seconds(postmaster), changes.seats)


def measure(settings: Settings, plan: Plan, *, say: Say, pause: Pause) -> Watched:
    """On engines of its own."""
    _allow_files(plan.clients + FILES_MORE)
    with (
        own_engines(settings, say=say, pause=pause) as engines,
        own_service(engines, role="feed", pause=pause) as service,
    ):
        say(f"{plan.clients:,} fans watch … ")
        watched = run(watch(engines, service, plan), pause)
        say(f"what changes is with them after {watched.staleness_p95_ms:,.0f} ms (p95)\n")
        return watched


async def watch(engines: Engines, service: Service, plan: Plan) -> Watched:
    """Let fans watch one event in the stadium."""
    hall = HALLS[HallName.STADIUM]()
    events = await put_on_sale(engines.database_url, hall, events=1)
    database = await pool.connect(engines.database_url, connections_max=CONNECTIONS)
    try:
        changing = Changing(database.ledger, events, seats=hall.seats)
        async with watching(service.address, events, plan.clients, after=0, keeping=KEEPING) as streams:
            async with changing.at_a_pace(per_second=CHANGES_PER_SECOND, batches_per_second=BATCHES_PER_SECOND):
                await asyncio.sleep(WARM_UP_SECONDS)
                postmaster = await database_pid(engines)
                with undisturbed():
                    before = _Moment.of(service.pid, postmaster, changing.done)
                    await asyncio.sleep(plan.seconds)
                    after = _Moment.of(service.pid, postmaster, changing.done)
            _ensure_all_watch(streams)
            await _settle(streams, changing.done)
        truth = await _snapshot(database, events[0], hall)
        wrong = sum(_wrong_seats(stream, truth, hall.seats) for stream in streams[:KEEPING])
        return _told(streams, changing.done, before, after, feed_mb=resident_mb(service.pid), wrong_seats=wrong)
    finally:
        await database.close()


def _told(
    streams: Sequence[Watching], changes: Changes, before: _Moment, after: _Moment, *, feed_mb: float, wrong_seats: int
) -> Watched:
    passed = after.at - before.at
    ages = sorted(_ages(streams, changes, before.at, after.at))
    p50, p95, most = (round(at_share(ages, share) * MS, 1) for share in (0.5, 0.95, 1))
    return Watched(
        clients=len(streams),
        changes_per_s=per_second(after.seats - before.seats, passed),
        frames_per_s=per_second(sum(before.at <= at < after.at for each in streams for at in each.times), passed),
        staleness_p50_ms=p50,
        staleness_p95_ms=p95,
        staleness_max_ms=most,
        feed_cpu_share=round((after.feed - before.feed) / passed, 2),
        postgres_cpu_share=round((after.postgres - before.postgres) / passed, 2),
        feed_mb=round(feed_mb),
        wrong_seats=wrong_seats,
    )


def _ages(streams: Sequence[Watching], changes: Changes, began: float, over: float) -> Iterator[float]:
    """How old each change was when a fan had it, of all that came between the two moments."""
    for stream in streams:
        asked_at = changes.asked_at[stream.event_id]
        for place, at in enumerate(stream.times):
            if began <= at < over:
                for update_no in range(stream.update_nos[place] + 1, stream.update_nos[place + 1] + 1):
                    yield at - asked_at[update_no]


async def _snapshot(database: Database, event_id: EventId, hall: SeatMap) -> bytes:
    """All seats as PostgreSQL has them."""
    claims, event = await database.journal.claims(event_id), await database.catalogue.event(event_id)
    assert claims is not None, "it was put on sale"
    assert event is not None, "the same"
    return LiveSeats(plan_seats(hall, event.price_levels), claims).snapshot()


def _wrong_seats(stream: Watching, truth: bytes, seats: int) -> int:
    """Everything was free when it began to watch."""
    told = stream.codes(bytes(len(truth)), seats)
    return sum(one != other for one, other in zip(told, unpacked(truth, seats), strict=True))


async def _settle(streams: Sequence[Watching], changes: Changes) -> None:
    """Wait until everybody has the last change."""
    last = {event_id: max(asked_at, default=0) for event_id, asked_at in changes.asked_at.items()}
    deadline = perf_counter() + SETTLE_SECONDS_MAX
    while any(stream.update_nos[-1] < last[stream.event_id] for stream in streams):
        if perf_counter() > deadline:
            raise Halt(f"the last change has not reached everybody within {SETTLE_SECONDS_MAX:.0f} s")
        await asyncio.sleep(LOOK_SECONDS)


def _ensure_all_watch(streams: Sequence[Watching]) -> None:
    refused = sum(stream.is_refused for stream in streams)
    lost = sum(stream.is_over for stream in streams)
    if refused or lost:
        raise Halt(f"of {len(streams)} streams, {refused} were refused and {lost} ended")


def _allow_files(wanted: int) -> None:
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < wanted:
        raise Halt(f"{wanted} open files are needed, {most} are allowed here; ulimit -Hn {wanted}, then again")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(allowed, wanted), most))
