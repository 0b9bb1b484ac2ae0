"""`kill -9` of the api at each point of a hold's way: every yes is kept, and whoever does not know finds out.

The process is the real one, and nothing in it knows of this: it is stopped on its way to PostgreSQL (way.py), by a lane
that somebody else has, or by a fan who does not read her answer.
"""

import asyncio
from typing import LiteralString

import asyncpg
import httpx
import pytest
from tests.chaos.fans import Diary, No, Unknown, Yes, ask_all, ask_unheard, check, client_of
from tests.chaos.scene import EARLY, HOLD, LATE, Scene, asking
from tests.chaos.services import Service, api
from tests.chaos.way import Stop, way_to
from tests.postgres.watching import until, until_waiting


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop", "stored"),
    [
        (Stop.UNSENT, "nothing"),  # the batch was put together
        (Stop.UNANSWERED, "something"),  # it is committed, and the api does not know
    ],
)
async def test_before_and_after_the_batch_is_decided(scene: Scene, stop: Stop, stored: str):
    scene.way.stop_at(stop, HOLD)
    async with asking(scene):
        await scene.way.reached()
        await scene.kill()
    assert stored == ("something" if await _is_stored(scene) else "nothing")
    assert scene.diary.those_told(Unknown) != []
    await scene.find_out()


@pytest.mark.slow
async def test_while_the_batch_waits_for_its_lane(scene: Scene):
    """What was sent is decided although nobody waits for it any more."""
    keeper = await asyncpg.connect(scene.database_url)
    async with keeper.transaction():
        await keeper.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", scene.event_id)
        async with asking(scene):
            await until_waiting(scene.watcher, 1)
            await scene.kill()
        assert await scene.stored() == 0
    await until(lambda: _is_stored(scene))
    await keeper.close()
    await scene.find_out()


@pytest.mark.slow
async def test_after_the_api_knows_and_before_a_fan_does(scene: Scene):
    [fan, *_] = LATE
    async with ask_unheard(scene.api, scene.event_id, fan, scene.diary):
        await until(lambda: _is_stored(scene))
        await scene.kill()
    assert scene.diary.those_told(Unknown) == [fan]
    await scene.find_out()


@pytest.mark.slow
async def test_while_it_is_asked_to_stop(scene: Scene):
    scene.way.stop_at(Stop.UNANSWERED, HOLD)
    async with asking(scene):
        await scene.way.reached()
        scene.api.ask_to_stop()
        await until(lambda: _is_deaf(scene.api))
        await scene.kill()
    assert await scene.stored() > 0
    await scene.find_out()


async def test_asked_to_stop_and_not_killed_it_answers_what_it_has_begun(scene: Scene):
    scene.way.stop_at(Stop.UNANSWERED, HOLD)
    async with asking(scene):
        await scene.way.reached()
        scene.api.ask_to_stop()
        await until(lambda: _is_deaf(scene.api))
        scene.way.go_on()
    assert await scene.api.stopped() == 0
    assert scene.diary.those_told(Unknown) == []
    assert len(scene.diary.those_told(Yes)) > len(EARLY)
    await check(scene.watcher, scene.diary)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop", "statement"),
    [
        (Stop.UNCONNECTED, ""),
        (Stop.UNSENT, "migrations.oldest_program"),
        (Stop.UNANSWERED, "migrations.oldest_program"),
        (Stop.UNSENT, "journal.claims_of_event"),
    ],
)
async def test_while_it_starts(scene: Scene, stop: Stop, statement: str):
    """The one killed is a second api, beside the one that sells."""
    async with way_to(scene.database_url) as way, api(way.url) as starting:
        way.stop_at(stop, statement)
        asked = asyncio.create_task(_asked_when_ready(starting, scene))
        await way.reached()
        await scene.ask(LATE)
        starting.kill()
        await way.cut()
        asked.cancel()
        await asyncio.wait({asked})
    await scene.find_out()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("DELETE FROM hold WHERE hold_id = $1", "a yes is lost"),
        ("UPDATE hold SET expires_at = expires_at + interval '1 s' WHERE hold_id = $1", "a yes is lost"),
        ("UPDATE claim SET seat_no = 99 WHERE hold_id = $1 AND seat_no = 0", "inv_claim_without_hold"),
    ],
)
async def test_control_what_is_lost_is_missed(scene: Scene, damage: LiteralString, words: str):
    await check(scene.watcher, scene.diary)
    await scene.watcher.execute(damage, EARLY[0].hold_id)
    with pytest.raises(AssertionError, match=words):
        await check(scene.watcher, scene.diary)


async def test_control_a_no_that_is_stored_is_found(scene: Scene):
    scene.diary.told[EARLY[0]] = No("unavailable")
    with pytest.raises(AssertionError, match="a no is stored"):
        await check(scene.watcher, scene.diary)


async def _asked_when_ready(service: Service, scene: Scene) -> None:
    """The first to ask a new api has it load the event."""
    async with client_of(await service.ready()) as client:
        await ask_all(client, scene.event_id, EARLY, Diary())


async def _is_stored(scene: Scene) -> bool:
    return await scene.stored() > 0


async def _is_deaf(service: Service) -> bool:
    """It takes no connection any more."""
    async with httpx.AsyncClient(base_url=service.url) as client:
        try:
            await client.get("/healthz")
        except httpx.TransportError:
            return True
    return False
