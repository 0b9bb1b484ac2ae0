"""Whatever is killed: whoever follows a live map knows every seat as PostgreSQL has it, a moment later.

The processes are real, and so is the client; each test prints how long it took (`pytest -rP`).
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import httpx
import pytest
import redis
from tests import servers
from tests.chaos.fans import PATIENCE_SECONDS, Diary, Fan, ask_all
from tests.chaos.on_sale import open_sale
from tests.chaos.scene import HOLD, LATE, Scene, asking, scene_in
from tests.chaos.scene import SEATS as SCENE_SEATS
from tests.chaos.way import Stop, way_to
from tests.engines.asking import engines_at_work
from tests.feed.follower import Follower, converged, following
from tests.feed.sale import selling
from tests.feed.services import showing
from tests.postgres.watching import until

from frontrow.core.catalogue import EventId
from frontrow.engines.pair import Engines

SEATS = 500


@pytest.fixture
async def event_id(database_url: str) -> EventId:
    return await open_sale(database_url, seats=SEATS)


@pytest.fixture
async def scene(database_url: str) -> AsyncIterator[Scene]:
    async with scene_in(database_url) as scene:
        yield scene


def fans_of(url: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    return httpx.AsyncClient(base_url=url, timeout=PATIENCE_SECONDS, limits=limits)


async def more_frames(followers: list[Follower], count: int = 1) -> None:
    """Return once everybody had so many more."""
    before = [follower.frames for follower in followers]

    async def enough() -> bool:
        return all(follower.frames >= had + count for follower, had in zip(followers, before, strict=True))

    await until(enough)


async def told(followers: list[Follower], database_url: str, event_id: EventId) -> None:
    seconds = await converged(followers, database_url, event_id)
    print(f"{len(followers)} followers are right {seconds:.2f} s after the last change")  # noqa: T201 -- a measurement


@pytest.mark.parametrize("role", ["feed", pytest.param("api", marks=pytest.mark.slow)])
async def test_the_feed_is_killed_and_started_again(database_url: str, event_id: EventId, role: str):
    with showing(role, database_url) as feed:
        await feed.start()
        async with following([feed.url], event_id, seats=SEATS) as followers:
            async with selling(database_url, event_id, seats=SEATS):
                await more_frames(followers)
                feed.kill()
                await asyncio.sleep(0.5)  # meanwhile the sale goes on
                await feed.start()
                await more_frames(followers)
            await told(followers, database_url, event_id)
            assert all(follower.streams == 2 for follower in followers)
        assert feed.stop() == 0


async def test_it_stops_in_time_with_streams_open(database_url: str, event_id: EventId):
    with showing("feed", database_url, FRONTROW_STOP_SECONDS_MAX="300") as feed:
        await feed.start()
        async with following([feed.url], event_id, seats=SEATS):
            assert await asyncio.to_thread(feed.stop) == 0, "nobody waits 300 s for streams"


@pytest.mark.slow
async def test_two_processes_sell_the_same_event(database_url: str, event_id: EventId):
    with showing("api", database_url) as one, showing("api", database_url) as other:
        await asyncio.gather(one.start(), other.start())
        async with following([one.url, other.url], event_id, seats=SEATS) as followers:
            fans = [Fan(number, (number % 40, 40 + number % 50)) for number in range(200)]
            async with fans_of(one.url) as here, fans_of(other.url) as there:
                await asyncio.gather(
                    ask_all(here, event_id, fans[::2], Diary()), ask_all(there, event_id, fans[1::2], Diary())
                )
            await told(followers, database_url, event_id)
            assert sum(followers[0].codes) > 0


async def test_who_commits_is_killed_before_anybody_heard(scene: Scene):
    """PostgreSQL has committed the batch; the process that asked for it never learns so."""
    with showing("feed", scene.database_url) as feed:
        await feed.start()
        async with following([feed.url], scene.event_id, seats=SCENE_SEATS) as followers:
            before = bytes(followers[0].codes)
            scene.way.stop_at(Stop.UNANSWERED, HOLD)
            async with asking(scene):
                await scene.way.reached()
                await scene.kill()
            await told(followers, scene.database_url, scene.event_id)
            assert followers[0].codes != before, "some of the late fans have their seats"
            assert await scene.stored() > 0
            assert LATE


@pytest.mark.slow
async def test_postgresql_is_away_and_nobody_is_sent_home(database_url: str, event_id: EventId):
    async with way_to(database_url) as way:
        with showing("feed", way.url) as feed:
            await feed.start()
            async with following([feed.url], event_id, seats=SEATS) as followers:
                async with selling(database_url, event_id, seats=SEATS):
                    await more_frames(followers)
                    way.stop_at(Stop.UNCONNECTED)
                    await way.cut()
                    await until(_is_told_of_age(followers, 2.0))
                    assert await _age(feed.url, event_id) > 2.0, "snapshots say so too"
                    way.go_on()
                    await more_frames(followers)
                    await until(_is_current(followers))
                await told(followers, database_url, event_id)
                assert all(follower.streams == 1 for follower in followers)


@pytest.mark.slow
async def test_postgresql_falls_silent(database_url: str, event_id: EventId):
    """As when a cable is pulled out: no connection ends, and no answer comes."""
    async with way_to(database_url) as way:
        with showing("feed", way.url) as feed:
            await feed.start()
            async with following([feed.url], event_id, seats=SEATS) as followers:
                async with selling(database_url, event_id, seats=SEATS):
                    await more_frames(followers)
                    way.fall_silent()
                    await until(_is_told_of_age(followers, 2.0))
                    way.speak_to_others()
                    await more_frames(followers)
                await told(followers, database_url, event_id)
                assert all(follower.streams == 1 for follower in followers)


@pytest.mark.slow
async def test_valkey_is_emptied(database_url: str, event_id: EventId, valkey_url: str):
    with showing("api", database_url, valkey_url=valkey_url) as api:
        await api.start()
        async with following([api.url], event_id, seats=SEATS) as followers:
            async with selling(database_url, event_id, seats=SEATS):
                await more_frames(followers)
                with redis.Redis.from_url(valkey_url) as valkey:  # pyright: ignore[reportUnknownMemberType] -- no types
                    valkey.flushall()  # pyright: ignore[reportUnknownMemberType] -- as above
                await more_frames(followers)
            await told(followers, database_url, event_id)
            assert all((follower.streams, follower.resyncs) == (1, 1) for follower in followers), "nobody noticed"


@pytest.mark.slow
def test_valkey_is_killed_and_started_again(databases: servers.Databases):
    """Engines are started where no loop runs."""
    with (
        databases.migrated() as database_url,
        servers.engines_folder() as folder,
        servers.embedded(folder, postgres=False) as engines,
        asyncio.Runner() as loop,
    ):

        def kill() -> None:
            for pid in engines_at_work(folder):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

        loop.run(_without_valkey(database_url, engines, kill))


async def _without_valkey(database_url: str, engines: Engines, kill: Callable[[], None]) -> None:
    assert engines.valkey_url
    assert engines.valkey
    event_id = await open_sale(database_url, seats=SEATS)
    with showing("api", database_url, valkey_url=engines.valkey_url) as api:
        await api.start()
        async with following([api.url], event_id, seats=SEATS) as followers:
            async with selling(database_url, event_id, seats=SEATS):
                await more_frames(followers)
                kill()
                await more_frames(followers)
                engines.revive()  # not in a thread: it would die with that
                await more_frames(followers)
            await told(followers, database_url, event_id)
            assert all((follower.streams, follower.resyncs) == (1, 1) for follower in followers)


@pytest.mark.slow
async def test_the_feed_is_killed_again_and_again(database_url: str, event_id: EventId):
    with showing("feed", database_url) as one, showing("feed", database_url) as other:
        await asyncio.gather(one.start(), other.start())
        async with following([one.url, other.url], event_id, seats=SEATS, each=20) as followers:
            for _ in range(5):
                async with selling(database_url, event_id, seats=SEATS):
                    await more_frames(followers)
                    for feed in (one, other):
                        feed.kill()
                        await feed.start()
                    await more_frames(followers)
                await told(followers, database_url, event_id)


def _is_told_of_age(followers: list[Follower], seconds: float) -> Callable[[], Awaitable[bool]]:
    async def is_told() -> bool:
        return all(follower.ages[-1] > seconds for follower in followers)

    return is_told


def _is_current(followers: list[Follower]) -> Callable[[], Awaitable[bool]]:
    async def is_current() -> bool:
        return all(follower.ages[-1] < 2.0 for follower in followers)

    return is_current


async def _age(url: str, event_id: EventId) -> float:
    async with httpx.AsyncClient() as client:
        return float((await client.get(f"{url}/api/v1/events/{event_id}/seats.bin")).headers["frontrow-age"])
