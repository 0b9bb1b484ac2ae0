"""Proofs: what a device does before it may join, so that joining in masses costs something.

How much is asked for follows from what is seen, by weights that add up and can be read aloud. It changes nothing but
the work: never a place in the line, and never whether somebody may join at all.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import Final

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId

PROOF_SECONDS: Final = 300  # to solve it, on a slow phone that was put away meanwhile
PROOF_CHARS_MAX: Final = 4_096  # ours have 900
AGED_SECONDS: Final = 30 * 86_400  # whoever has been known for so long was not made for this on-sale
STRIKES_LIGHT: Final = 3
STRIKES_HEAVY: Final = 6


class Level(IntEnum):
    """How much work is asked for."""

    NONE = 0
    EASY = 1
    HARD = 2
    HARDEST = 3
    PERSON = 4  # the hardest, and a person who answers what a program finds hard


class Asked(StrEnum):
    """When work is asked for."""

    NEVER = "never"
    BY_RISK = "by_risk"
    ALWAYS = "always"


class Sign(StrEnum):
    """What is seen of somebody who joins, or around them."""

    MANY_JOIN = "many-join"  # the event's line is joined faster than calmly
    CROWD_JOINS = "crowd-joins"  # and much faster
    MANY_NEIGHBOURS = "many-neighbours"  # from one network
    CROWD_OF_NEIGHBOURS = "crowd-of-neighbours"
    STRIKES = "strikes"  # they did what nobody does by mistake
    MANY_STRIKES = "many-strikes"
    KNOWN_LONG = "known-long"


WEIGHTS: Final[Mapping[Sign, int]] = MappingProxyType({
    Sign.MANY_JOIN: 1,
    Sign.CROWD_JOINS: 1,
    Sign.MANY_NEIGHBOURS: 1,
    Sign.CROWD_OF_NEIGHBOURS: 1,
    Sign.STRIKES: 1,
    Sign.MANY_STRIKES: 2,
    Sign.KNOWN_LONG: -1,
})  # fmt: skip


def score(signs: Collection[Sign]) -> int:
    return sum(WEIGHTS[sign] for sign in signs)


def level(signs: Collection[Sign], asked: Asked, *, hardest: Level = Level.HARDEST) -> Level:
    """How much work is asked for. Beyond the hardest there is only a person, where somebody can tell."""
    if asked is Asked.NEVER:
        return Level.NONE
    lowest = Level.EASY if asked is Asked.ALWAYS and Sign.KNOWN_LONG not in signs else Level.NONE
    return Level(min(max(score(signs), lowest), hardest))


@dataclass(frozen=True, slots=True)
class Work:
    """What a level asks for: so many tries at least and at most, and how long whoever has no script waits instead."""

    tries_min: int
    tries_max: int
    wait_seconds: int


# A try takes a telephone some 0.2 ms. The most is twice the least: nobody is unlucky.
WORK: Final[Mapping[Level, Work]] = MappingProxyType({
    Level.EASY: Work(1_000, 2_000, 10),
    Level.HARD: Work(4_000, 8_000, 30),
    Level.HARDEST: Work(16_000, 32_000, 60),
    Level.PERSON: Work(16_000, 32_000, 60),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """What a proof is for. It is good for nothing and nobody else."""

    event_id: EventId
    fan_id: FanId
    is_new: bool  # the fan was made for this challenge: whoever solves it is that fan
    level: Level


@dataclass(frozen=True, slots=True)
class Proven:
    """A proof that is right. Whether it was used before is not looked at."""

    terms: ChallengeTerms
    name: str  # the same whenever it is brought
    has_waited: bool  # instead of working
    ends_at: int


class ProofWrong(Enum):
    """Why something is no proof."""

    UNREADABLE = "unreadable"
    FORGED = "forged"  # a challenge that is not ours, or was altered
    UNSOLVED = "unsolved"
    TOO_EARLY = "too-early"  # waiting is not over
    OVER = "over"
    OTHERS = "others"  # for another event, or another fan
    SPENT = "spent"
    NO_PERSON = "no-person"  # nobody answered what a person was asked
