"""Fans who hold seats over HTTP, and keep a diary of what they were told.

There are three answers: yes, no, and none that can be relied on (unknown). What was a yes must be stored, what was a no
must not be, and whoever does not know asks again with the same id.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

import asyncpg
import httpx
from tests.chaos.services import KEY, Service

from frontrow.adapters.postgres.audit import violations
from frontrow.core.catalogue import EventId
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.holds import FanId, HoldId
from frontrow.core.sessions import SessionKeys

PATIENCE_SECONDS: Final = 30.0  # of one request; the service itself gives up after 15
_UNSURE: Final = {"timed-out", "fault"}  # problems that say so themselves
KEYS: Final = SessionKeys([KEY.encode()])
_FANS: Final = FanKeys([KEY.encode()])


@dataclass(frozen=True, slots=True)
class Fan:
    """One person with a wish. The number makes the ids."""

    number: int
    seats: tuple[int, ...]

    @property
    def hold_id(self) -> HoldId:
        return HoldId(UUID(int=(self.number + 1) << 64))

    @property
    def fan_id(self) -> FanId:
        return FanId(UUID(int=self.number + 1))

    @property
    def wish(self) -> Mapping[str, object]:
        return {"hold_id": str(self.hold_id), "seats": self.seats}

    @property
    def headers(self) -> Mapping[str, str]:
        return {"authorization": f"Bearer {_FANS.token(self.fan_id, now=time.time())}"}


@dataclass(frozen=True, slots=True)
class Yes:
    """The seats are held, to that time."""

    seats: tuple[int, ...]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class No:
    """Nothing was done, for that reason."""

    slug: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer, or one that says it is unsure."""

    why: str


Told: TypeAlias = Yes | No | Unknown


class Diary:
    """What each fan was told last."""

    def __init__(self) -> None:
        self.told: dict[Fan, Told] = {}

    def those_told(self, kind: type[Told]) -> Sequence[Fan]:
        return [fan for fan, told in self.told.items() if isinstance(told, kind)]


@asynccontextmanager
async def client_of(service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    """As many connections to a service as fans open."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_SECONDS, limits=limits) as client:
        yield client


async def ask(client: httpx.AsyncClient, event_id: EventId, fan: Fan) -> Told:
    """One request for a hold."""
    try:
        answer = await client.post(f"/api/v1/events/{event_id}/holds", json=fan.wish, headers=fan.headers)
    except httpx.TransportError as error:
        return Unknown(type(error).__name__)
    return _told(answer)


@asynccontextmanager
async def ask_unheard(service: Service, event_id: EventId, fan: Fan, diary: Diary) -> AsyncGenerator[None]:
    """The same by a fan who does not get to read the answer."""
    request = httpx.Request("POST", f"{service.url}/api/v1/events/{event_id}/holds", json=fan.wish, headers=fan.headers)
    _, writer = await asyncio.open_connection(request.url.host, request.url.port)
    head = [f"POST {request.url.path} HTTP/1.1", *(f"{name}: {value}" for name, value in request.headers.items())]
    writer.write("\r\n".join([*head, "", ""]).encode() + request.content)
    try:
        yield
    finally:
        writer.transport.abort()
        diary.told[fan] = Unknown("she went away")


def _told(answer: httpx.Response) -> Told:
    said = answer.json()
    if answer.is_success:
        return Yes(tuple(seat["seat"] for seat in said["seats"]), datetime.fromisoformat(said["expires_at"]))
    slug = str(said["type"]).removeprefix("/problems/")
    return Unknown(slug) if slug in _UNSURE else No(slug)


async def ask_all(client: httpx.AsyncClient, event_id: EventId, fans: Iterable[Fan], diary: Diary) -> None:
    """All at once; each writes down what she is told."""

    async def one(fan: Fan) -> None:
        diary.told[fan] = await ask(client, event_id, fan)

    await asyncio.gather(*map(one, fans))


async def find_out(client: httpx.AsyncClient, event_id: EventId, diary: Diary) -> None:
    """Whoever does not know asks again with the same id, and is told the same from then on."""
    unsure = diary.those_told(Unknown)
    await ask_all(client, event_id, unsure, diary)
    first = {fan: diary.told[fan] for fan in unsure}
    await ask_all(client, event_id, unsure, diary)
    assert {fan: diary.told[fan] for fan in unsure} == first
    assert not diary.those_told(Unknown)


async def check(connection: asyncpg.Connection, diary: Diary) -> None:
    """What was a yes is stored, as it was told; what was a no is not; and every invariant holds."""
    rows = await connection.fetch("SELECT hold_id, seats, expires_at FROM hold WHERE state = 'held'")
    stored = {row["hold_id"]: Yes(tuple(row["seats"]), row["expires_at"]) for row in rows}
    promised = {fan.hold_id: diary.told[fan] for fan in diary.those_told(Yes)}
    assert {hold_id: told for hold_id, told in promised.items() if stored.get(hold_id) != told} == {}, "a yes is lost"
    assert [fan for fan in diary.those_told(No) if fan.hold_id in stored] == [], "a no is stored"
    broken = await violations(connection)
    assert broken == [], broken
