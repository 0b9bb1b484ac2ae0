"""Proofs of work: what is one, and everything that is none. The library is held to what we need of it."""

import base64
import copy
import json
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

import pytest
from altcha import v2 as altcha
from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs import work
from frontrow.adapters.proofs.solving import solved, waited
from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.core.catalogue import EventId
from frontrow.core.proofs import PROOF_SECONDS, WORK, ChallengeTerms, Level, ProofWrong, Proven, Work

KEY: Final = b"a key that is for tests and for nothing else"
LITTLE: Final[Mapping[Level, Work]] = MappingProxyType({level: Work(4, 8, 10) for level in WORK})
TERMS: Final = ChallengeTerms(EventId(18), fan_no(1), is_new=False, level=Level.HARD)

Document = dict[str, Any]


def proofs(*keys: bytes, draws: int = 2) -> AltchaProofs:
    return AltchaProofs(keys or [KEY], chance=lambda _: draws, work=LITTLE)


def challenge(terms: ChallengeTerms = TERMS, *, made: float | None = None) -> Document:
    return dict(proofs().challenge(terms, now=time.time() if made is None else made))


def read(proof: str, *, now: float | None = None) -> Proven | ProofWrong:
    return proofs().read(proof, now=time.time() if now is None else now)


def opened(proof: str) -> Document:
    return json.loads(base64.b64decode(proof))


def closed(proof: Document) -> str:
    return base64.b64encode(json.dumps(proof).encode()).decode()


class TestWhatIsOne:
    @pytest.mark.parametrize("is_new", [False, True])
    @pytest.mark.parametrize("level", WORK)
    def test_it_says_for_whom_it_is(self, level: Level, *, is_new: bool):
        terms = ChallengeTerms(EventId(2**62), fan_no(7), is_new, level)
        proven = read(solved(challenge(terms)))
        assert isinstance(proven, Proven)
        assert (proven.terms, proven.has_waited) == (terms, False)

    def test_the_library_s_own_solver_makes_one(self):
        """And so will a client that uses any of its libraries."""
        given = altcha.Challenge.from_dict(challenge())  # pyright: ignore[reportUnknownMemberType] -- it has no types
        solution = altcha.solve_challenge(given)
        assert solution
        assert isinstance(read(altcha.Payload(given, solution).to_base64()), Proven)

    def test_it_has_one_name_however_it_is_written(self):
        proof = solved(challenge())
        spaced = base64.b64encode(json.dumps(opened(proof), indent=3).encode()).decode()
        first, second = read(proof), read(spaced)
        assert isinstance(first, Proven)
        assert isinstance(second, Proven)
        assert first.name == second.name

    def test_two_challenges_are_never_the_same(self):
        made = time.time()
        assert len({challenge(made=made)["signature"] for _ in range(50)}) == 50

    @pytest.mark.parametrize("draws", [0, 3])
    def test_the_work_has_a_least_and_a_most(self, draws: int):
        proof = solved(proofs(draws=draws).challenge(TERMS, now=time.time()))
        assert opened(proof)["solution"]["counter"] == 4 + draws

    def test_keys_can_be_changed_meanwhile(self):
        proof, new = solved(challenge()), b"another key, which signs from now on"
        assert isinstance(proofs(new, KEY).read(proof, now=time.time()), Proven)
        assert proofs(new).read(proof, now=time.time()) is ProofWrong.FORGED

    def test_it_is_good_until_its_time_is_over(self):
        made = int(time.time())
        proof = solved(challenge(made=made))
        assert isinstance(read(proof, now=made + PROOF_SECONDS - 1), Proven)
        assert read(proof, now=made + PROOF_SECONDS) is ProofWrong.OVER

    def test_by_the_library_s_clock_it_is_over_too(self):
        proof = solved(challenge(made=time.time() - PROOF_SECONDS - 1))
        assert read(proof, now=0) is ProofWrong.OVER


class TestWaitingInstead:
    """For those who have no script."""

    def test_it_is_good_once_they_have_waited(self):
        made = int(time.time())
        proof = waited(challenge(made=made))
        assert read(proof, now=made + 9.9) is ProofWrong.TOO_EARLY
        proven = read(proof, now=made + 10)
        assert isinstance(proven, Proven)
        assert (proven.terms, proven.has_waited) == (TERMS, True)
        assert read(proof, now=made + PROOF_SECONDS) is ProofWrong.OVER

    def test_it_is_spent_with_the_work_that_might_have_been_done(self):
        given = challenge()
        by_waiting, by_work = read(waited(given), now=time.time() + 11), read(solved(given))
        assert isinstance(by_waiting, Proven)
        assert isinstance(by_work, Proven)
        assert by_waiting.name == by_work.name

    def test_how_long_is_signed(self):
        given = challenge()
        given["parameters"]["data"]["wait"] = 0
        assert read(waited(given)) is ProofWrong.FORGED


def _any_answer(proof: Document) -> None:
    """What 2.0.x of the library took: the key of a number that solves nothing."""
    asked = altcha.Challenge.from_dict(proof["challenge"]).parameters  # pyright: ignore[reportUnknownMemberType] -- see above
    key = altcha.derive_key_pbkdf2(asked, bytes.fromhex(asked.salt), bytes.fromhex(asked.nonce) + bytes(4))
    proof["solution"] = {"counter": 0, "derivedKey": key.hex()}


def _other_solution(proof: Document) -> None:
    proof["solution"] = opened(solved(challenge()))["solution"]


def _set(*path: str, to: object) -> Callable[[Document], None]:
    def change(proof: Document) -> None:
        place = proof
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return change


PARAMETERS: Final = ("challenge", "parameters")
WRONG: list[tuple[Callable[[Document], None], ProofWrong]] = [
    (_any_answer, ProofWrong.UNSOLVED),
    (_other_solution, ProofWrong.UNSOLVED),
    (_set("solution", "derivedKey", to=""), ProofWrong.UNSOLVED),
    (_set("solution", "derivedKey", to="zz"), ProofWrong.UNSOLVED),
    (_set("solution", "derivedKey", to="00" * 32), ProofWrong.UNSOLVED),
    (_set("challenge", "signature", to=""), ProofWrong.FORGED),
    (_set("challenge", "signature", to="00" * 32), ProofWrong.FORGED),
    (_set(*PARAMETERS, "expiresAt", to=2**40), ProofWrong.FORGED),
    (_set(*PARAMETERS, "cost", to=1), ProofWrong.FORGED),
    (_set(*PARAMETERS, "keyPrefix", to=""), ProofWrong.FORGED),
    (_set(*PARAMETERS, "keyLength", to=1), ProofWrong.FORGED),
    (_set(*PARAMETERS, "keySignature", to=None), ProofWrong.FORGED),
    (_set(*PARAMETERS, "algorithm", to="SHA-256"), ProofWrong.FORGED),
    (_set(*PARAMETERS, "nonce", to="00" * 16), ProofWrong.FORGED),
    (_set(*PARAMETERS, "salt", to="00" * 16), ProofWrong.FORGED),
    (_set(*PARAMETERS, "data", "event", to="19"), ProofWrong.FORGED),
    (_set(*PARAMETERS, "data", "fan", to=str(UUID(int=5))), ProofWrong.FORGED),
    (_set(*PARAMETERS, "data", "new", to=True), ProofWrong.FORGED),
    (_set(*PARAMETERS, "data", "level", to=0), ProofWrong.FORGED),
    (_set(*PARAMETERS, "data", "fan", to="nobody"), ProofWrong.UNREADABLE),
    (_set(*PARAMETERS, "data", to=None), ProofWrong.UNREADABLE),
    (_set(*PARAMETERS, to=[]), ProofWrong.UNREADABLE),
    (_set("challenge", to={}), ProofWrong.UNREADABLE),
    (_set("solution", "counter", to="7"), ProofWrong.UNREADABLE),
    (_set("solution", to=7), ProofWrong.UNREADABLE),
]


@pytest.mark.parametrize(("change", "why"), WRONG)
def test_what_is_none(change: Callable[[Document], None], why: ProofWrong):
    proof = opened(solved(challenge()))
    assert isinstance(read(closed(proof)), Proven)
    changed = copy.deepcopy(proof)
    change(changed)
    assert read(closed(changed)) is why


@pytest.mark.parametrize(
    "proof",
    ["", "x", "!!!!", "e30=", "bnVsbA==", "W10=", "A" * 5_000, "é", closed({"challenge": None}), "W1tb" * 1_000],
)
def test_what_nobody_can_read(proof: str):
    assert read(proof) is ProofWrong.UNREADABLE


def test_control_a_library_that_takes_any_answer_would_be_found(monkeypatch: pytest.MonkeyPatch):
    """As 2.0.0 to 2.0.2 did: the key is compared with the number's, and never with what was asked for."""

    def as_it_was(payload: altcha.Payload, secret: bytes, **_: object) -> altcha.VerifySolutionResult:
        asked, solution = payload.challenge.parameters, payload.solution
        password = bytes.fromhex(asked.nonce) + solution.counter.to_bytes(4, "big")
        key = altcha.derive_key_pbkdf2(asked, bytes.fromhex(asked.salt), password)
        is_right = key.hex() == solution.derived_key
        assert secret
        return altcha.VerifySolutionResult(False, False, not is_right, 0, is_right)  # noqa: FBT003 -- its own order

    monkeypatch.setattr(work, "verify_solution", as_it_was)
    proof = opened(solved(challenge()))
    _any_answer(proof)
    assert isinstance(read(closed(proof)), Proven)
