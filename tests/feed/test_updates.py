"""`GET …/updates`, with a real PostgreSQL behind it and a client that does as it is told."""

import asyncio

import pytest
from tests.feed.conftest import Open
from tests.feed.stage import LiveStage, frames_until
from tests.postgres.watching import until
from tests.web.asking import ask

from frontrow.flows import channel as channels
from frontrow.flows import feed as feeds
from frontrow.web.updates import RETRY_MS_MIN, RETRY_MS_MORE

CROWD = 8


async def test_what_others_decide_is_told(stage: LiveStage):
    async with stage.watch("after=0") as stream:
        await stage.hold(1, 0, 3)
        assert (await stream.next()).changes == [(0, 1), (3, 1)]
        last = await stage.release(1)
        frames = await frames_until(stream, last)
        assert frames[-1].changes == [(0, 0), (3, 0)]
        assert frames[-1].update_no == last


async def test_a_stream_begins_with_how_to_come_back_and_how_old_it_is(stage: LiveStage):
    async with stage.watch("after=0") as stream:
        retry, age = await stream.next_of_any(), await stream.next_of_any()
        assert RETRY_MS_MIN <= int(retry.retry or 0) <= RETRY_MS_MIN + RETRY_MS_MORE
        assert 0 <= age.json()["seconds"] < 60
        stream.leave()
        await stream.ended()
        answer = stream.answer
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-accel-buffering"] == "no"


async def test_browsers_come_back_at_different_times(stage: LiveStage):
    waits: set[str | None] = set()
    for _ in range(CROWD):
        async with stage.watch() as stream:
            waits.add((await stream.next_of_any()).retry)
    assert len(waits) > 1


async def test_whoever_knows_nothing_is_sent_for_the_snapshot(stage: LiveStage):
    last = await stage.hold(1, 0)
    async with stage.watch() as stream:
        resync = await stream.next()
        assert (resync.name, resync.update_no) == ("resync", last)
        assert resync.json()["seat_map"] == stage.event.seat_map
        snapshot = await stage.get("seats.bin")
        assert int(snapshot.headers["frontrow-update-no"]) >= resync.update_no
        await stage.hold(2, 1)
        assert (await stream.next()).changes == [(1, 1)]


async def test_a_browser_that_comes_back_goes_on_where_it_was(stage: LiveStage):
    async with stage.watch("after=0") as stream:
        first = await stage.hold(1, 0)
        await frames_until(stream, first)
    last = await stage.hold(2, 1)
    async with stage.watch("after=0", [("last-event-id", str(first))]) as stream:
        [frame] = await frames_until(stream, last)
        assert frame.changes == [(1, 1)], "the header is newer than the address"


async def test_an_empty_channel_keeps_its_ring_for_those_who_come_back(stage: LiveStage):
    async with stage.watch("after=0"):
        pass
    await stage.hold(1, 0)
    last = await stage.hold(2, 1)
    async with stage.watch("after=0") as stream:
        frames = await frames_until(stream, last)
    assert [change for frame in frames for change in frame.changes] == [(0, 1), (1, 1)]


async def test_whoever_comes_too_late_begins_anew(stage: LiveStage):
    """Nobody has watched, so there is no ring to go on from."""
    await stage.hold(1, 0)
    last = await stage.hold(2, 1)
    async with stage.watch("after=1") as stream:
        resync = await stream.next()
        assert (resync.name, resync.update_no) == ("resync", last)


async def test_whoever_was_away_longer_than_the_ring_lasts_begins_anew(
    stage: LiveStage, monkeypatch: pytest.MonkeyPatch
):
    async with stage.watch("after=0") as stream:
        first = await stage.hold(1, 0)
        await frames_until(stream, first)
    monkeypatch.setattr(channels, "RING_SECONDS", 0.1)
    monkeypatch.setattr(feeds, "RING_SECONDS", 0.1)
    number = 1

    async def is_forgotten() -> bool:
        nonlocal number
        number += 1
        last = await (stage.hold(number, 1) if number % 2 == 0 else stage.release(number - 1))
        await stage.heard(last)
        async with stage.watch(f"after={first}") as stream:
            return (await stream.next()).name == "resync"

    await until(is_forgotten)


async def test_changes_in_a_hurry_are_told_together(stage: LiveStage):
    async with stage.watch("after=0") as stream:
        last = 0
        for number in range(30):
            await stage.hold(number, 0)
            last = await stage.release(number)
        frames = await frames_until(stream, last)
    assert len(frames) < 60, "sixty updates, and fewer frames"


@pytest.mark.parametrize(
    ("query", "status", "slug"),
    [
        ("after=x", 422, "invalid"),
        ("after=-1", 422, "invalid"),
        ("after=1.5", 422, "invalid"),
        ("after=" + "9" * 19, 422, "invalid"),
        ("after=%D9%A1", 422, "invalid"),  # a digit, in Arabic
    ],
)
async def test_what_is_no_number_is_refused(stage: LiveStage, query: str, status: int, slug: str):
    answer = await stage.get("updates", query=query)
    assert (answer.status, answer.problem()) == (status, slug)


@pytest.mark.parametrize("said", ["x", "-1", "", "9" * 19, "1,2"])
async def test_an_id_that_we_never_gave_counts_for_nothing(stage: LiveStage, said: str):
    async with stage.watch(headers=[("last-event-id", said)]) as stream:
        assert (await stream.next()).name == "resync"


@pytest.mark.parametrize("event", ["999999", "x", "-1", "9" * 30])
async def test_an_event_that_nobody_knows_has_no_updates(stage: LiveStage, event: str):
    assert (await ask(stage.app, f"/api/v1/events/{event}/updates")).problem() == "not-found"


async def test_a_client_that_leaves_gives_its_place_back(stage: LiveStage):
    async with stage.watch(), stage.watch():
        assert await _streams(stage, 2)
    assert await _streams(stage, 0)


async def test_a_request_that_is_cancelled_gives_its_place_back(open_stage: Open):
    async with open_stage(streams_max=1) as stage:
        async with stage.watch() as stream:
            await stream.next()
            await stream.cancelled()
        assert await _streams(stage, 0)
        async with stage.watch() as another:
            assert (await another.next()).name == "resync"


async def test_above_the_limit_newcomers_poll_until_there_is_room(open_stage: Open):
    async with open_stage(streams_max=1) as stage:
        assert (await stage.get("availability")).json()["live"] == "push"
        async with stage.watch("after=0") as stream:
            await stream.next_of_any()
            refused = await stage.get("updates")
            assert (refused.status, refused.problem()) == (503, "push-overloaded")
            said = refused.json()
            assert said["poll_seconds"] > 0
            assert refused.headers["retry-after"] == str(said["poll_seconds"])
            assert (await stage.get("seats.bin")).status == 200
            left = (await stage.get("availability")).json()
            assert (left["live"], left["poll_seconds"]) == ("poll", said["poll_seconds"])
            await stage.hold(1, 0)
            assert (await stream.next()).changes == [(0, 1)], "whoever is there stays"
        async with stage.watch() as another:
            assert (await another.next()).name == "resync"


async def test_at_the_end_everybody_is_let_go_in_order(stage: LiveStage):
    async with stage.watch() as one, stage.watch() as two:
        await one.next()
        await two.next()
        stage.shown.end_streams()
        await one.ended()
        await two.ended()
        assert one.sent[-1] == {"type": "http.response.body", "body": b""}, "no client takes it for an accident"
        assert (await stage.get("updates")).problem() == "push-overloaded"


@pytest.mark.slow
@pytest.mark.parametrize("is_noticed", [True, False], ids=["as it is", "without the guard"])
async def test_who_does_not_read_is_let_go_and_nobody_waits(
    stage: LiveStage, monkeypatch: pytest.MonkeyPatch, *, is_noticed: bool
):
    monkeypatch.setattr(channels, "TAKE_SECONDS_MAX", 0.5 if is_noticed else float("inf"))
    async with stage.watch("after=0") as quick, stage.watch("after=0", reads=False) as slow:
        await quick.next_of_any()
        last = 0
        for number in range(6):
            last = await stage.hold(number, number)
            await frames_until(quick, last)
        assert slow.serving.done() is is_noticed
        assert not quick.serving.done()
        ended = stage.metrics.registry.get_sample_value("frontrow_map_streams_ended_total", {"why": "slow"})
        assert ended == (1 if is_noticed else None)
        await slow.cancelled()


@pytest.mark.slow
async def test_a_crowd_of_watchers_gets_fewer_frames_and_every_change(
    stage: LiveStage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(feeds, "WRITES_PER_SECOND_MAX", 2)  # two watchers: a frame a second
    async with stage.watch("after=0") as one, stage.watch("after=0") as two:
        last = 0
        for number in range(4):
            last = await stage.hold(number, number)
            await asyncio.sleep(0.3)
        frames = await frames_until(one, last)
        assert len(frames) < 4
        assert [change for frame in frames for change in frame.changes] == [(seat, 1) for seat in range(4)]
        assert await frames_until(two, last) == frames


async def _streams(stage: LiveStage, count: int) -> bool:
    for _ in range(2_000):
        if stage.number("frontrow_map_streams") == count:
            return True
        await asyncio.sleep(0.01)
    return False
