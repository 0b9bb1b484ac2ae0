"""`frontrow bench holds`: how many holds a second the service acknowledges, how quickly, and whether they are true.

Everything runs on engines of its own: holds on one hot event and on eight, at a pace, and by a crowd that wants the
same few seats; then what there is to compare them with, in the same run. What fans were told is proved in SQL.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import Final

from frontrow.bench import lab
from frontrow.bench.batches import Decided, decide
from frontrow.bench.effort import cpu_seconds, resident_mb, sync_seconds
from frontrow.bench.figures import MS, US, ratio
from frontrow.bench.hold_parts import WANTED_SEATS, Part, Shop, contended, spread
from frontrow.bench.hold_requests import Outcome, ask
from frontrow.bench.on_sale import put_on_sale
from frontrow.bench.own_service import Engines, Service, database_pid, own_engines, own_service
from frontrow.bench.proof import Proof, prove
from frontrow.bench.strategies import GROUP_COMMIT, REDIS_LOCK, Strategy
from frontrow.bench.strategies.group_commit import STORED
from frontrow.core.catalogue import EventId
from frontrow.core.seat_maps import SeatMap
from frontrow.core.sessions import SESSION_SECONDS
from frontrow.engines.children import Pause, Say
from frontrow.flows.ports import Clock
from frontrow.processes.stopping import run
from frontrow.settings import Settings

SECONDS: Final = 4.0  # of each part; a stadium is full by then
WARM_UP_HOLDS: Final = 2_000
HOLDS_PER_S_MAX: Final = 30_000  # so many requests are made ready for each second of a part; more nobody answers here
BATCHED_PER_S_MAX: Final = 60_000  # the same, for the database by itself
EVENTS: Final = 8  # at once, in the part that is not about one
PACE_PER_S: Final = 10_000  # what a hold has to be quick at
CROWD: Final = 50_000  # requests for the same seats
CROWD_SECONDS_MAX: Final = 60.0
EVENTS_KEPT: Final = 20  # hot ones, in the memory of one process
CLIENTS: Final = 256  # of the strategy that is compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured."""

    hall: SeatMap  # of every event
    seconds: float = SECONDS  # of each part
    pace_per_s: int = PACE_PER_S
    crowd: int = CROWD
    events_kept: int = EVENTS_KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of it, by the names that `--json` has."""

    holds_per_s: float  # on one hot event, and so the next four
    p50_ms: float
    p99_ms: float
    p999_ms: float
    cpu_us_per_hold: Mapping[str, float]  # of the service, of the database, of the load
    eight_events_holds_per_s: float
    eight_events_p99_ms: float
    pace_per_s: int
    pace_p50_ms: float
    pace_p99_ms: float
    refusals_per_s: float
    refusals_p99_ms: float
    winners: int
    winners_possible: int
    database_holds_per_s: float
    ratio_to_database: float
    in_process_holds_per_s: float  # ours without HTTP, as the ways below: the same load from the same process
    redis_lock_holds_per_s: float
    ratio_to_redis_lock: float  # of ours without HTTP: like with like
    http_ratio_to_redis_lock: float  # of ours with HTTP, to the Redis lock without
    redis_lock_tuned_holds_per_s: float
    ratio_to_redis_lock_tuned: float
    memory_events: int
    memory_mb: float  # of a service that knows so many hot events
    cold_start_ms: float  # until it answers the first question about the first of them
    sync_ms: float  # until a page is durable on this disk
    acknowledged: int
    unanswered: int  # or answered that something broke
    refused_otherwise: int  # than by the word that somebody was faster
    lost: int
    doubled: int
    untold: int
    audit: int
    violations: int  # of all these; and winners that are missing, or too many


@dataclass(frozen=True, slots=True)
class _Http:
    """What came of the parts that go over HTTP."""

    warm_up: Part
    hot: Part
    cpu_us_per_hold: Mapping[str, float]
    many: Part
    paced: Part
    contended: Part

    @property
    def parts(self) -> Sequence[Part]:
        return self.warm_up, self.hot, self.many, self.paced, self.contended


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a service takes to keep events in memory."""

    memory_mb: float
    cold_start_ms: float


def measure(settings: Settings, plan: Plan, *, clock: Clock, say: Say, pause: Pause) -> Figures:
    """Start what is needed, measure, and stop it again."""
    with own_engines(settings, say=say, pause=pause) as engines:
        measuring = _Measuring(engines, plan, int(clock().timestamp()) + SESSION_SECONDS, say)
        with own_service(engines, pause=pause) as service:
            http = run(measuring.http(service), pause)
        with own_service(engines, pause=pause) as service:  # a new one, which knows no event yet
            kept = run(measuring.keep(service), pause)
        return run(measuring.conclude(http, kept), pause)


@dataclass(frozen=True, slots=True)
class _Measuring:
    """One run."""

    engines: Engines
    plan: Plan
    sessions_end_at: int
    say: Say

    async def http(self, service: Service) -> _Http:
        shop, database = Shop(service, self.sessions_end_at), await database_pid(self.engines)
        holds_max = int(self.plan.seconds * HOLDS_PER_S_MAX)
        warm_up = await self.hold(shop, 1, holds_max=WARM_UP_HOLDS)
        before = cpu_seconds(service.pid), cpu_seconds(database)
        hot = await self.hold(shop, 1, holds_max=holds_max)
        after = cpu_seconds(service.pid), cpu_seconds(database)
        cpu = _us_per_hold(hot, service=after[0] - before[0], database=after[1] - before[1], load=hot.cpu_seconds)
        many = await self.hold(shop, EVENTS, holds_max=holds_max)
        return _Http(warm_up, hot, cpu, many, await self.pace(shop), await self.contend(shop))

    async def hold(self, shop: Shop, events: int, *, holds_max: int) -> Part:
        """As many as come, on so many hot events."""
        self.say(f"holds, {events} hot: ")
        wishes = spread(await self.hot(shop, events), self.plan.hall.seats)
        part = await shop.as_many_as_come(islice(wishes, holds_max), seconds=self.plan.seconds)
        self.say(f"{part.holds_per_s:,.0f}/s, p99 {part.holds.p99_ms:,.1f} ms\n")
        return part

    async def pace(self, shop: Shop) -> Part:
        """So many a second on one hot event."""
        self.say(f"holds, {self.plan.pace_per_s:,} due a second: ")
        wishes = spread(await self.hot(shop, 1), self.plan.hall.seats)
        due = islice(wishes, int(self.plan.pace_per_s * self.plan.seconds))
        part = await shop.at_a_pace(due, per_s=self.plan.pace_per_s)
        self.say(f"p99 {part.holds.p99_ms:,.1f} ms\n")
        return part

    async def contend(self, shop: Shop) -> Part:
        """A crowd that wants the same few seats."""
        self.say(f"{self.plan.crowd:,} fans for {WANTED_SEATS} seats: ")
        [event_id] = await self.hot(shop, 1)
        part = await shop.as_many_as_come(contended(event_id, self.plan.crowd), seconds=CROWD_SECONDS_MAX)
        self.say(f"{part.refusals_per_s:,.0f} refused/s, p99 {part.refusals.p99_ms:,.1f} ms\n")
        return part

    async def keep(self, service: Service) -> _Kept:
        """A service that has just started is asked for one event after the other."""
        self.say(f"{self.plan.events_kept} hot events in memory: ")
        shop, events = Shop(service, self.sessions_end_at), await self.on_sale(self.plan.events_kept)
        took = [await shop.first_answer_s(event_id) for event_id in events]
        kept = _Kept(round(resident_mb(service.pid), 1), round(took[0] * MS, 1))
        self.say(f"{kept.memory_mb:,.0f} MB, the first after {kept.cold_start_ms:,.0f} ms\n")
        return kept

    async def conclude(self, http: _Http, kept: _Kept) -> Figures:
        """Compare, and see whether it was true."""
        decided = await self.decide()
        ours, published = await self.way(GROUP_COMMIT), await self.way(REDIS_LOCK)
        tuned = await self.way(REDIS_LOCK, tuned=True)
        told = [each for part in http.parts for each in part.told] + decided.told
        proof = await prove(self.engines.database_url, told, stored=STORED, audited=True)
        return _figures(
            self.plan,
            http,
            kept,
            database=decided.holds_per_s,
            in_process=ours.cells[0].holds_per_s,
            redis_lock=published.cells[0].holds_per_s,
            redis_lock_tuned=tuned.cells[0].holds_per_s,
            sync_ms=round(sync_seconds(self.engines.folder) * MS, 3),
            proof=proof + ours.proof + published.proof + tuned.proof,
        )

    async def decide(self) -> Decided:
        """The database by itself."""
        self.say("the database by itself: ")
        seats, holds_max = self.plan.hall.seats, int(self.plan.seconds * BATCHED_PER_S_MAX)
        events = await self.on_sale(ceil(2 * holds_max / seats))
        asked = ask(wish for event_id in events for wish in spread([event_id], seats))
        decided = await decide(self.engines.database_url, asked, seconds=self.plan.seconds)
        self.say(f"{decided.holds_per_s:,.0f} holds/s\n")
        return decided

    async def way(self, strategy: Strategy, *, tuned: bool = False) -> lab.Examined:
        """A way of holding seats by itself, without HTTP."""
        plan = lab.Plan(
            hall=self.plan.hall, seconds=self.plan.seconds, loads=["spread"], clients=[CLIENTS], tuned=tuned
        )
        return await lab.examine(strategy, plan, self.engines, say=self.say)

    async def hot(self, shop: Shop, events: int) -> Sequence[EventId]:
        """Events that the service knows already; how it comes to know one is measured by itself."""
        event_ids = await self.on_sale(events)
        for event_id in event_ids:
            await shop.first_answer_s(event_id)
        return event_ids

    async def on_sale(self, events: int) -> Sequence[EventId]:
        return await put_on_sale(self.engines.database_url, self.plan.hall, events)


def _figures(
    plan: Plan,
    http: _Http,
    kept: _Kept,
    *,
    database: float,
    in_process: float,
    redis_lock: float,
    redis_lock_tuned: float,
    sync_ms: float,
    proof: Proof,
) -> Figures:
    winners, possible = http.contended.outcomes[Outcome.HELD], WANTED_SEATS // 2
    holds = http.hot.holds_per_s
    return Figures(
        holds_per_s=holds,
        p50_ms=http.hot.holds.p50_ms,
        p99_ms=http.hot.holds.p99_ms,
        p999_ms=http.hot.holds.p999_ms,
        cpu_us_per_hold=http.cpu_us_per_hold,
        eight_events_holds_per_s=http.many.holds_per_s,
        eight_events_p99_ms=http.many.holds.p99_ms,
        pace_per_s=plan.pace_per_s,
        pace_p50_ms=http.paced.holds.p50_ms,
        pace_p99_ms=http.paced.holds.p99_ms,
        refusals_per_s=http.contended.refusals_per_s,
        refusals_p99_ms=http.contended.refusals.p99_ms,
        winners=winners,
        winners_possible=possible,
        database_holds_per_s=database,
        ratio_to_database=ratio(holds, database),
        in_process_holds_per_s=in_process,
        redis_lock_holds_per_s=redis_lock,
        ratio_to_redis_lock=ratio(in_process, redis_lock),
        http_ratio_to_redis_lock=ratio(holds, redis_lock),
        redis_lock_tuned_holds_per_s=redis_lock_tuned,
        ratio_to_redis_lock_tuned=ratio(in_process, redis_lock_tuned),
        memory_events=plan.events_kept,
        memory_mb=kept.memory_mb,
        cold_start_ms=kept.cold_start_ms,
        sync_ms=sync_ms,
        acknowledged=sum(part.outcomes[Outcome.HELD] for part in http.parts),
        unanswered=sum(part.outcomes[Outcome.UNKNOWN] for part in http.parts),
        refused_otherwise=sum(part.outcomes[Outcome.OTHER] for part in http.parts),
        lost=proof.lost,
        doubled=proof.doubled,
        untold=proof.untold,
        audit=proof.audit,
        violations=proof.violations + abs(winners - possible),
    )


def _us_per_hold(part: Part, **seconds: float) -> Mapping[str, float]:
    holds = max(part.outcomes[Outcome.HELD], 1)
    return {name: round(spent / holds * US, 1) for name, spent in seconds.items()}
