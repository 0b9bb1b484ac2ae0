"""Two apis sell the same event: what one decides holds for the other, and what comes free there is to be had here."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

import asyncpg
import httpx
import pytest
from tests.chaos.fans import Diary, Fan, No, Yes, ask, ask_all, check, client_of
from tests.chaos.on_sale import open_sale
from tests.chaos.services import api
from tests.postgres.watching import until

from frontrow.core.catalogue import EventId

SEATS: Final = 20
FANS: Final = 200


@dataclass(frozen=True)
class Pair:
    """Two ways to the same sale."""

    event_id: EventId
    watcher: asyncpg.Connection
    one: httpx.AsyncClient
    other: httpx.AsyncClient


@pytest.fixture
async def pair(database_url: str) -> AsyncIterator[Pair]:
    event_id = await open_sale(database_url, seats=SEATS)
    watcher = await asyncpg.connect(database_url)
    async with (
        api(database_url) as first,
        api(database_url) as second,
        client_of(await first.ready()) as one,
        client_of(await second.ready()) as other,
    ):
        yield Pair(event_id, watcher, one, other)
    await watcher.close()


async def test_a_crowd_gets_each_seat_once(pair: Pair):
    """Each wants two seats side by side, or two that others want one of: who comes too late is told of it."""
    fans = [Fan(number, (number % SEATS, (number + 1) % SEATS)) for number in range(FANS)]
    diary = Diary()
    await asyncio.gather(
        ask_all(pair.one, pair.event_id, fans[::2], diary), ask_all(pair.other, pair.event_id, fans[1::2], diary)
    )
    seats = [seat for told in diary.told.values() if isinstance(told, Yes) for seat in told.seats]
    assert len(seats) == len(set(seats)) > 0
    assert {told for told in diary.told.values() if not isinstance(told, Yes)} == {No("seats-taken")}
    await check(pair.watcher, diary)


async def test_the_same_request_to_both_is_one_hold(pair: Pair):
    fan = Fan(1, (3, 4))
    told = await asyncio.gather(ask(pair.one, pair.event_id, fan), ask(pair.other, pair.event_id, fan))
    assert isinstance(told[0], Yes), told
    assert told[0] == told[1]


async def test_a_seat_given_back_to_one_is_to_be_had_from_the_other(pair: Pair):
    """The other may refuse it for a moment, by what it has heard; not for longer."""
    first, second = Fan(1, (3,)), Fan(2, (3,))
    await ask(pair.one, pair.event_id, first)
    assert await ask(pair.other, pair.event_id, second) == No("seats-taken")
    given_back = await pair.one.delete(f"/api/v1/holds/{first.hold_id}", headers=first.headers)
    assert given_back.status_code == 204

    async def is_to_be_had() -> bool:
        return isinstance(await ask(pair.other, pair.event_id, second), Yes)

    await until(is_to_be_had)
