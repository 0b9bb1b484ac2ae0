"""Proof of work by ALTCHA, version 2, in its deterministic mode. Satisfies `flows.ports.Proofs`.

The number that solves a challenge is drawn beforehand and looked for from 0 on, by PBKDF2, which browsers have built
in. So the work has a most and a least; and whatever it was, to check it takes two HMACs and never PBKDF2.

A challenge is signed as a whole, and says for which fan and event it is, and until when. The library reads a clock for
that; ours, which is an argument, is asked as well. That a proof counts once is the business of who reads it.
"""

import base64
import binascii
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast
from uuid import UUID

import msgspec
from altcha.v2 import (
    Challenge,
    Payload,
    Solution,
    create_challenge,  # pyright: ignore[reportUnknownVariableType] -- its `data` has no types
    verify_solution,
)

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.proofs import PROOF_CHARS_MAX, PROOF_SECONDS, WORK, ChallengeTerms, Level, ProofWrong, Proven, Work

ALGORITHM: Final = "PBKDF2/SHA-256"
ITERATIONS: Final = 250  # of one try: 0.1 ms here to make a challenge; fewer, and calling it costs a browser more


class _Data(msgspec.Struct, frozen=True):
    """What a challenge says beside the work."""

    event: str
    fan: str
    new: bool
    level: int
    made: int  # seconds since 1970
    wait: int  # so many seconds later it is good without a solution


class _Parameters(msgspec.Struct, frozen=True, rename="camel"):
    data: _Data
    expires_at: int
    algorithm: str
    cost: int


class _Challenge(msgspec.Struct, frozen=True):
    parameters: _Parameters
    signature: str


class _Solution(msgspec.Struct, frozen=True, rename="camel"):
    counter: int
    derived_key: str


class _Proof(msgspec.Struct, frozen=True):
    challenge: _Challenge
    solution: _Solution | None = None


_READ: Final = msgspec.json.Decoder(dict[str, Any])


class AltchaProofs:
    """Makes challenges and reads proofs. The first key signs, all are accepted, so that keys can be changed."""

    def __init__(
        self, secrets: Sequence[bytes], *, chance: Callable[[int], int], work: Mapping[Level, Work] = WORK
    ) -> None:
        """The secrets of everything that is signed: what signs here is derived. `chance` draws from 0 to below."""
        assert secrets, "there is a key to sign with"
        self._keys = [
            (hmac.digest(secret, b"frontrow challenge", "sha256"), hmac.digest(secret, b"frontrow solution", "sha256"))
            for secret in secrets
        ]
        self._chance = chance
        self._work = work

    def challenge(self, terms: ChallengeTerms, *, now: float) -> Mapping[str, object]:
        work = self._work[terms.level]
        signs, signs_solution = self._keys[0]
        made = create_challenge(
            ALGORITHM,
            ITERATIONS,
            counter=work.tries_min + self._chance(work.tries_max - work.tries_min),
            expires_at=int(now) + PROOF_SECONDS,
            data=msgspec.to_builtins(
                _Data(str(terms.event_id), str(terms.fan_id), terms.is_new, terms.level, int(now), work.wait_seconds)
            ),
            hmac_secret=signs,
            hmac_key_secret=signs_solution,
        )
        return cast("Mapping[str, object]", made.to_dict())  # pyright: ignore[reportUnknownMemberType] -- the same

    def read(self, proof: str, *, now: float) -> Proven | ProofWrong:
        """What a proof proves, or why it is none."""
        if len(proof) > PROOF_CHARS_MAX:
            return ProofWrong.UNREADABLE
        try:
            whole = _READ.decode(base64.b64decode(proof, validate=True))
            said = msgspec.convert(whole, _Proof)
            fan_id = FanId(UUID(said.challenge.parameters.data.fan))
        except (binascii.Error, msgspec.DecodeError, ValueError, UnicodeError, RecursionError):
            return ProofWrong.UNREADABLE
        parameters, solution = said.challenge.parameters, said.solution
        if wrong := self._wrong(_challenge(whole["challenge"]), solution):
            return wrong
        data = parameters.data  # what it says counts from here on: it is ours
        if now >= parameters.expires_at:
            return ProofWrong.OVER
        if solution is None and now < data.made + data.wait:
            return ProofWrong.TOO_EARLY
        terms = ChallengeTerms(EventId(int(data.event)), fan_id, data.new, Level(data.level))
        return Proven(terms, said.challenge.signature, solution is None, parameters.expires_at)

    def _wrong(self, challenge: Challenge, solution: _Solution | None) -> ProofWrong | None:
        """Whether it is ours, as it was, and solved. Where nobody says that it is, only the time counts."""
        told = Solution(solution.counter, solution.derived_key) if solution else Solution(0, "")
        for signs, signs_solution in self._keys:
            result = verify_solution(Payload(challenge, told), signs, hmac_key_secret=signs_solution)
            if result.expired:
                return ProofWrong.OVER
            if not result.invalid_signature:
                return ProofWrong.UNSOLVED if solution and not result.verified else None
        return ProofWrong.FORGED


def _challenge(said: dict[str, Any]) -> Challenge:
    return Challenge.from_dict(said)  # pyright: ignore[reportUnknownMemberType] -- as above
