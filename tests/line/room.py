"""A waiting room for tests: real Valkey, real ledger, real calls, and a clock that stands until somebody turns it."""

import itertools
import random
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from starlette.types import ASGIApp
from tests.ledger.on_sale import plant, put_on_sale
from tests.postgres.small_season import SmallSeason
from tests.web.asking import HOST, Answer, Header, ask
from tests.web.asking import service as app_of

from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.valkey import connection
from frontrow.adapters.valkey.connection import Valkey
from frontrow.adapters.valkey.lines import ValkeyLines
from frontrow.core.catalogue import Event, EventId
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.holds import FanId
from frontrow.core.line import LineRules, Policy, TicketKeys
from frontrow.core.sessions import SessionKeys
from frontrow.flows.enter_line import EnterLine
from frontrow.flows.follow_lines import Line, Lines
from frontrow.flows.ports import Guard
from frontrow.flows.publish_lines import PublishLines
from frontrow.flows.usher_lines import UsherLines
from frontrow.web.admission import Admission
from frontrow.web.app import Limits
from frontrow.web.clients import Clients
from frontrow.web.hot import Hot
from frontrow.web.line import LineCalls

SECRET: Final = b"a key for tests, and for nothing else at all"
SESSIONS: Final = SessionKeys([SECRET])
FANS: Final = FanKeys([SECRET])
TICKETS: Final = TicketKeys([SECRET])


@dataclass
class Clock:
    """Time as tests want it."""

    now: float

    def __call__(self) -> float:
        return self.now

    def read(self) -> datetime:
        return datetime.fromtimestamp(self.now, UTC)


@dataclass
class Gate:
    """One process that lets fans in."""

    lines: Lines
    usher: UsherLines
    enter_line: EnterLine
    app: ASGIApp

    async def ask(self, method: str, event_id: EventId, what: str, *headers: Header, json: object = None) -> Answer:
        body = b"" if json is None else msgspec.json.encode(json)
        path = f"/api/v1/events/{event_id}/{what}"
        return await ask(self.app, path, method=method, headers=[HOST, *headers], body=[body])

    async def enter(self, event_id: EventId, *headers: Header, **body: object) -> Answer:
        return await self.ask("POST", event_id, "enter", *headers, json=body)


@dataclass
class Room:
    """Gates, a publisher, and what they stand on."""

    database: Database
    season: SmallSeason
    memory: Valkey
    clock: Clock
    gates: list[Gate]
    publish: PublishLines
    door: ValkeyLines
    wells: list[bool] = field(default_factory=lambda: [True])

    @property
    def gate(self) -> Gate:
        return self.gates[0]

    async def sell(
        self,
        *,
        on_sale_in: float = 0,
        policy: Policy = Policy.LOTTERY,
        cap: int = 5_000,
        visit: int = 900,
        **terms: Any,  # noqa: ANN401 -- of Event
    ) -> Event:
        """One more event with a line, on sale after so long; its line opens half an hour before."""
        at = datetime.fromtimestamp(self.clock.now + on_sale_in, UTC)
        async with self.database.pool.acquire() as connection:
            event = await put_on_sale(connection, self.season, waiting_room=True, on_sale_at=at, **terms)
            # A line that has opened changes no more: tests set what the organizer would have set before.
            await connection.execute(
                "UPDATE line SET policy = $2, cap = $3, visit_seconds = $4 WHERE event_id = $1",
                event.event_id, policy.value, cap, visit,
            )  # fmt: skip
        await self.turn(0)
        return event

    async def turn(self, seconds: float = 1, *, times: int = 1) -> None:
        """Let time go on: each time everybody looks once."""
        for _ in range(times):
            self.clock.now += seconds
            await self.publish.look()
            for gate in self.gates:
                await gate.lines.look()
                await gate.lines.look()  # says who waits
            for gate in self.gates:
                await gate.usher.look()
            for gate in self.gates:
                await gate.lines.look()

    async def open(self, event: Event) -> None:
        """Until the door is open."""
        await self.turn(1, times=4)
        assert (await self.door.look(event.event_id, now=self.clock.now)).is_open

    async def active(self, event: Event) -> int:
        return (await self.door.look(event.event_id, now=self.clock.now)).active

    def line(self, event: Event) -> Line:
        line = self.gate.lines.get(event.event_id)
        assert line
        return line

    async def flush(self) -> None:
        """Valkey loses everything."""
        await self.memory.client.flushall()  # pyright: ignore[reportUnknownMemberType] -- its options have no types

    async def call_everybody(self, event: Event) -> None:
        """Put the frontier beyond everybody, as a usher does at the end of a line."""
        for gate in self.gates:
            line = gate.lines.get(event.event_id)
            assert line
            line.told = replace(line.told, frontier=1e9, at=self.clock.now)


def fan_no(number: int) -> FanId:
    return FanId(UUID(int=number + 1, version=4))


def bearer(number: int) -> Header:
    return "authorization", f"Bearer {FANS.token(fan_no(number), now=time.time())}"


@asynccontextmanager
async def waiting_room(
    database: Database,
    valkey_url: str,
    *,
    gates: int = 1,
    guard: Guard | None = None,
    secrets: Sequence[bytes] = (SECRET,),
) -> AsyncGenerator[Room]:
    async with database.pool.acquire() as held:
        season = await plant(held)
    memory = connection.connect(valkey_url)
    clock = Clock(float(int(time.time())))
    wells = [True]
    made = [gate_of(memory, clock, guard=guard, name=f"gate {number}", secrets=secrets) for number in range(gates)]
    door = ValkeyLines(memory.client)
    publish = PublishLines(database.lines, door, made[0].lines, is_well=lambda: wells[0], now=clock)
    try:
        yield Room(database, season, memory, clock, made, publish, door, wells)
    finally:
        await memory.close()


def gate_of(
    memory: Valkey, clock: Clock, *, name: str, guard: Guard | None = None, secrets: Sequence[bytes] = (SECRET,)
) -> Gate:
    """One more process."""
    door = ValkeyLines(memory.client)
    lines = Lines(door, now=clock)
    chance = random.Random(7)  # noqa: S311 -- the same each time
    numbers = itertools.count(hash(name) & 0xFFFFFFFF)
    admission = Admission(
        SessionKeys(secrets), FanKeys(secrets), new_fan=lambda: FanId(UUID(int=random.getrandbits(128))),
        clock=clock.read, is_over=lines.is_over,
    )  # fmt: skip
    enter_line = EnterLine(
        door, TicketKeys(secrets), guard=guard, now=clock, chance=chance.random, new_number=lambda: next(numbers)
    )
    calls = LineCalls(lines, enter_line, door, admission, Clients(), clock=clock.read, behind_tls=False)
    hot = [
        Hot("GET", "/api/v1/events/{event}/line", calls.look),
        Hot("POST", "/api/v1/events/{event}/enter", calls.enter),
        Hot("GET", "/api/v1/events/{event}/session", calls.session),
        Hot("DELETE", "/api/v1/events/{event}/session", calls.leave),
    ]
    usher = UsherLines(door, lines, who=name, now=clock, chance=chance.random)
    return Gate(lines, usher, enter_line, app_of(hot=hot, limits=Limits(body_bytes_max=65_536, request_seconds_max=15)))


def rules(policy: Policy) -> LineRules:
    return LineRules(policy=policy)
