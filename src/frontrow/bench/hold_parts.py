"""The parts of `frontrow bench holds` that go over HTTP: what each asks for, and what came of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from random import Random
from typing import Final

from frontrow.bench.figures import Latency, per_second
from frontrow.bench.hold_requests import Asked, Outcome, Wish, ask, encoded, outcome, pairs, told
from frontrow.bench.http_load import Answers, closed_load, connected, open_load
from frontrow.bench.own_service import Service
from frontrow.bench.proof import Told
from frontrow.core.catalogue import EventId

CONNECTIONS: Final = 256  # tried from 64 to 1,024: fewer leave the service idle at times, more only wait for each other
PACED_CONNECTIONS: Final = 1_024  # one is free when a request is due, unless answers take a tenth of a second
WANTED_SEATS: Final = 50  # by everybody, in the contended part


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one part."""

    holds_per_s: float
    refusals_per_s: float
    holds: Latency
    refusals: Latency
    outcomes: Mapping[str, int]  # how often each
    told: Sequence[Told]
    cpu_seconds: float  # processor time of the load itself


@dataclass(frozen=True, slots=True)
class Shop:
    """The service, as fans who have been admitted find it."""

    service: Service
    sessions_end_at: int

    async def as_many_as_come(self, wishes: Iterable[Wish], *, seconds: float) -> Part:
        """Every connection asks again when it has its answer."""
        asked = ask(wishes)
        requests = encoded(asked, self.service, sessions_end_at=self.sessions_end_at)
        async with connected(self.service.address, CONNECTIONS) as connections:
            return _part(asked, await closed_load(connections, requests, seconds=seconds))

    async def at_a_pace(self, wishes: Iterable[Wish], *, per_s: int) -> Part:
        """So many a second, however the ones before them fare."""
        asked = ask(wishes)
        requests = encoded(asked, self.service, sessions_end_at=self.sessions_end_at)
        due_after = [number / per_s for number in range(len(requests))]
        async with connected(self.service.address, PACED_CONNECTIONS) as connections:
            return _part(asked, await open_load(connections, requests, due_after))

    async def first_answer_s(self, event_id: EventId) -> float:
        """How long whoever asks first for an event waits: it is loaded for that."""
        host, port = self.service.address
        request = f"GET /api/v1/events/{event_id}/availability HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n".encode()
        async with connected(self.service.address, 1) as connections:
            answers = await closed_load(connections, [request], seconds=1)
        assert answers.status(0) == HTTPStatus.OK, answers.raw[0]
        return answers.seconds(0)


def spread(events: Sequence[EventId], seats: int) -> Iterator[Wish]:
    """All seats of all events, the events taking turns."""
    return ((event_id, pair) for pair in pairs(seats) for event_id in events)


def contended(event_id: EventId, crowd: int) -> Iterator[Wish]:
    """Everybody wants the same few seats, always the same two together: as many can win as there are twos."""
    wanted = list(pairs(WANTED_SEATS))
    order = [number % len(wanted) for number in range(crowd)]
    Random(0).shuffle(order)  # noqa: S311 -- the same crowd each time
    return ((event_id, wanted[number]) for number in order)


def _part(asked: Sequence[Asked], answers: Answers) -> Part:
    came = {number: outcome(answers, number) for number in range(len(asked)) if answers.is_sent(number)}
    lasted = max(answers.answered, default=0.0) - answers.began
    counted = Counter(came.values())

    def latency(of: Outcome) -> Latency:
        return Latency.of([answers.seconds(number) for number, outcome in came.items() if outcome is of])

    return Part(
        per_second(counted[Outcome.HELD], lasted),
        per_second(counted[Outcome.TAKEN], lasted),
        latency(Outcome.HELD),
        latency(Outcome.TAKEN),
        {outcome.value: counted[outcome] for outcome in Outcome},
        [each for number, outcome in came.items() if (each := told(asked[number], answers, number, outcome))],
        answers.cpu_seconds,
    )
