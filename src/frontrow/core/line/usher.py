"""The usher: who looks at a line once a second and says how far it has come.

All that moves a frontier comes together here: who waits, how many are inside, who left, what is left, how well the shop
is, what an operator allows. One usher at a time works for a line; who takes over begins where the last one stood.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Final

from frontrow.core.line.crowd import BINS, Crowd
from frontrow.core.line.estimates import Estimates, Guesses, Room
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.policies import bins_of
from frontrow.core.line.rate import TARGET_SHARE, Called, Health, Inflow, Shop
from frontrow.core.line.terms import LineTerms

FADING_SECONDS: Final = 90.0  # who has not been heard of for so long counts a third
FADE_EVERY_SECONDS: Final = 5.0  # every bin is touched by it
OUTFLOW_SECONDS: Final = 60.0  # over which those who leave are counted
LOOKS_EVERY_SECONDS: Final = 4.0  # how often those who are next look: see poll_seconds
LEARN_FROM_MIN: Final = 20.0  # so many called fans, before it is said what share of them came

POLL_SECONDS_MIN: Final = 2.0
POLL_SECONDS_MAX: Final = 60.0
POLL_SHARE: Final = 1 / 8  # of what is left to wait
LOOKS_PER_SECOND_MAX: Final = 20_000.0  # of a whole crowd that looks in the same moment: spread out to this
SPREAD_SECONDS_MIN: Final = 5.0

Beats = Iterable[tuple[int, float]]  # bins, and what is to be added to each


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is seen at one look."""

    active: int  # sessions
    came: int  # that began since the last look
    ended: int  # that ended since
    is_well: bool
    is_open: bool = True  # False: sessions that were lost are being put back, and nobody new comes in


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What everybody who lets fans in goes by until the next look."""

    at: float
    frontier: float
    waiting: float = 0.0
    active: int = 0
    called_per_second: float = 0.0
    guesses: Guesses = ()
    factors: tuple[float, float] = (1.0, 1.25)
    draw_spread_seconds: float = SPREAD_SECONDS_MIN  # over which those who gathered look again after the on-sale


@dataclass(slots=True)
class _Learning:
    """Those who were called and whose time to come has passed, and those who came."""

    called: float = 0.0
    came: float = 0.0


@dataclass(slots=True)
class Usher:
    """One line, as long as one usher looks after it."""

    crowd: Crowd
    frontier: float
    _looked_at: float | None = None
    _faded_at: float = 0.0
    _inflow: Inflow = field(default_factory=Inflow)
    _health: Health = field(default_factory=Health)
    _called: Called = field(default_factory=lambda: Called(looks_every=LOOKS_EVERY_SECONDS))
    _estimates: Estimates = field(default_factory=Estimates)
    _outflow: float = 0.0
    _matured: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    _learning: _Learning = field(default_factory=_Learning)

    @classmethod
    def of(cls, terms: LineTerms, *, frontier: float, weights: Sequence[float] = ()) -> "Usher":
        """Who takes over: from the frontier, and from those who waited, as far as they are known."""
        return cls(Crowd(bins_of(terms.rules), weights if len(weights) == BINS else ()), max(frontier, terms.frontier))

    def hear(self, beats: Beats) -> None:
        """Fans who wait have looked."""
        self.crowd.add_all(beats)

    def look(self, terms: LineTerms, seen: Seen, *, now: float, shares: Sequence[float]) -> Told:
        """Say how far the line has come. `shares`: chance, from 0 to 1, for places that are asked about."""
        seconds = min(max(now - self._looked_at, 0.0), FADE_EVERY_SECONDS) if self._looked_at is not None else 0.0
        self._looked_at = now
        self._fade(now)
        self._count(seen, seconds, now)
        called = self._call(terms, seen, seconds, now)
        return self._told(terms, seen, called / seconds if seconds else 0.0, now, shares)

    def _fade(self, now: float) -> None:
        if now - self._faded_at >= FADE_EVERY_SECONDS:
            if self._faded_at:
                self.crowd.fade(exp(-(now - self._faded_at) / FADING_SECONDS))
            self._faded_at = now

    def _count(self, seen: Seen, seconds: float, now: float) -> None:
        if seconds:
            share = min(seconds / OUTFLOW_SECONDS, 1.0)
            self._outflow += share * (seen.ended / seconds - self._outflow)
            self._estimates.look(active=seen.active, ended=seen.ended, seconds=seconds)
        while self._matured and now - self._matured[0][0] >= LOOKS_EVERY_SECONDS:
            self._learning.called += self._matured.pop(0)[1]
        self._learning.came += seen.came
        if self._learning.called >= LEARN_FROM_MIN:
            self._inflow.learn(called=self._learning.called, came=self._learning.came)
            self._learning = _Learning()

    def _call(self, terms: LineTerms, seen: Seen, seconds: float, now: float) -> float:
        health = self._health.look(is_well=seen.is_well, seconds=seconds)
        if terms.phase(now) is not LinePhase.ADMITTING or not seen.is_open or self.crowd.is_empty:
            return 0.0
        shop = Shop(
            cap=terms.cap,
            active=seen.active,
            coming=self._called.coming(now=now, absent=self._inflow.absent),
            outflow=self._outflow,
            arrival_seconds=LOOKS_EVERY_SECONDS / 2,
            buyers_max=terms.buyers_max,
            per_second_max=terms.calls_per_second_max,
            health=health,
        )
        more = self._inflow.next(shop, seconds=seconds)
        if more <= 0:
            return 0.0
        frontier = self.crowd.frontier_after(self.frontier, more)
        called = self.crowd.between(self.frontier, frontier)
        self.frontier = frontier
        self._called.add(called, now=now)
        self._matured.append((now, called))
        return called

    def _told(self, terms: LineTerms, seen: Seen, called: float, now: float, shares: Sequence[float]) -> Told:
        coming = self._called.coming(now=now, absent=self._inflow.absent)
        places = TARGET_SHARE * terms.cap
        room = Room(
            places=places,
            free=max(places - seen.active - coming, 0.0),
            absent=self._inflow.absent,
            reach=max(terms.buyers_max - seen.active - coming, 0.0),
        )
        ranks = self.crowd.ranks(self.frontier)
        self._estimates.learn(self.frontier, now=now)
        is_moving = terms.phase(now) is LinePhase.ADMITTING
        if is_moving and self._estimates.is_due(now):
            self._estimates.ask(ranks, room, shares, now=now)
        return Told(
            at=now,
            frontier=self.frontier,
            waiting=ranks.waiting,
            active=seen.active,
            called_per_second=called,
            guesses=self._estimates.table(ranks, room) if is_moving else (),
            factors=self._estimates.factors,
            draw_spread_seconds=max(SPREAD_SECONDS_MIN, min(ranks.waiting / LOOKS_PER_SECOND_MAX, POLL_SECONDS_MAX)),
        )


def poll_seconds(terms: LineTerms, told: Told, *, now: float, guessed: float | None, share: float) -> float:
    """How long a waiting fan does not look again. `share`: chance, from 0 to 1, so that no two crowds look at once."""
    if now < terms.on_sale_at:
        left = terms.on_sale_at - now
        spread = told.draw_spread_seconds * share
        return left + spread if left <= POLL_SECONDS_MAX else min(left / 2, POLL_SECONDS_MAX) * (1 - share / 2)
    if guessed is None:
        guessed = LOOKS_EVERY_SECONDS / POLL_SHARE if told.waiting > LOOKS_PER_SECOND_MAX else 0.0
    return min(max(guessed * POLL_SHARE, POLL_SECONDS_MIN), POLL_SECONDS_MAX) * (1 + 0.3 * share)


def beat(looks_every: float) -> float:
    """What the look of a fan counts who looks so often: so that all looks together make each fan one."""
    return looks_every / FADING_SECONDS


def first_beat(looks_every: float) -> float:
    """What the first look counts, so that a fan is one from then on."""
    often = looks_every / FADING_SECONDS
    return often / (1 - exp(-often)) if often else 1.0


def packed(beats: Mapping[int, float]) -> bytes:
    """Beats as they travel: bins, then what is added to each."""
    return array("H", beats.keys()).tobytes() + array("f", beats.values()).tobytes()


def unpacked(travelled: bytes) -> Beats:
    """The way back. What is no such thing is nothing: it was lost on the way."""
    count, rest = divmod(len(travelled), 6)
    if rest:
        return ()
    return zip(array("H", travelled[: 2 * count]), array("f", travelled[2 * count :]), strict=True)
