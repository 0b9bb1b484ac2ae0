"""What a guard is asked when somebody joins a line without a ticket, and what it may answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """Somebody wants to join."""

    event_id: EventId
    fan_id: FanId
    is_new: bool  # brought nothing to be known by, and was given this id a moment ago
    address: str  # where the request came from, as far as the network knows
    neighbours: str  # the network around it
    proof: str | None  # what they brought to show that they have done what they were asked


@dataclass(frozen=True, slots=True)
class Admit:
    """They may."""


@dataclass(frozen=True, slots=True)
class ProofNeeded:
    """Not without a proof."""

    challenge: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SlowDown:
    """Not before so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class LockedOut:
    """Not before so many seconds, for this reason."""

    seconds: float
    reason: str


AtTheGuard: TypeAlias = Admit | ProofNeeded | SlowDown | LockedOut
