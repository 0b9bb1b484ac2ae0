"""The clock of an api is wrong by ten minutes: nobody is told anything else, for PostgreSQL's clock decides."""

import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx
import pytest
from tests.chaos.fans import KEYS, Fan, client_of
from tests.chaos.services import API, Service, running
from tests.ledger.on_sale import plant, pooled, put_on_sale
from tests.ledger.stage import age

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import Event
from frontrow.core.holds import HoldRequest
from frontrow.core.seats import SeatNo
from frontrow.core.sessions import SESSION_SECONDS, Session

SKEWS: Final = [-600, 600]  # seconds
CLOSE: Final = timedelta(minutes=5)  # whatever begins or ends does so as close as this, on either side
WRONG_CLOCK: Final = Path(__file__).parent / "wrong_clock"
CLOCK_SECONDS: Final = 60  # by which a right clock may seem wrong: lines are read some time after they were written

# An api whose sessions begin and end by its own clock.
OF_ITS_OWN_TIME: Final = (
    sys.executable,
    "-c",
    """
import time
from frontrow.web import admission
admission.postgres_now = lambda _: time.time()
from frontrow.cli import main
main()
""",
    "api",
)

EXPECTED: Final[Mapping[str, object]] = {
    "a new session lasts so many minutes": SESSION_SECONDS // 60,
    "a new hold lasts so many minutes": CLOSE.seconds // 60,
    "a hold that has ended": "expired",
    "a hold that has not": "held",
    "the seat of a hold that has ended": "held",
    "the seat of a hold that has not": "seats-taken",
    "an event that is not on sale yet": "not-on-sale",
    "an event that is over": "not-on-sale",
    "with a session that has ended": "not-admitted",
    "with a session that has not": "held",
}

LAPSED, HOLDING, NEXT, LATE, EARLY, FRESH, ENDED, ADMITTED = (
    Fan(number, (seat,)) for number, seat in enumerate((0, 1, 0, 1, 2, 3, 4, 5))
)


@dataclass(frozen=True)
class Stage:
    """Events, holds and sessions that begin or end within minutes, by PostgreSQL's clock."""

    database_url: str
    pool: asyncpg.Pool
    on_sale: Event
    soon: Event
    over: Event

    async def observe(self, client: httpx.AsyncClient) -> Mapping[str, object]:
        """What fans are told, in the words of EXPECTED."""
        entered = await client.post(f"/api/v1/events/{self.on_sale.event_id}/enter")
        fresh = await _ask(client, self.on_sale, FRESH)
        return {
            "a new session lasts so many minutes": await self._minutes_to(entered.json()["ends_at"]),
            "a new hold lasts so many minutes": await self._minutes_to(fresh.json()["expires_at"]),
            "a hold that has ended": _word(await _look_up(client, LAPSED)),
            "a hold that has not": _word(await _look_up(client, HOLDING)),
            "the seat of a hold that has ended": _word(await _ask(client, self.on_sale, NEXT)),
            "the seat of a hold that has not": _word(await _ask(client, self.on_sale, LATE)),
            "an event that is not on sale yet": _word(await _ask(client, self.soon, EARLY)),
            "an event that is over": _word(await _ask(client, self.over, EARLY)),
            "with a session that has ended": _word(
                await _ask(client, self.on_sale, ENDED, await self._session(ENDED, -CLOSE))
            ),
            "with a session that has not": _word(
                await _ask(client, self.on_sale, ADMITTED, await self._session(ADMITTED, CLOSE))
            ),
        }

    async def _minutes_to(self, end: str) -> int:
        return round((datetime.fromisoformat(end) - await self._now()) / timedelta(minutes=1))

    async def _session(self, fan: Fan, ends_in: timedelta) -> Mapping[str, str]:
        ends_at = int((await self._now() + ends_in).timestamp())
        return {"frontrow-session": KEYS.token(Session(self.on_sale.event_id, fan.fan_id, 1, ends_at))}

    async def _now(self) -> datetime:
        return await self.pool.fetchval("SELECT clock_timestamp()")


@pytest.fixture
async def stage(database_url: str) -> AsyncIterator[Stage]:
    async with pooled(database_url, 2) as pool, pool.acquire() as connection:
        now: datetime = await connection.fetchval("SELECT clock_timestamp()")
        terms: dict[str, Any] = {"waiting_room": False, "hold_seconds": CLOSE.seconds}
        season = await plant(connection)
        stage = Stage(
            database_url,
            pool,
            on_sale=await put_on_sale(connection, season, **terms),
            soon=await put_on_sale(connection, season, on_sale_at=now + CLOSE, **terms),
            over=await put_on_sale(connection, season, starts_at=now - 2 * CLOSE, ends_at=now - CLOSE, **terms),
        )
        await _hold(stage, LAPSED)
        await age(pool, stage.on_sale.event_id, 2 * CLOSE.seconds)
        await _hold(stage, HOLDING)
        yield stage


@pytest.mark.slow
@pytest.mark.parametrize("skew", SKEWS)
async def test_a_wrong_clock_changes_nothing(stage: Stage, skew: int):
    assert await _observed(stage, skew, API) == EXPECTED


@pytest.mark.slow
async def test_control_nor_does_a_right_one(stage: Stage):
    assert await _observed(stage, 0, API) == EXPECTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("skew", "told"),
    [
        (-600, {"a new session lasts so many minutes": 50, "with a session that has ended": "held"}),
        (600, {"a new session lasts so many minutes": 70, "with a session that has not": "not-admitted"}),
    ],
)
async def test_control_an_api_of_its_own_time_is_found(stage: Stage, skew: int, told: Mapping[str, object]):
    assert await _observed(stage, skew, OF_ITS_OWN_TIME) == {**EXPECTED, **told}


async def _observed(stage: Stage, skew: int, command: Sequence[str]) -> Mapping[str, object]:
    path = os.pathsep.join([str(WRONG_CLOCK), *filter(None, [os.environ.get("PYTHONPATH")])])
    wrong = {"PYTHONPATH": path, "SKEW_SECONDS": str(skew)}
    async with running(command, stage.database_url, **wrong) as service, client_of(await service.ready()) as client:
        assert abs(_seems_wrong_by(service) - skew) < CLOCK_SECONDS
        return await stage.observe(client)


def _seems_wrong_by(service: Service) -> float:
    """What the times of its log lines say."""
    line = json.loads(service.said.splitlines()[-1])
    return (datetime.fromisoformat(line["time"]) - datetime.now(UTC)).total_seconds()


async def _hold(stage: Stage, fan: Fan) -> None:
    wish = HoldRequest(fan.hold_id, fan.fan_id, tuple(map(SeatNo, fan.seats)))
    await PostgresLedger(stage.pool).hold_seats(stage.on_sale.event_id, [wish])


async def _ask(
    client: httpx.AsyncClient, event: Event, fan: Fan, session: Mapping[str, str] | None = None
) -> httpx.Response:
    return await client.post(f"/api/v1/events/{event.event_id}/holds", json=fan.wish, headers=session or fan.headers)


async def _look_up(client: httpx.AsyncClient, fan: Fan) -> httpx.Response:
    return await client.get(f"/api/v1/holds/{fan.hold_id}", headers=fan.headers)


def _word(answer: httpx.Response) -> str:
    said = answer.json()
    return said["state"] if answer.is_success else str(said["type"]).removeprefix("/problems/")
