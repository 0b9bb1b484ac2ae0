"""What a guard is asked when somebody joins a line without a ticket, and what it may answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from frontrow.core.catalogue import EventId
from frontrow.core.door_book import Strike
from frontrow.core.holds import FanId


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """Somebody wants to join."""

    event_id: EventId
    fan_id: FanId
    is_new: bool  # brought nothing to be known by, and was given this id a moment ago
    network: str | None = None  # where the request came from, and what is around it; None: this machine
    known_since: float | None = None  # since when they are known by what they brought; None: nobody knows
    proof: str | None = None  # what they brought to show that they have done what they were asked
    captcha: str | None = None  # what a CAPTCHA gave the person who answered it


@dataclass(frozen=True, slots=True)
class Admit:
    """They may."""


@dataclass(frozen=True, slots=True)
class ProofNeeded:
    """Not without a proof."""

    challenge: Mapping[str, object]
    site_key: str | None = None  # of the CAPTCHA that a person is to answer as well


@dataclass(frozen=True, slots=True)
class SlowDown:
    """Not before so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class LockedOut:
    """Not before so many seconds, for this reason."""

    seconds: float
    reason: Strike


AtTheGuard: TypeAlias = Admit | ProofNeeded | SlowDown | LockedOut
