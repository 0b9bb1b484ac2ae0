"""Five ways to order a line, each a function from when a fan joined and what the fan drew to the key of the ticket.

Keys are comparable within one line only. What their unit is differs: a lottery has none, the others count seconds,
tranches, or what the frontier has moved.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import floor, log1p
from typing import Final, assert_never

from frontrow.core.line.crowd import Bins

TRANCHE_SECONDS: Final = 5.0  # a phone on a slow network is not punished for being later than this
JITTER_SECONDS: Final = 30.0  # chance counts for more than the first half minute
TAU_SECONDS: Final = 600.0
GATHERING_SECONDS: Final = 1_800.0  # a line opens half an hour before the on-sale

_LUCKY_SHARES: Final = 16.0  # of tau: one fan in nine million has a worse draw than this
_TAIL_SECONDS: Final = 1.0  # what steps are, in which late fans are told apart


class Policy(StrEnum):
    """What decides who comes first."""

    LOTTERY = "lottery"  # chance alone among those who came before the on-sale; later ones behind them, as they come
    TRANCHES = "tranches"  # a few seconds at a time; chance inside
    JITTER = "jitter"  # time, blurred by chance
    PROBABILISTIC = "probabilistic"  # a wait that has no memory: P(wait <= t) = 1 - exp(-t / tau)
    FIRST_COME = "first_come"  # time alone: whoever has the fastest network


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRules:
    """How one line is ordered. It never changes once the line is open: keys would."""

    policy: Policy
    tranche_seconds: float = TRANCHE_SECONDS
    jitter_seconds: float = JITTER_SECONDS
    tau_seconds: float = TAU_SECONDS
    gathering_seconds: float = GATHERING_SECONDS

    def __post_init__(self) -> None:
        assert self.tranche_seconds > 0, self.tranche_seconds
        assert self.jitter_seconds > 0, self.jitter_seconds
        assert self.tau_seconds > 0, self.tau_seconds
        assert self.gathering_seconds > 0, self.gathering_seconds


@dataclass(frozen=True, slots=True)
class Joined:
    """When a fan joined, as the ticket says it."""

    seconds: float  # since the on-sale; 0 for all who came before it. First come: since the line opened
    frontier: float = 0.0  # as it stood then; 0 for all who came before the on-sale

    @property
    def is_gathered(self) -> bool:
        """Before the on-sale: it makes no difference when."""
        return self.seconds == 0

    def tranche(self, rules: LineRules) -> int:
        """Those who gathered are the first, number 0."""
        return 0 if self.is_gathered else 1 + floor(self.seconds / rules.tranche_seconds)


def key(rules: LineRules, joined: Joined, luck: float) -> float:
    """The key of a ticket: whoever has the lower one is admitted first. `luck` is what was drawn, from 0 up to 1."""
    match rules.policy:
        case Policy.LOTTERY:
            return luck if joined.is_gathered else 1.0 + joined.seconds
        case Policy.TRANCHES:
            return joined.tranche(rules) + luck
        case Policy.JITTER:
            return joined.seconds + rules.jitter_seconds * luck
        case Policy.PROBABILISTIC:
            return joined.frontier - rules.tau_seconds * log1p(-luck)
        case Policy.FIRST_COME:
            return joined.seconds
        case _:
            assert_never(rules.policy)


def bins_of(rules: LineRules) -> Bins:
    """How keys of this line are counted: finely where most of the crowd is, then evenly for those who come later."""
    match rules.policy:
        case Policy.LOTTERY:
            return Bins(head=1.0, tail_step=_TAIL_SECONDS)
        case Policy.TRANCHES:
            return Bins(head=1.0, tail_step=_TAIL_SECONDS / rules.tranche_seconds)
        case Policy.JITTER:
            return Bins(head=rules.jitter_seconds, tail_step=_TAIL_SECONDS)
        case Policy.PROBABILISTIC:
            return Bins(head=_LUCKY_SHARES * rules.tau_seconds, tail_step=_TAIL_SECONDS)
        case Policy.FIRST_COME:
            return Bins(head=rules.gathering_seconds, tail_step=_TAIL_SECONDS)
        case _:
            assert_never(rules.policy)
