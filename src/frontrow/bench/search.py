"""`frontrow bench search`: how fast events are found in a large catalogue, and whether the right ones are.

Everything runs on engines of its own and over HTTP, with all guards on: searches as fast as they are answered, then at
a pace, then suggestions at a pace, and the test set of relevance.tsv.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import Final, Self

from frontrow.bench.catalogue.loading import CITIES, EVENTS, load
from frontrow.bench.catalogue.season import Season
from frontrow.bench.effort import cpu_seconds
from frontrow.bench.figures import MS, at_share, per_second
from frontrow.bench.http_load import Answers, Connection, closed_load, connected, open_load
from frontrow.bench.own_service import Engines, Service, database_pid, own_engines, own_service
from frontrow.bench.relevance import test_set
from frontrow.bench.search_requests import searches, typed
from frontrow.engines.children import Pause, Say
from frontrow.flows.ports import Clock
from frontrow.halt import Halt
from frontrow.processes.stopping import run
from frontrow.settings import Settings

SECONDS: Final = 8.0  # of each part
PACE_PER_S: Final = 50  # what a search has to be quick at
CONNECTIONS: Final = 8
SEARCHES_PER_S_MAX: Final = 2_000  # so many requests are made ready for each second; more nobody answers here
TEST_SET_SECONDS_MAX: Final = 30.0
WARM_UP: Final = 300  # plans are made, connections opened, pages read into memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured, in how large a catalogue."""

    events: int = EVENTS
    cities: int = CITIES
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of it, by the names that `--json` has."""

    events: int
    cities: int
    searches_per_s: float  # as fast as they are answered, on all of this machine
    searches_per_core_s: float  # in a second of processor time, of the service and of the database together
    service_ms: float  # of processor time for one search
    database_ms: float
    p50_ms: float  # at PACE_PER_S, as the next two
    p95_ms: float
    p99_ms: float
    suggest_p50_ms: float
    suggest_p95_ms: float
    suggest_p99_ms: float
    relevance: float  # the share of the test set that was answered as expected
    relevance_of: int  # how many are in it
    missed: Sequence[str]  # of the test set
    failed: int  # searches that were not answered, or otherwise than by 200


def measure(settings: Settings, plan: Plan, *, clock: Clock, say: Say, pause: Pause) -> Figures:
    """Start what is needed, measure, and stop it again."""
    with own_engines(settings, say=say, pause=pause) as engines:
        today = clock().date()
        say(f"{plan.events:,} events in {plan.cities} cities … ")
        season = run(load(engines.database_url, today=today, events=plan.events, cities=plan.cities), pause)
        say("loaded\n")
        with own_service(engines, pause=pause) as service:
            return run(_measure(_Bench(engines, service, plan, season, today, say)), pause)


@dataclass(frozen=True, slots=True)
class _Bench:
    """What is measured, and with what."""

    engines: Engines
    service: Service
    plan: Plan
    season: Season
    today: date
    say: Say


@dataclass(frozen=True, slots=True)
class _Part:
    """What came of one part, with how long each answer took."""

    asked: int
    took: Sequence[float]  # of those that were answered by 200, the quickest first
    seconds: float

    @classmethod
    def of(cls, answers: Answers) -> Self:
        good = [request for request in range(len(answers.raw)) if answers.status(request) == HTTPStatus.OK]
        return cls(
            asked=sum(map(answers.is_sent, range(len(answers.raw)))),
            took=sorted(map(answers.seconds, good)),
            seconds=max((answers.answered[request] for request in good), default=answers.began) - answers.began,
        )

    def ms(self, share: float) -> float:
        return round(at_share(self.took, share) * MS, 1)


async def _measure(bench: _Bench) -> Figures:
    at_pace, most = int(bench.plan.seconds * PACE_PER_S), int(bench.plan.seconds * SEARCHES_PER_S_MAX)
    asked = _encoded(searches(bench.season, bench.today, WARM_UP + at_pace + most))
    letters = _encoded(typed(bench.season, WARM_UP + at_pace))
    async with connected(bench.service.address, CONNECTIONS) as connections:
        await closed_load(connections, [*asked[:WARM_UP], *letters[:WARM_UP]], seconds=bench.plan.seconds)
        bench.say("the test set … ")
        missed, of = await _relevance(connections)
        bench.say(f"at {PACE_PER_S} a second … ")
        paced = await _at_pace(connections, asked[WARM_UP : WARM_UP + at_pace])
        suggested = await _at_pace(connections, letters[WARM_UP:])
        bench.say("as fast as they are answered … ")
        before = await _cpu_seconds(bench)
        fast = _Part.of(await closed_load(connections, asked[WARM_UP + at_pace :], seconds=bench.plan.seconds))
        after = await _cpu_seconds(bench)
        bench.say("done\n")
    answered = len(fast.took)
    if not answered:
        raise Halt("no search was answered; the log of the service may say why")
    service, database = (late - early for late, early in zip(after, before, strict=True))
    return Figures(
        events=len(bench.season.nights),
        cities=len(bench.season.towns),
        searches_per_s=per_second(answered, fast.seconds),
        searches_per_core_s=per_second(answered, service + database),
        service_ms=round(service / answered * MS, 2),
        database_ms=round(database / answered * MS, 2),
        p50_ms=paced.ms(0.5),
        p95_ms=paced.ms(0.95),
        p99_ms=paced.ms(0.99),
        suggest_p50_ms=suggested.ms(0.5),
        suggest_p95_ms=suggested.ms(0.95),
        suggest_p99_ms=suggested.ms(0.99),
        relevance=round(1 - len(missed) / of, 3),
        relevance_of=of,
        missed=missed,
        failed=sum(part.asked - len(part.took) for part in (paced, suggested, fast)),
    )


async def _relevance(connections: Sequence[Connection]) -> tuple[Sequence[str], int]:
    """What of the test set was answered otherwise than expected, and how many are in it."""
    expected = test_set()
    answers = await closed_load(connections, _encoded([each.path for each in expected]), seconds=TEST_SET_SECONDS_MAX)
    missed = [
        each.asked
        for request, each in enumerate(expected)
        if answers.status(request) != HTTPStatus.OK or not each.is_met(answers.body(request))
    ]
    return missed, len(expected)


async def _at_pace(connections: Sequence[Connection], requests: Sequence[bytes]) -> _Part:
    due = [place / PACE_PER_S for place in range(len(requests))]
    return _Part.of(await open_load(connections, requests, due))


async def _cpu_seconds(bench: _Bench) -> tuple[float, float]:
    """What the service and the database have had so far."""
    return cpu_seconds(bench.service.pid), cpu_seconds(await database_pid(bench.engines))


def _encoded(paths: Sequence[str]) -> Sequence[bytes]:
    return [f"GET {path} HTTP/1.1\r\nHost: bench.example\r\n\r\n".encode() for path in paths]
