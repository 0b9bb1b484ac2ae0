"""What a channel tells whom, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.feed.messages import Message, messages
from tests.feed.small_map import SmallMap
from tests.postgres.small_season import SEATS

from frontrow.core.seat_codec import apply, frame_data
from frontrow.flows import channel as channels
from frontrow.flows.channel import (
    BEAT_SECONDS,
    BEHIND_BEAT_SECONDS,
    BEHIND_SECONDS_MAX,
    RING_SECONDS,
    TAKE_SECONDS_MAX,
    Channel,
    Watcher,
)

TICK = 0.25


def told(channel: Channel, watcher: Watcher) -> list[Message]:
    return messages(channel.said_since(watcher))


def watch(channel: Channel, update_no: int | None, now: float = 0.0) -> Watcher:
    return Watcher(channel, update_no, now, lambda _: None)


@pytest.fixture
def small() -> SmallMap:
    return SmallMap(update_no=10)


class Stage:
    """A channel whose clock the test turns, and which always has heard everything."""

    def __init__(self, small: SmallMap) -> None:
        self.small = small
        self.now = 1000.0
        self.hear_all()
        self.channel = Channel(small.at_hand, self.now)

    def hear_all(self) -> None:
        self.small.at_hand.fresh_at = self.now

    def tick(self, seconds: float = TICK, *, is_heard: bool = True) -> bool:
        self.now += seconds
        if is_heard:
            self.hear_all()
        return self.channel.hear(self.small.at_hand, self.now, TICK)


@pytest.fixture
def stage(small: SmallMap) -> Stage:
    return Stage(small)


async def test_updates_between_two_looks_are_one_frame(stage: Stage):
    watcher = watch(stage.channel, 10)
    stage.small.change(s0="h", s3="h")
    stage.small.change(s3="a", s4="s")
    assert stage.tick()
    [frame] = told(stage.channel, watcher)
    assert (frame.update_no, frame.changes) == (12, [(0, 1), (4, 2)])  # seat 3 is as it was
    assert told(stage.channel, watcher) == []


async def test_no_more_frames_than_are_wanted_in_a_second(stage: Stage):
    watcher = watch(stage.channel, 10)
    stage.tick()
    numbers: list[int] = []
    for _ in range(40):  # a second, of a look each 25 ms
        stage.small.change(s0="h") if stage.small.codes[0] == 0 else stage.small.change(s0="a")
        stage.tick(TICK / 10)
        numbers += [frame.update_no for frame in told(stage.channel, watcher)]
    assert len(numbers) == 4
    assert numbers == sorted(numbers)


async def test_what_changed_there_and_back_has_a_number_all_the_same(stage: Stage):
    watcher = watch(stage.channel, 10)
    stage.small.change(s0="h")
    stage.small.change(s0="a")
    stage.tick()
    [frame] = told(stage.channel, watcher)
    assert (frame.update_no, frame.changes) == (12, [])


async def test_all_take_the_same_bytes(stage: Stage):
    watchers = [watch(stage.channel, 10) for _ in range(3)]
    stage.small.change(s0="h")
    stage.tick()
    assert len({id(stage.channel.said_since(watcher)) for watcher in watchers}) == 1, "encoded once, copied never"


async def test_a_stranger_is_sent_for_the_snapshot(stage: Stage):
    watcher = watch(stage.channel, None)
    [resync] = told(stage.channel, watcher)
    assert resync.name == "resync"
    assert resync.id is None, "a browser that loses its stream now must be told again"
    assert resync.json() == {"update_no": 10, "seat_map": stage.small.at_hand.event.seat_map}
    stage.small.change(s0="h")
    stage.tick()
    assert [frame.update_no for frame in told(stage.channel, watcher)] == [11]


@pytest.mark.parametrize(
    ("knows", "frames"),
    [
        (10, [12, 14, 15]),
        (11, [12, 14, 15]),  # in the middle of the first: it says what its seats are, not how they became so
        (12, [14, 15]),
        (14, [15]),
        (15, []),
    ],
)
async def test_whoever_comes_back_gets_what_was_missed(stage: Stage, knows: int, frames: list[int]):
    for update in range(5):
        stage.small.change(**{f"s{update}": "s"})
        if update not in {0, 2}:
            stage.tick()
    assert [frame.update_no for frame in told(stage.channel, watch(stage.channel, knows))] == frames


@pytest.mark.parametrize(
    ("seconds", "is_kept"),
    [(RING_SECONDS, True), (RING_SECONDS + 1, False)],
)
async def test_the_ring_lasts_a_minute(stage: Stage, seconds: float, *, is_kept: bool):
    stage.small.change(s0="h")
    stage.tick()
    stage.small.change(s1="h")
    stage.tick(seconds)
    [first, *_] = told(stage.channel, watch(stage.channel, 10))
    assert (first.name == "") is is_kept
    assert told(stage.channel, watch(stage.channel, 11))[0].update_no == 12


async def test_the_ring_has_a_size(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(channels, "RING_BYTES_MAX", 60)
    for seat in range(SEATS):
        stage.small.change(**{f"s{seat}": "h"})
        stage.tick()
    [resync] = told(stage.channel, watch(stage.channel, 10))
    assert resync.name == "resync"
    assert told(stage.channel, watch(stage.channel, 16))[0].changes == [(6, 1)]


async def test_whoever_is_ahead_of_us_waits_for_us(stage: Stage):
    """The snapshot came from another process, which had heard more."""
    watcher = watch(stage.channel, 12, stage.now)
    assert told(stage.channel, watcher) == []
    for _ in range(3):
        stage.small.change(s0="h" if stage.small.codes[0] == 0 else "a")
        stage.tick(is_heard=False)
    assert [frame.update_no for frame in told(stage.channel, watcher)] == [13]


async def test_an_update_that_there_is_not_is_noticed(stage: Stage):
    watcher = watch(stage.channel, 10**15, stage.now)
    assert told(stage.channel, watcher) == []
    stage.tick(BEAT_SECONDS)  # everything decided before it came has been heard by now
    assert told(stage.channel, watcher)[0].name == "resync"


@pytest.mark.parametrize("is_other_hall", [True, False])
async def test_another_past_is_begun_anew(stage: Stage, *, is_other_hall: bool):
    """The event moved to another hall; or PostgreSQL was set back, and its numbers are used once more."""
    watcher = watch(stage.channel, 10)
    stage.channel.watchers.add(watcher)
    stage.small = SmallMap(update_no=20, map_name="Rebuilt hall") if is_other_hall else SmallMap(update_no=9)
    assert stage.tick()
    [resync] = told(stage.channel, watcher)
    assert resync.json() == {
        "update_no": 20 if is_other_hall else 9,
        "seat_map": stage.small.at_hand.event.seat_map,
    }


async def test_a_quiet_stream_has_a_heartbeat(stage: Stage):
    watcher = watch(stage.channel, 10)
    beats = 0
    for _ in range(round(2 * BEAT_SECONDS / TICK)):
        if stage.tick():
            [beat] = told(stage.channel, watcher)
            assert (beat.name, beat.json()) == ("age", {"seconds": 0.0})
            beats += 1
    assert beats == 2


async def test_being_behind_is_told_at_once_and_being_back_too(stage: Stage):
    watcher = watch(stage.channel, 10)
    ages: list[float] = []
    for _ in range(round((BEHIND_SECONDS_MAX + BEHIND_BEAT_SECONDS + 1) / TICK)):
        stage.tick(is_heard=False)
        ages += [beat.json()["seconds"] for beat in told(stage.channel, watcher)]
    assert ages == [BEHIND_SECONDS_MAX + TICK, BEHIND_SECONDS_MAX + TICK + BEHIND_BEAT_SECONDS]
    stage.small.change(s0="h")
    stage.tick()
    frame, beat = told(stage.channel, watcher)
    assert (frame.update_no, beat.json()) == (11, {"seconds": 0.0})


async def test_a_watcher_that_takes_nothing_is_noticed(stage: Stage):
    watcher = watch(stage.channel, 10)
    assert watcher.wake(100.0)
    assert watcher.wake(100.0 + TAKE_SECONDS_MAX)
    assert not watcher.wake(100.1 + TAKE_SECONDS_MAX)
    other = watch(stage.channel, None)
    other.wake(100.0)
    await other.next()  # the resync
    assert other.wake(200.0), "it has nothing left to take"


letters = st.sampled_from("ahsb")
steps = st.lists(st.tuples(st.dictionaries(st.integers(0, SEATS - 1), letters, min_size=1), st.booleans()), max_size=30)


@given(steps, st.data())
async def test_whoever_watches_ends_where_the_seats_are(played: list[tuple[dict[int, str], bool]], data: st.DataObject):
    """Whenever it began, whatever was coalesced, however often it lost its stream."""
    stage = Stage(SmallMap(update_no=10))
    codes, knows = bytearray(stage.small.codes), 10
    watcher = watch(stage.channel, knows)
    for changed, is_look in played:
        stage.small.change(**{f"s{seat}": letter for seat, letter in changed.items()})
        if is_look:
            stage.tick()
            for message in told(stage.channel, watcher):
                apply(codes, frame_data(message.data))
                knows = message.update_no
            if data.draw(st.booleans(), label="loses its stream"):
                watcher = watch(stage.channel, knows)
    stage.tick()
    for message in told(stage.channel, watcher):
        apply(codes, frame_data(message.data))
    assert list(codes) == stage.small.codes
