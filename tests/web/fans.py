"""Fans who call the api service, wired as it is in production: each answer is held against the OpenAPI document."""

import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp
from tests.ledger.on_sale import FAR_AHEAD, fan_no, plant, put_on_sale
from tests.postgres.small_season import SmallSeason
from tests.web.asking import HOST, Answer, Header, ask
from tests.web.contract import Contract

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, EventId
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.holds import FanId
from frontrow.core.sessions import Session, SessionKeys
from frontrow.processes import api
from frontrow.settings import Settings

KEY: Final = "a key that is for tests and for nothing else"
KEYS: Final = SessionKeys([KEY.encode()])
FANS: Final = FanKeys([KEY.encode()])
ENDS_AT: Final = int(FAR_AHEAD.timestamp())
TERMS: Final = {"waiting_room": False, "seats_per_hold_max": 4, "tickets_per_fan_max": 5}


@dataclass(frozen=True)
class Service:
    """The service, and its database to look into."""

    app: ASGIApp
    contract: Contract
    database: Database
    season: SmallSeason

    async def ask(
        self,
        method: str,
        path: str,
        *,
        query: str = "",
        headers: Iterable[Header] = (),
        body: bytes | None = None,
        json: object = None,
    ) -> Answer:
        """One request, from nobody in particular."""
        sent = body if body is not None else b"" if json is None else msgspec.json.encode(json)
        answer = await ask(self.app, path, method=method, query=query, headers=[HOST, *headers], body=[sent])
        self.contract.judge(method, path, answer)
        return answer

    async def sell(self, **terms: Any) -> Event:  # noqa: ANN401 -- of Event
        """One more event on sale: seven seats, a row of four and a floor for three."""
        async with self.database.pool.acquire() as connection:
            return await put_on_sale(connection, self.season, **(TERMS | terms))

    def fan(self, number: int, event: Event | None = None) -> "Fan":
        """A fan who is known by their token, and who has a session where an event is named."""
        headers = [bearer(fan_no(number))] if event is None else [session(event.event_id, fan_no(number))]
        return Fan(self, fan_no(number), headers)

    async def stored(self) -> list[Any]:
        """Everything that a call about holds may write."""
        tables = ("hold", "claim", "journal", "lane")
        return [await self.database.pool.fetch(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]  # noqa: S608 -- see above

    async def violations(self) -> list[Any]:
        return await self.database.pool.fetch("SELECT * FROM violations_v1(5)")


@dataclass(frozen=True)
class Fan:
    """Somebody who sends these headers."""

    service: Service
    fan_id: FanId
    headers: Sequence[Header] = field(default_factory=list[Header])

    async def ask(self, method: str, path: str, **more: Any) -> Answer:  # noqa: ANN401 -- of Service.ask
        return await self.service.ask(method, path, headers=self.headers, **more)

    async def hold(self, event: Event, hold_id: str, *seats: int) -> Answer:
        return await self.post_hold(event, {"hold_id": hold_id, "seats": seats})

    async def hold_best(self, event: Event, hold_id: str, quantity: int, **wish: object) -> Answer:
        return await self.post_hold(event, {"hold_id": hold_id, "best": {"quantity": quantity, **wish}})

    async def post_hold(self, event: Event, json: object) -> Answer:
        return await self.ask("POST", f"/api/v1/events/{event.event_id}/holds", json=json)

    async def read(self, hold_id: str) -> Answer:
        return await self.ask("GET", f"/api/v1/holds/{hold_id}")

    async def release(self, hold_id: str) -> Answer:
        return await self.ask("DELETE", f"/api/v1/holds/{hold_id}")


def token(fan_id: FanId, *, keys: FanKeys = FANS) -> str:
    return keys.token(fan_id, now=time.time())


def bearer(fan_id: FanId) -> Header:
    return "authorization", f"Bearer {token(fan_id)}"


def cookie(fan_id: FanId) -> Header:
    return "cookie", f"theme=dark; frontrow-fan={token(fan_id)}; other=1"


def session(event_id: EventId, fan_id: FanId, *, ends_at: int = ENDS_AT, keys: SessionKeys = KEYS) -> Header:
    return "frontrow-session", keys.token(Session(event_id, fan_id, 1, ends_at))


def seats_of(answer: Answer) -> list[int]:
    assert answer.status in {200, 201}, answer.body
    return [seat["seat"] for seat in answer.json()["seats"]]


def time_of(text: str) -> datetime:
    """A time of the API: RFC 3339, in UTC."""
    assert text.endswith("Z"), text
    return datetime.fromisoformat(text).astimezone(UTC)


@asynccontextmanager
async def service(database: Database, database_url: str, valkey_url: str, **more: Any) -> AsyncGenerator[Service]:  # noqa: ANN401 -- settings
    async with database.pool.acquire() as connection:
        season = await plant(connection)
    settings = Settings(database_url=database_url, valkey_url=valkey_url, signing_keys=KEY, **more)
    async with api.opened(settings) as opened:
        document = (await ask(opened.app, "/openapi.json")).json()
        yield Service(opened.app, Contract(document), database, season)
