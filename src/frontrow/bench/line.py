"""`frontrow bench line`: how many fans one process of a waiting room answers a second, over HTTP with all guards on.

One `frontrow gate` on a Valkey of its own. Who waits brings a ticket, and is known by a bearer token: both are checked,
the key is computed, the frontier compared, the look counted. Nobody is let in, so nothing is measured but waiting.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Final
from uuid import UUID

from frontrow.adapters.valkey import connection as valkey
from frontrow.adapters.valkey.lines import ValkeyLines
from frontrow.bench.figures import per_second
from frontrow.bench.http_load import Address, Answers, closed_load, connected
from frontrow.bench.own_service import Engines, Service, own_engines, own_service
from frontrow.core.catalogue import EventId
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.holds import FanId
from frontrow.core.line import GATHERED, LineRules, LineTerms, LineTicket, Policy, TicketKeys
from frontrow.engines.children import Pause, Say
from frontrow.flows.ports import Clock
from frontrow.halt import Halt
from frontrow.processes.stopping import run
from frontrow.settings import Settings

SECONDS: Final = 4.0  # of each part
CONNECTIONS: Final = 64
FANS: Final = 8_000  # each with a ticket of their own, in turn
SLICE_SECONDS_MAX: Final = 20.0  # a net
GATHERING: Final = EventId(1)
STANDING: Final = EventId(2)  # its sale has begun, and it stands still
NO_WORK: Final = MappingProxyType({"proof_of_work": "never"})  # that is their devices' to do, and not measured
LONG_SECONDS: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Waited:
    """What came of it."""

    enter_per_s: float  # fans who wait and look again
    line_per_s: float  # line documents
    join_per_s: float  # fans who join


def measure(settings: Settings, *, seconds: float, clock: Clock, say: Say, pause: Pause) -> Waited:
    """Everything, on engines of its own."""
    with (
        own_engines(settings, say=say, pause=pause) as engines,
        own_service(engines, role="gate", more=NO_WORK, pause=pause) as service,
    ):
        return run(_measure(engines, service, seconds=seconds, now=clock().timestamp(), say=say), pause)


async def _measure(engines: Engines, service: Service, *, seconds: float, now: float, say: Say) -> Waited:
    await _publish(engines, now)
    fans, tickets = FanKeys([service.secret]), TicketKeys([service.secret])
    looks = [f"GET /api/v1/events/{STANDING}/line HTTP/1.1\r\nHost: bench\r\n\r\n".encode()] * FANS
    await _until_known(service.address, looks[0])
    bearers = [fans.token(_fan(number), now=now) for number in range(FANS)]
    enters = [
        _enter(STANDING, bearer, tickets.token(LineTicket(STANDING, _fan(number), GATHERED)))
        for number, bearer in enumerate(bearers)
    ]
    joins = [_enter(GATHERING, bearer) for bearer in bearers]
    found: list[float] = []
    for name, requests, status in (
        ("fans who wait", enters, HTTPStatus.ACCEPTED),
        ("line documents", looks, HTTPStatus.OK),
        ("fans who join", joins, HTTPStatus.ACCEPTED),
    ):
        say(f"{name} … ")
        found.append(await _as_many_as_come(service.address, requests, status, seconds=seconds))
        say(f"{found[-1]:,.0f}/s\n")
    return Waited(*found)


async def _publish(engines: Engines, now: float) -> None:
    """Two lines, as somebody publishes them who sells."""
    memory = valkey.connect(engines.valkey_url)
    gathering = LineTerms(
        event_id=GATHERING,
        rules=LineRules(policy=Policy.LOTTERY),
        seed=bytes(range(32)),
        opens_at=now - LONG_SECONDS,
        on_sale_at=now + LONG_SECONDS,
        ends_at=now + 2 * LONG_SECONDS,
        seats_unsold=100_000,
    )
    standing = replace(gathering, event_id=STANDING, on_sale_at=now - LONG_SECONDS, paused="We are measuring.")
    try:
        await ValkeyLines(memory.client).publish([gathering, standing], is_well=True)
    finally:
        await memory.close()


async def _until_known(address: Address, look: bytes) -> None:
    """Wait until the process has heard of the lines: a moment."""
    async with connected(address, 1) as connections:
        while (await closed_load(connections, [look], seconds=1)).status(0) != HTTPStatus.OK:
            pass


async def _as_many_as_come(address: Address, requests: Sequence[bytes], status: HTTPStatus, *, seconds: float) -> float:
    answered, lasted = 0, 0.0
    async with connected(address, CONNECTIONS) as connections:
        await closed_load(connections, requests[:CONNECTIONS], seconds=SLICE_SECONDS_MAX)  # all is warm
        while lasted < seconds:
            answers = await closed_load(connections, requests, seconds=SLICE_SECONDS_MAX)
            _ensure_good(answers, len(requests), status)
            answered += len(requests)
            lasted += max(answers.answered) - answers.began
    return per_second(answered, lasted)


def _ensure_good(answers: Answers, count: int, status: HTTPStatus) -> None:
    bad = [answers.status(number) for number in range(count) if answers.status(number) != status]
    if bad:
        raise Halt(f"of {count} requests, {len(bad)} were not answered with {status}; the first with {bad[0]}")


def _enter(event_id: EventId, bearer: str, ticket: str | None = None) -> bytes:
    body = "{}" if ticket is None else f'{{"line_ticket":"{ticket}"}}'
    return (
        f"POST /api/v1/events/{event_id}/enter HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {bearer}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def _fan(number: int) -> FanId:
    return FanId(UUID(int=number + 1))
