"""The way between the api and PostgreSQL is lost, and both live on.

The api finds out by itself what became of a batch. Where it cannot, fans are told so.
"""

import pytest
from tests.chaos.fans import Fan, No, Unknown, Yes, check
from tests.chaos.scene import EARLY, HOLD, LATE, Scene, asking
from tests.chaos.way import Stop
from tests.postgres.watching import until


@pytest.mark.parametrize("stop", [Stop.UNSENT, Stop.UNANSWERED])
async def test_once_and_nobody_notices(scene: Scene, stop: Stop):
    """The api asks again with the same ids, and has the true answers for all who wait."""
    scene.way.stop_at(stop, HOLD)
    async with asking(scene):
        await scene.way.reached()
        scene.way.go_on()
        await scene.way.cut()
    assert scene.diary.those_told(Unknown) == []
    assert [told for told in scene.diary.told.values() if told == No("unavailable")] == []
    await check(scene.watcher, scene.diary)


@pytest.mark.slow
async def test_again_as_it_asks_again_and_fans_are_told_that_nobody_knows(scene: Scene):
    scene.way.stop_at(Stop.UNANSWERED, HOLD)
    async with asking(scene):
        for _ in range(2):
            await scene.way.reached()
            scene.way.stop_at(Stop.UNANSWERED, HOLD)
            await scene.way.cut()
        scene.way.go_on()
    assert len(scene.diary.those_told(Unknown)) > 0
    await scene.find_out()


@pytest.mark.slow
async def test_it_falls_silent_and_others_are_heard(scene: Scene):
    """As when a cable is pulled out and put in elsewhere: no connection is ended, and none is of use."""
    scene.way.fall_silent()
    scene.way.speak_to_others()
    await scene.ask(LATE)
    assert len(scene.diary.those_told(Yes)) > len(EARLY), "the batch that hung was asked for anew"
    await until(lambda: _sells(scene))
    await scene.find_out_here()


@pytest.mark.slow
async def test_it_falls_silent_for_everybody(scene: Scene):
    """Fans are told so before they go, and the sale goes on when somebody is heard again."""
    scene.way.fall_silent()
    await scene.ask(LATE)
    assert len(scene.diary.those_told(Yes)) == len(EARLY)
    scene.way.speak_to_others()
    await until(lambda: _sells(scene))
    await scene.find_out_here()


async def _sells(scene: Scene) -> bool:
    fan = Fan(99, (95,))
    await scene.ask([fan])
    return isinstance(scene.diary.told[fan], Yes)
