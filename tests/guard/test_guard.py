"""Who may join: people at once, a rush with work, and not at all for a while who does what nobody does by mistake."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
from tests.guard import doors as stage
from tests.guard.doors import EVENT, Doors
from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs.solving import solved, waited
from frontrow.core.catalogue import EventId
from frontrow.core.door_book import LOCKOUT_SECONDS, STRIKES_MAX, Knock, Strike
from frontrow.core.guard import Admit, AtTheGuard, LockedOut, ProofNeeded, SlowDown
from frontrow.core.haste import WINDOW_SECONDS, polls_max
from frontrow.core.holds import FanId
from frontrow.core.proofs import AGED_SECONDS, PROOF_SECONDS, WEIGHTS, Asked, Level, ProofWrong, Sign, level, score
from frontrow.core.rates import Rate, rate
from frontrow.flows import guard as flow

NONE: Rate = rate(at_once=1, again_seconds=3_600)  # the first one, and then nobody for an hour


@pytest.fixture
async def doors(valkey_url: str) -> AsyncIterator[Doors]:
    async with stage.doors(valkey_url) as made:
        yield made


@pytest.fixture
async def asking(valkey_url: str) -> AsyncIterator[Doors]:
    """A guard that asks everybody for work."""
    async with stage.doors(valkey_url, Asked.ALWAYS) as made:
        yield made


async def challenged(doors: Doors, fan: int = 1, **more: Any) -> Mapping[str, object]:  # noqa: ANN401 -- of Joining
    answer = await doors.join(fan, **more)
    assert isinstance(answer, ProofNeeded)
    return answer.challenge


def level_of(answer: AtTheGuard) -> int:
    assert isinstance(answer, ProofNeeded)
    parameters: Any = answer.challenge["parameters"]
    return parameters["data"]["level"]


class TestRates:
    async def test_people_pass(self, doors: Doors):
        answers = [await doors.join(fan, network="203.0.113.0/24") for fan in range(20)]
        assert answers == [Admit()] * 20

    async def test_one_fan_too_often_waits_and_nobody_else(self, doors: Doors):
        answers = [await doors.join(1) for _ in range(flow.FAN.at_once + 1)]
        assert answers[:-1] == [Admit()] * flow.FAN.at_once
        refused = answers[-1]
        assert isinstance(refused, SlowDown)
        assert 0 < refused.seconds <= 3
        assert await doors.join(2) == Admit()

    @pytest.mark.parametrize(
        ("limit", "others"),
        [
            ("NETWORK", {"network": "198.51.100.0/24"}),
            ("EVENT", {"event_id": EventId(19)}),
            ("ALL", None),
        ],
    )
    async def test_all_of_one_kind_together(
        self, doors: Doors, monkeypatch: pytest.MonkeyPatch, limit: str, others: dict[str, object] | None
    ):
        monkeypatch.setattr(flow, limit, NONE)
        here: dict[str, object] = {"network": "203.0.113.0/24"}
        assert await doors.join(1, **here) == Admit()
        assert isinstance(await doors.join(2, **here), SlowDown)
        if others is not None:
            assert await doors.join(2, **(here | others)) == Admit()

    async def test_control_without_the_limit_they_pass(self, doors: Doors):
        assert await doors.join(1) == await doors.join(2) == Admit()


class TestWork:
    @pytest.mark.parametrize(
        ("soft", "asked_for"),
        [
            (["EVENT_CALM"], Level.EASY),
            (["EVENT_CALM", "EVENT_CROWDED"], Level.HARD),
            (["NETWORK_CALM"], Level.EASY),
            (["EVENT_CALM", "NETWORK_CALM", "NETWORK_CROWDED"], Level.HARDEST),
            (["EVENT_CALM", "EVENT_CROWDED", "NETWORK_CALM", "NETWORK_CROWDED"], Level.HARDEST),
        ],
    )
    async def test_a_rush_is_asked_for_it(
        self, doors: Doors, monkeypatch: pytest.MonkeyPatch, soft: list[str], asked_for: Level
    ):
        for limit in soft:
            monkeypatch.setattr(flow, limit, NONE)
        assert await doors.join(1, network="203.0.113.0/24") == Admit()
        assert level_of(await doors.join(2, network="203.0.113.0/24")) == asked_for

    async def test_whoever_has_done_it_passes(self, asking: Doors):
        proof = solved(await challenged(asking))
        assert await asking.join(proof=proof) == Admit()

    async def test_whoever_waits_instead_passes_then(self, asking: Doors):
        proof = waited(await challenged(asking))
        assert isinstance(await asking.join(proof=proof), ProofNeeded)
        asking.now += 11
        assert await asking.join(proof=proof) == Admit()
        assert asking.counts.wrongs == {ProofWrong.TOO_EARLY: 1}
        assert not asking.counts.strikes

    async def test_waiting_is_for_few(self, asking: Doors, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(flow, "WAITED", NONE)
        proofs = [waited(await challenged(asking, fan)) for fan in (1, 2)]
        by_work = solved(await challenged(asking, 3))
        asking.now += 11
        assert await asking.join(1, proof=proofs[0]) == Admit()
        assert isinstance(await asking.join(2, proof=proofs[1]), SlowDown)
        assert await asking.join(3, proof=by_work) == Admit()

    async def test_a_proof_counts_once(self, asking: Doors):
        proof = solved(await challenged(asking))
        answers = await asyncio.gather(*(asking.join(proof=proof) for _ in range(8)))
        assert sum(answer == Admit() for answer in answers) == 1
        assert asking.counts.wrongs == {ProofWrong.SPENT: 7}
        assert not asking.counts.strikes  # a form that is sent twice

    @pytest.mark.parametrize(("fan", "event"), [(2, EVENT), (1, EventId(19))])
    async def test_it_is_good_for_nobody_and_nothing_else(self, asking: Doors, fan: int, event: EventId):
        proof = solved(await challenged(asking))
        assert isinstance(await asking.join(fan, event_id=event, proof=proof), ProofNeeded)
        assert asking.counts.wrongs == {ProofWrong.OTHERS: 1}
        assert await asking.join(proof=proof) == Admit()  # nobody has spent it

    async def test_it_is_over_after_its_time(self, asking: Doors):
        proof = solved(await challenged(asking))
        asking.now += PROOF_SECONDS
        assert isinstance(await asking.join(proof=proof), ProofNeeded)
        assert asking.counts.wrongs == {ProofWrong.OVER: 1}

    async def test_what_is_wrong_is_asked_for_again_also_when_nothing_else_is(self, doors: Doors):
        assert level_of(await doors.join(proof="garbage")) == Level.EASY
        assert await doors.join() == Admit()

    async def test_whoever_is_new_becomes_the_fan_of_the_challenge(self, asking: Doors):
        new = FanId(uuid4())
        proof = solved(await challenged(asking, fan_id=new, is_new=True))
        assert asking.guard.newcomer(proof) == new
        assert await asking.join(fan_id=new, proof=proof) == Admit()
        known = solved(await challenged(asking, 1))
        for other in (known, None, "garbage", proof[:-8] + "AAAAAAAA"):
            assert asking.guard.newcomer(other) is None

    async def test_never_is_never(self, valkey_url: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(flow, "EVENT_CALM", NONE)
        async with stage.doors(valkey_url, Asked.NEVER) as doors:
            assert [await doors.join(fan, proof="garbage") for fan in range(3)] == [Admit()] * 3

    async def test_whoever_is_known_for_long_is_asked_later(self, asking: Doors):
        assert await asking.join(1, known_since=asking.now - AGED_SECONDS) == Admit()
        assert isinstance(await asking.join(2, known_since=asking.now - AGED_SECONDS + 1), ProofNeeded)

    def test_the_weights_add_up(self):
        for sign, weight in WEIGHTS.items():
            assert score([sign]) == weight
        assert level([*WEIGHTS], Asked.BY_RISK) is Level.HARDEST
        assert level([Sign.MANY_JOIN, Sign.KNOWN_LONG], Asked.BY_RISK) is Level.NONE
        assert level([], Asked.ALWAYS) is Level.EASY


class TestLockingOut:
    async def strike(self, doors: Doors, times: int) -> None:
        for _ in range(times):
            await doors.guard.struck(fan_no(1), Strike.FORGED_TICKET)

    async def test_first_it_gets_harder_then_nobody_passes_then_it_is_over(self, doors: Doors):
        await self.strike(doors, 3)
        assert level_of(await doors.join()) == Level.EASY
        await self.strike(doors, 3)
        assert level_of(await doors.join()) == Level.HARD
        await self.strike(doors, STRIKES_MAX - 6)
        locked = await doors.join()
        assert isinstance(locked, LockedOut)
        assert (locked.reason, 0 < locked.seconds <= LOCKOUT_SECONDS) == (Strike.FORGED_TICKET, True)
        assert await doors.join(2) == Admit()

    async def test_a_proof_does_not_open_the_lock(self, asking: Doors):
        proof = solved(await challenged(asking))
        await self.strike(asking, STRIKES_MAX)
        assert isinstance(await asking.join(proof=proof), LockedOut)

    async def test_wrong_proofs_count(self, doors: Doors):
        answers = [await doors.join(proof="e30=" if number % 2 else forged()) for number in range(2 * STRIKES_MAX)]
        assert isinstance(answers[0], ProofNeeded)
        assert isinstance(answers[-1], LockedOut)
        assert doors.counts.strikes == {Strike.WRONG_PROOF: STRIKES_MAX}

    async def test_nobody_nameless_is_locked_out(self, doors: Doors):
        for _ in range(2 * STRIKES_MAX):
            answer = await doors.join(fan_id=FanId(uuid4()), is_new=True, proof=forged())
            assert isinstance(answer, ProofNeeded)
        assert not doors.counts.strikes


class TestPolling:
    async def test_as_often_as_one_is_told(self, doors: Doors):
        for _ in range(200):
            assert await doors.guard.may_poll(fan_no(1), 5.0) is None
            doors.passed += 5

    async def test_too_often_is_told_to_wait_then_locked_out_and_then_it_is_over(self, doors: Doors):
        answers: list[object] = []
        while not answers or not isinstance(answers[-1], LockedOut):
            answers.append(await doors.guard.may_poll(fan_no(1), 10.0))
        most = polls_max(10.0)
        assert answers[:most] == [None] * most
        assert answers[most:-1] == [SlowDown(10.0)] * (len(answers) - most - 1)
        assert len(answers) == most * (STRIKES_MAX + 1)
        assert isinstance(answers[-1], LockedOut)
        assert answers[-1].reason is Strike.EARLY_POLLS
        assert isinstance(await doors.join(), LockedOut)  # elsewhere too
        assert await doors.guard.may_poll(fan_no(2), 10.0) is None
        doors.passed += LOCKOUT_SECONDS + WINDOW_SECONDS
        assert await doors.guard.may_poll(fan_no(1), 10.0) is None


class TestWithoutValkey:
    """Fans go on joining, by the same rules, counted by each process for itself."""

    async def test_the_rules_stay(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(flow, "EVENT_CALM", NONE)
        async with stage.doors("redis://127.0.0.1:1") as doors:
            assert await doors.join(1) == Admit()
            proof = solved(await challenged(doors, 2))
            assert await doors.join(2, proof=proof) == Admit()
            assert isinstance(await doors.join(2, proof=proof), ProofNeeded)
            for _ in range(STRIKES_MAX):
                await doors.guard.struck(fan_no(3), Strike.FORGED_TICKET)
            assert isinstance(await doors.join(3), LockedOut)

    async def test_nobody_waits_for_it_again_and_again(self, doors: Doors):
        doors.way.is_cut = True
        assert [await doors.join(fan) for fan in range(5)] == [Admit()] * 5
        assert doors.way.asked == 1
        doors.passed += flow.AWAY_SECONDS
        assert await doors.join(6) == Admit()
        assert doors.way.asked == 2

    async def test_once_it_is_back_it_is_asked_again(self, doors: Doors):
        doors.way.is_cut = True
        await doors.join(1)
        doors.way.is_cut = False
        doors.passed += flow.AWAY_SECONDS
        await doors.guard.struck(fan_no(1), Strike.FORGED_TICKET)
        assert (await doors.way.book.knock(Knock(str(fan_no(1)), []))).strikes == 1


def forged() -> str:
    """A proof that somebody else's key has signed."""
    other = stage.AltchaProofs([b"somebody else's key, which is no good"], chance=lambda _: 0, work=stage.LITTLE)
    terms = flow.ChallengeTerms(EVENT, fan_no(1), is_new=False, level=Level.EASY)
    return solved(other.challenge(terms, now=2_000_000_000))
