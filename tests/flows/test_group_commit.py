"""Group commit, with a desk that decides when the test says so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.flows.desk import NO_UPDATE, SECONDS_MAX, Desk, Wish, things_of, wish

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import DEFERRED, Deferred
from frontrow.core.updates import Batch, Update
from frontrow.flows.group_commit import BusyError, GroupCommit

HOT, QUIET, THIRD = EventId(1), EventId(2), EventId(3)
Answer = TypeVar("Answer")


def never(_event_id: EventId, _wanted: Wish) -> None:
    return None


@dataclass
class Told:
    """What group commit tells others."""

    updates: list[tuple[EventId, Update, float]] = field(default_factory=list[tuple[EventId, Update, float]])

    def __call__(self, event_id: EventId, update: Update, asked_at: float) -> None:
        self.updates.append((event_id, update, asked_at))


def committing(
    desk: Desk,
    *,
    early: Callable[[EventId, Wish], str | None] = never,
    decided: Callable[[EventId, Update, float], None] | None = None,
    **limits: Any,  # noqa: ANN401 -- of GroupCommit
) -> GroupCommit[Wish, str]:
    return GroupCommit(desk.decide, wants=things_of, early=early, decided=decided or Told(), **limits)


@pytest.fixture
async def desk() -> Desk:
    return Desk()


@pytest.fixture
async def commit(desk: Desk) -> AsyncIterator[GroupCommit[Wish, str]]:
    commit = committing(desk)
    yield commit
    for asked in desk.asked:
        if not asked.decision.done():
            asked.grant()
    await commit.close()


async def outcome(answer: "asyncio.Future[str]") -> str:
    """The answer, or the name of what came instead."""
    try:
        async with asyncio.timeout(SECONDS_MAX):
            return await answer
    except (UnavailableError, OutcomeUnknownError) as error:
        return type(error).__name__


async def test_what_arrives_while_a_batch_is_decided_is_the_next_one(desk: Desk, commit: GroupCommit[Wish, str]):
    first = commit.ask(HOT, wish("ann", 1))
    asked = await desk.next()
    later = [commit.ask(HOT, wish(who, thing)) for thing, who in enumerate(["bo", "cy", "di"], start=2)]
    assert asked.names == ["ann"]  # nobody waits for a batch to fill
    asked.grant()
    asked = await desk.next()
    assert asked.names == ["bo", "cy", "di"]  # in order of arrival
    asked.grant()
    assert await asyncio.gather(first, *later) == ["ann has it", "bo has it", "cy has it", "di has it"]


async def test_each_is_answered_by_itself(desk: Desk, commit: GroupCommit[Wish, str]):
    one, two = commit.ask(HOT, wish("one", 1)), commit.ask(HOT, wish("two", 2))
    (await desk.next()).answer("no", "yes")
    assert await asyncio.gather(one, two) == ["no", "yes"]


async def test_a_batch_is_bounded(desk: Desk):
    commit = committing(desk, batch_max=3)
    answers = [commit.ask(HOT, wish(str(number), number)) for number in range(8)]
    sizes: list[int] = []
    while sum(sizes) < len(answers):
        asked = await desk.next()
        sizes.append(len(asked.wishes))
        asked.grant()
    assert sizes == [3, 3, 2]  # the first batch is put together in the next turn of the loop
    assert len(await asyncio.gather(*answers)) == 8


async def test_of_two_who_want_the_same_the_second_is_asked_later(desk: Desk, commit: GroupCommit[Wish, str]):
    wishes = [wish("ann", 1), wish("bo", 1, 2), wish("cy", 2), wish("di", 3)]
    answers = [commit.ask(HOT, wanted) for wanted in wishes]
    batches: list[list[str]] = []
    while sum(map(len, batches)) < len(wishes):
        asked = await desk.next()
        batches.append(asked.names)
        asked.grant()
    # cy wants nothing that is wanted in the first batch, and must not overtake bo all the same.
    assert batches == [["ann", "di"], ["bo"], ["cy"]]
    await asyncio.gather(*answers)


async def test_whoever_was_deferred_is_at_the_head_of_the_next(desk: Desk, commit: GroupCommit[Wish, str]):
    answers = [commit.ask(HOT, wish(who, thing)) for thing, who in enumerate(["ann", "bo", "cy"])]
    asked = await desk.next()
    answers.append(commit.ask(HOT, wish("di", 9)))
    asked.answer("yes", DEFERRED, DEFERRED)
    asked = await desk.next()
    assert asked.names == ["bo", "cy", "di"]
    asked.grant()
    assert await asyncio.gather(*answers) == ["yes", "bo has it", "cy has it", "di has it"]


async def test_an_event_is_decided_one_batch_at_a_time(desk: Desk, commit: GroupCommit[Wish, str]):
    commit.ask(HOT, wish("ann", 1))
    await desk.next()
    commit.ask(HOT, wish("bo", 2))
    assert await desk.is_empty()


async def test_a_hot_event_does_not_starve_others(desk: Desk):
    """Three events and room for two: whose batch is done goes to the end of the line, however much waits for it."""
    commit = committing(desk, batch_max=1)
    hot = [commit.ask(HOT, wish(f"hot{number}", number)) for number in range(4)]
    others = [commit.ask(QUIET, wish("quiet")), commit.ask(THIRD, wish("third"))]
    decided: list[str] = []
    under_way = [await desk.next(), await desk.next()]
    while under_way:
        assert len(under_way) <= 2  # no more at once
        asked = under_way.pop(0)
        decided += asked.names
        asked.grant()
        while not await desk.is_empty():
            under_way.append(await desk.next())
    assert decided == ["hot0", "quiet", "third", "hot1", "hot2", "hot3"]
    await asyncio.gather(*hot, *others)


async def test_who_finds_too_many_waiting_is_told_at_once(desk: Desk):
    commit = committing(desk, waiting_max=3)
    under_way = commit.ask(HOT, wish("under way"))
    asked = await desk.next()
    waiting = [commit.ask(HOT, wish(str(number), number)) for number in range(3)]
    with pytest.raises(BusyError):
        commit.ask(HOT, wish("one too many", 9))
    other = commit.ask(QUIET, wish("of another event"))  # has a line of its own
    asked.grant()
    for _ in range(2):
        (await desk.next()).grant()
    await asyncio.gather(under_way, *waiting, other)
    assert "one too many" not in [who for asked in desk.asked for who in asked.names]


async def test_what_is_certain_needs_no_decision(desk: Desk):
    commit = committing(desk, early=lambda _, wanted: "no" if 1 in wanted.things else None)
    assert await commit.ask(HOT, wish("ann", 1)) == "no"
    assert await desk.is_empty()


async def test_what_became_certain_meanwhile_is_not_decided(desk: Desk):
    """500 want the same: one is asked, the others are answered from what that told."""
    taken: set[int] = set()
    commit = committing(desk, early=lambda _, wanted: "no" if taken & wanted.things else None)
    answers = [commit.ask(HOT, wish(str(number), 7)) for number in range(500)]
    asked = await desk.next()
    assert asked.names == ["0"]
    taken.add(7)
    asked.grant()
    assert await asyncio.gather(*answers) == ["0 has it", *["no"] * 499]
    assert len(desk.asked) == 1


async def test_control_without_that_each_is_decided(desk: Desk):
    commit = committing(desk)
    answers = [commit.ask(HOT, wish(str(number), 7)) for number in range(500)]
    for _ in answers:
        (await desk.next()).grant()
    assert len(desk.asked) == 500
    await asyncio.gather(*answers)


async def test_what_could_not_be_done_is_told_and_the_next_batch_goes_on(desk: Desk, commit: GroupCommit[Wish, str]):
    answers = [commit.ask(HOT, wish("ann", 1)), commit.ask(HOT, wish("bo", 2))]
    asked = await desk.next()
    answers.append(commit.ask(HOT, wish("cy", 3)))
    asked.fail(UnavailableError("away"))
    (await desk.next()).grant()
    assert [await outcome(answer) for answer in answers] == ["UnavailableError", "UnavailableError", "cy has it"]
    assert answers[0].exception() is not answers[1].exception()  # each has a traceback of its own


@pytest.mark.parametrize(
    ("again", "outcomes"),
    [
        (None, ["ann has it", "bo has it"]),  # the same ids get the true answers
        (OutcomeUnknownError("lost again"), ["OutcomeUnknownError"] * 2),
        (UnavailableError("away"), ["OutcomeUnknownError"] * 2),  # the first time, it may have been done all the same
    ],
)
async def test_what_is_unknown_is_asked_again_once(
    desk: Desk, commit: GroupCommit[Wish, str], again: Exception | None, outcomes: list[str]
):
    answers = [commit.ask(HOT, wish("ann", 1)), commit.ask(HOT, wish("bo", 2))]
    first = await desk.next()
    first.fail(OutcomeUnknownError("lost"))
    second = await desk.next()
    assert second.wishes == first.wishes
    if again:
        second.fail(again)
    else:
        second.grant()
    assert [await outcome(answer) for answer in answers] == outcomes
    assert await desk.is_empty()


async def test_a_fault_is_unknown_to_those_it_met_and_stops_nobody_else(desk: Desk, commit: GroupCommit[Wish, str]):
    """Three events and room for two: the one whose turn it is next gets it, although the batch before it broke."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context.get("exception")))
    answers = [commit.ask(HOT, wish("ann", 1)), commit.ask(QUIET, wish("bo")), commit.ask(THIRD, wish("cy"))]
    broken, kept = await desk.next(), await desk.next()
    fault = RuntimeError("a mistake of ours")
    broken.fail(fault)
    (await desk.next()).grant()
    answers.append(commit.ask(HOT, wish("di", 1)))
    (await desk.next()).grant()
    kept.grant()
    assert [await outcome(answer) for answer in answers] == [
        "OutcomeUnknownError", "bo has it", "cy has it", "di has it",
    ]  # fmt: skip
    assert faults == [fault]


async def test_a_fault_while_a_batch_is_put_together_leaves_the_event_alive(desk: Desk):
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context.get("exception")))
    broken = [False, True]  # at once, and again when a batch is put together

    def early(_event_id: EventId, _wanted: Wish) -> None:
        if broken and broken.pop(0):
            raise RuntimeError("a mistake of ours")

    commit = committing(desk, early=early)
    lost = commit.ask(HOT, wish("ann"))
    assert await desk.is_empty()
    answer = commit.ask(HOT, wish("bo"))
    (await desk.next()).grant()
    assert await answer == "bo has it"
    assert len(faults) == 1
    lost.cancel()  # as the time limit of a request does


async def test_who_went_away_is_not_asked_about(desk: Desk, commit: GroupCommit[Wish, str]):
    under_way = commit.ask(HOT, wish("under way"))
    asked = await desk.next()
    gone, stays = commit.ask(HOT, wish("gone", 1)), commit.ask(HOT, wish("stays", 1))
    gone.cancel()
    asked.grant()
    asked = await desk.next()
    assert asked.names == ["stays"]
    asked.grant()
    assert await asyncio.gather(under_way, stays) == ["under way has it", "stays has it"]


async def test_who_goes_away_while_it_is_decided_takes_nobody_along(desk: Desk, commit: GroupCommit[Wish, str]):
    gone, stays = commit.ask(HOT, wish("gone", 1)), commit.ask(HOT, wish("stays", 2))
    asked = await desk.next()
    assert asked.names == ["gone", "stays"]
    gone.cancel()
    asked.grant()
    assert await stays == "stays has it"


async def test_who_waits_for_a_batch_that_hangs_is_told_so(desk: Desk):
    """The batch goes on hanging: these are answered although nothing else moves. Nothing of theirs was done."""
    commit = committing(desk, waiting_seconds_max=0.01)
    hangs = [commit.ask(HOT, wish("hangs")), commit.ask(QUIET, wish("hangs too"))]
    asked = [await desk.next(), await desk.next()]
    behind = commit.ask(HOT, wish("behind it"))
    no_turn = commit.ask(THIRD, wish("whose turn does not come"))
    assert [await outcome(answer) for answer in (behind, no_turn)] == ["UnavailableError"] * 2
    for each in asked:
        each.grant()
    assert await asyncio.gather(*hangs) == ["hangs has it", "hangs too has it"]
    assert await desk.is_empty()


async def test_others_are_told_of_each_update_and_when_it_was_asked_for(desk: Desk):
    told = Told()
    commit = committing(desk, decided=told)
    before = asyncio.get_running_loop().time()
    answer = commit.ask(HOT, wish("ann"))
    asked = await desk.next()
    then = asyncio.get_running_loop().time()
    asked.grant()
    await answer
    [(event_id, update, asked_at)] = told.updates
    assert (event_id, update) == (HOT, NO_UPDATE)
    assert before <= asked_at <= then


async def test_of_a_batch_asked_twice_the_first_time_counts(desk: Desk):
    """Whatever was decided before the first time was heard in any case. Of the time between the two, nobody knows."""
    told = Told()
    commit = committing(desk, decided=told)
    answer = commit.ask(HOT, wish("ann"))
    first = await desk.next()
    between = asyncio.get_running_loop().time()
    first.fail(OutcomeUnknownError("lost"))
    (await desk.next()).grant()
    await answer
    assert told.updates[0][2] <= between


async def test_stopping_lets_a_batch_end_and_tells_the_others(desk: Desk):
    commit = committing(desk)
    under_way = [commit.ask(HOT, wish("decided")), commit.ask(HOT, wish("deferred"))]
    asked = await desk.next()
    waiting = [commit.ask(HOT, wish("waits")), commit.ask(QUIET, wish("of another event"))]
    (await desk.next()).grant()
    waiting.append(commit.ask(THIRD, wish("whose turn has not come")))
    closing = asyncio.create_task(commit.close())
    await asyncio.sleep(0)
    too_late = commit.ask(HOT, wish("too late"))
    asked.answer("yes", DEFERRED)
    async with asyncio.timeout(SECONDS_MAX):
        await closing
    assert [await outcome(answer) for answer in (*under_way, *waiting, too_late)] == [
        "yes",
        "UnavailableError",  # deferred: nothing was done, and nothing more will be
        "UnavailableError",
        "of another event has it",
        "UnavailableError",
        "UnavailableError",
    ]
    assert await desk.is_empty()


async def test_stopping_with_nothing_to_do_is_no_matter(desk: Desk):
    commit = committing(desk)
    await commit.close()
    await commit.close()


bursts = st.lists(
    st.lists(st.frozensets(st.integers(0, 5), max_size=3), max_size=6), max_size=6
)  # of each who arrives: what they want


@given(bursts=bursts, batch_max=st.integers(1, 4))
def test_whatever_arrives_each_is_decided_once_and_the_first_wins(bursts: list[list[frozenset[int]]], batch_max: int):
    decided = asyncio.run(_decided(bursts, batch_max))
    arrived = [things for burst in bursts for things in burst]
    wishes = [Wish(str(number), things) for number, things in enumerate(arrived)]
    assert sorted(int(wanted.who) for batch in decided for wanted in batch) == list(range(len(wishes)))
    place = {wanted.who: number for number, batch in enumerate(decided) for wanted in batch}
    for earlier in wishes:
        for later in wishes[int(earlier.who) + 1 :]:
            if earlier.things & later.things:
                assert place[earlier.who] < place[later.who]  # in a batch before: never in the same one
    assert all(len(batch) <= batch_max for batch in decided)


async def _decided(bursts: list[list[frozenset[int]]], batch_max: int) -> list[Sequence[Wish]]:
    """Each burst arrives while the batch of the one before is being decided."""
    batches: list[Sequence[Wish]] = []
    arriving = iter(bursts)
    answers: list[asyncio.Future[str]] = []
    names = iter(range(10**6))
    nobody: list[frozenset[int]] = []

    def arrive() -> None:
        answers.extend(commit.ask(HOT, Wish(str(next(names)), things)) for things in next(arriving, nobody))

    async def decide(_event_id: EventId, wishes: Sequence[Wish]) -> Batch[str | Deferred]:
        batches.append(wishes)
        arrive()
        await asyncio.sleep(0)
        return Batch(NO_UPDATE, tuple(wanted.who for wanted in wishes))

    commit = GroupCommit[Wish, str](decide, wants=things_of, early=never, decided=Told(), batch_max=batch_max)
    for _ in bursts:
        arrive()
        while len(answers) > sum(answer.done() for answer in answers):
            await asyncio.gather(*answers)
    assert [answer.result() for answer in answers] == [str(number) for number in range(len(answers))]
    return batches
