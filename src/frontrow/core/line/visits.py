"""A fan's sessions at an event with a waiting room: what has become of each, and what the door says.

The states are a table; docs/states.md prints a diagram of it. A session holds one of the places of the shop until it
ends, whichever way, and a place that is free again is the next fan's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

VISITS_PER_DAY_MAX: Final = 6  # of one fan at one event: a change of mind, a card that fails, and some more


class SessionState(StrEnum):
    """What a session is."""

    SHOPPING = "shopping"
    CHECKOUT = "checkout"  # the fan has begun to pay
    FINISHED = "finished"  # bought
    CANCELLED = "cancelled"  # the fan has left
    EXPIRED = "expired"  # by the clock


class SessionChange(StrEnum):
    """What may happen to a session."""

    PAY = "begin to pay"
    BUY = "buy"
    LEAVE = "leave"
    EXPIRE = "expire"


TRANSITIONS: Final[Mapping[tuple[SessionState, SessionChange], SessionState]] = MappingProxyType(
    {
        (SessionState.SHOPPING, SessionChange.PAY): SessionState.CHECKOUT,
        (SessionState.SHOPPING, SessionChange.BUY): SessionState.FINISHED,  # nobody saw the payment begin
        (SessionState.CHECKOUT, SessionChange.BUY): SessionState.FINISHED,
        (SessionState.SHOPPING, SessionChange.LEAVE): SessionState.CANCELLED,
        (SessionState.CHECKOUT, SessionChange.LEAVE): SessionState.CANCELLED,
        (SessionState.SHOPPING, SessionChange.EXPIRE): SessionState.EXPIRED,
        (SessionState.CHECKOUT, SessionChange.EXPIRE): SessionState.EXPIRED,  # what is being paid is paid all the same
    }
)
ENDED: Final = frozenset({SessionState.FINISHED, SessionState.CANCELLED, SessionState.EXPIRED})


@dataclass(frozen=True, slots=True)
class Inside:
    """The fan has a session: a new one, or the one there was."""

    number: int
    ends_at: int
    state: SessionState = SessionState.SHOPPING


@dataclass(frozen=True, slots=True)
class Full:
    """There is no place at the moment, or nobody new comes in. The ticket stays good."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A session has come of this ticket already, and has ended."""


@dataclass(frozen=True, slots=True)
class TooOften:
    """The fan has had as many sessions today as one may have."""


AtTheDoor: TypeAlias = Inside | Full | Spent | TooOften


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a fan's session, as those who let the fan in remember it."""

    number: int
    began: float
    ends_at: int
    state: SessionState = SessionState.SHOPPING


@dataclass(frozen=True, slots=True)
class InsideNow:
    """How it is inside: sessions now, and how many came and left since counting began."""

    active: int
    came: int
    ended: int
    is_open: bool  # False: everything was lost, and sessions are still being put back
