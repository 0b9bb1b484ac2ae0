"""What is noted of those who knock at the doors of events: how often, with which proofs, and what they did wrong.

A knock is looked up and counted as a whole. In order of precedence: whoever is locked out hears that; who is too fast
hears for how long; a proof that was used before is told so; and only what none of these applies to is counted.

What is here is kept in the memory of one process. `adapters/valkey` keeps the same for all of them, by the same rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from frontrow.core.rates import KEYS_MAX, SECOND_US, Limit, Rates

STRIKES_MAX: Final = 10  # by mistake nobody does it so often
STRIKES_SECONDS: Final = 600  # from the first; then all are forgotten
LOCKOUT_SECONDS: Final = 600  # long enough that trying on costs more than it brings, short enough for an innocent

Kept = TypeVar("Kept")


class Strike(StrEnum):
    """What somebody did that nobody does by mistake, or not often."""

    FORGED_TICKET = "forged-ticket"
    EARLY_POLLS = "early-polls"
    WRONG_PROOF = "wrong-proof"


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody at a door."""

    who: str
    limits: Sequence[Limit]
    spends: str | None = None  # the proof that they bring, by its name
    spends_seconds: int = 0  # how long it could be used again


@dataclass(frozen=True, slots=True)
class Lockout:
    """Nobody is let in before it is over."""

    left_us: int
    why: Strike


@dataclass(frozen=True, slots=True)
class Knocked:
    """What is known of them. Where `lockout`, `wait_us` and `is_spent` say nothing, the knock was counted."""

    lockout: Lockout | None = None
    wait_us: int = 0
    is_spent: bool = False
    strikes: int = 0
    over: tuple[str, ...] = ()  # soft limits that it is beyond of


class DoorBook:
    """The book of one process."""

    def __init__(self, *, keys_max: int = KEYS_MAX) -> None:
        self._rates = Rates(keys_max=keys_max)
        self._spent = _Passing[bool](keys_max)
        self._strikes = _Passing[int](keys_max)
        self._lockouts = _Passing[Strike](keys_max)

    def knock(self, knock: Knock, *, now_us: int) -> Knocked:
        strikes = self._strikes.get(knock.who, now_us) or 0
        why = self._lockouts.get(knock.who, now_us)
        if why is not None:
            return Knocked(lockout=Lockout(self._lockouts.left_us(knock.who, now_us), why), strikes=strikes)
        if wait_us := self._rates.look(knock.limits, now_us=now_us):
            return Knocked(wait_us=wait_us, strikes=strikes)
        if knock.spends is not None:
            if self._spent.get(knock.spends, now_us):
                return Knocked(is_spent=True, strikes=strikes)
            self._spent.keep(knock.spends, True, now_us + knock.spends_seconds * SECOND_US, now_us)  # noqa: FBT003 -- the value
        return Knocked(strikes=strikes, over=self._rates.take(knock.limits, now_us=now_us).over)

    def strike(self, who: str, why: Strike, *, now_us: int) -> Lockout | None:
        """Note what somebody did; it locks them out once it was too much. Whoever is, stays it as long as they were."""
        known = self._lockouts.get(who, now_us)
        if known is not None:
            return Lockout(self._lockouts.left_us(who, now_us), known)
        strikes = (self._strikes.get(who, now_us) or 0) + 1
        if strikes < STRIKES_MAX:
            until_us = now_us + (self._strikes.left_us(who, now_us) or STRIKES_SECONDS * SECOND_US)
            self._strikes.keep(who, strikes, until_us, now_us)
            return None
        self._strikes.drop(who)
        self._lockouts.keep(who, why, now_us + LOCKOUT_SECONDS * SECOND_US, now_us)
        return Lockout(LOCKOUT_SECONDS * SECOND_US, why)


class _Passing(Generic[Kept]):
    """What is true until a time. No more than so many at once: what is over goes first, and then everything."""

    def __init__(self, keys_max: int) -> None:
        self._kept: dict[str, tuple[Kept, int]] = {}
        self._keys_max = keys_max

    def get(self, key: str, now_us: int) -> Kept | None:
        kept, until_us = self._kept.get(key, (None, 0))
        return kept if now_us < until_us else None

    def left_us(self, key: str, now_us: int) -> int:
        return max(self._kept[key][1] - now_us, 0) if key in self._kept else 0

    def keep(self, key: str, kept: Kept, until_us: int, now_us: int) -> None:
        if len(self._kept) >= self._keys_max and key not in self._kept:
            self._kept = {key: each for key, each in self._kept.items() if now_us < each[1]}
            if len(self._kept) >= self._keys_max:
                self._kept.clear()
        self._kept[key] = kept, until_us

    def drop(self, key: str) -> None:
        self._kept.pop(key, None)
