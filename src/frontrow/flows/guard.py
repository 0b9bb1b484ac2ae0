"""Who may join a line: a look at everybody who knocks without a ticket, before one is made.

Whoever behaves as people do passes with one look at the book of the doors. In a rush, or with a sign that something is
not as it is with people, a device is asked for work first. Who goes on doing what nobody does by mistake is locked out
for a while, and told why. None of it changes a place in the line.

The book is in Valkey, for all processes together. While that is away each process keeps its own, by the same rules:
fans go on joining, and a proof of the last minutes might be used once more in another process.
"""

from collections.abc import Callable, Iterator
from typing import Final, Protocol

import structlog

from frontrow.core.door_book import DoorBook as OwnBook
from frontrow.core.door_book import Knock, Knocked, Lockout, Strike
from frontrow.core.faults import UnavailableError
from frontrow.core.guard import Admit, AtTheGuard, Joining, LockedOut, ProofNeeded, SlowDown
from frontrow.core.haste import Haste, polls_max
from frontrow.core.holds import FanId
from frontrow.core.proofs import (
    AGED_SECONDS,
    STRIKES_HEAVY,
    STRIKES_LIGHT,
    Asked,
    ChallengeTerms,
    Level,
    ProofWrong,
    Proven,
    Sign,
    level,
)
from frontrow.core.rates import SECOND_US, Limit, rate
from frontrow.flows.ports import Captcha, DoorBook, Proofs

# Beyond these nobody joins for a while.
FAN: Final = rate(at_once=10, again_seconds=3)  # reloading, a second tab, another device
NETWORK: Final = rate(at_once=5_000, again_seconds=0.005)  # telephones of half a town share one
EVENT: Final = rate(at_once=20_000, again_seconds=0.0002)  # what one Valkey and a few gates take
ALL: Final = rate(at_once=40_000, again_seconds=0.0001)
WAITED: Final = rate(at_once=200, again_seconds=0.1)  # of an event: waiting costs no work, so it is for few

# Beyond these a device is asked for work.
EVENT_CALM: Final = rate(at_once=500, again_seconds=0.02)
EVENT_CROWDED: Final = rate(at_once=5_000, again_seconds=0.001)
NETWORK_CALM: Final = rate(at_once=30, again_seconds=2)
NETWORK_CROWDED: Final = rate(at_once=300, again_seconds=0.2)

LOCKED_MAX: Final = 50_000  # whom one process knows to be locked out; beyond it they begin anew
AWAY_SECONDS: Final = 1.0  # so long nobody waits for a book that was away


class Told(Protocol):
    """Who counts what the guard does."""

    def join(self, answer: AtTheGuard, level: Level) -> None: ...

    def wrong(self, why: ProofWrong) -> None: ...

    def struck(self, why: Strike) -> None: ...


class Guard:
    """Of one process."""

    def __init__(
        self,
        book: DoorBook,
        proofs: Proofs,
        told: Told,
        *,
        asked: Asked,
        captcha: Captcha | None = None,
        now: Callable[[], float],
        passing: Callable[[], float],
    ) -> None:
        """`now` is seconds since 1970; `passing` is of a clock that never goes back."""
        self._books = _Books(book, passing)
        self._proofs = proofs
        self._told = told
        self._asked = asked
        self.captcha = captcha
        self._hardest = Level.PERSON if captcha else Level.HARDEST
        self._now = now
        self._passing = passing
        self._haste = Haste()
        self._locked: dict[FanId, LockedOut] = {}  # by this process; `seconds` is when it ends

    async def may_join(self, joining: Joining) -> AtTheGuard:
        """Whether somebody without a ticket may have one now."""
        brought = await self._shown(joining, self._brought(joining))
        if isinstance(brought, ProofWrong):
            self._told.wrong(brought)
            if lockout := await self._struck_by(joining, brought):
                return self._answered(_from(lockout), Level.NONE)
        proven = brought if isinstance(brought, Proven) else None
        knocked = await self._books.knock(_knock(joining, proven, now=self._now()))
        needed = level([*_signs(joining, knocked, now=self._now())], self._asked, hardest=self._hardest)
        if knocked.lockout:
            return self._answered(_from(knocked.lockout), needed)
        if knocked.wait_us:
            return self._answered(SlowDown(knocked.wait_us / SECOND_US), needed)
        if knocked.is_spent:
            self._told.wrong(ProofWrong.SPENT)
        elif proven or (brought is None and needed is Level.NONE):
            return self._answered(Admit(), needed)
        needed = Level.PERSON if brought is ProofWrong.NO_PERSON else max(needed, Level.EASY)
        terms = ChallengeTerms(joining.event_id, joining.fan_id, joining.is_new, needed)
        challenge = self._proofs.challenge(terms, now=self._now())
        site_key = self.captcha.site_key if self.captcha and needed is Level.PERSON else None
        return self._answered(ProofNeeded(challenge, site_key), needed)

    async def may_poll(self, fan_id: FanId, poll_seconds: float) -> SlowDown | LockedOut | None:
        """Whether somebody with a ticket has waited as long as they were told to; None: as nearly as people do."""
        if locked := self._locked_out(fan_id):
            return locked
        polls, most = self._haste.polled(fan_id.bytes, now=self._passing()), polls_max(poll_seconds)
        if polls <= most:
            return None
        if polls % most == 0:  # told so many times, and they went on
            await self.struck(fan_id, Strike.EARLY_POLLS)
        return self._locked_out(fan_id) or SlowDown(poll_seconds)

    async def struck(self, fan_id: FanId, why: Strike) -> Lockout | None:
        """Note what a fan did; it locks them out once it was too much."""
        self._told.struck(why)
        lockout = await self._books.strike(str(fan_id), why)
        if lockout and self._locked_out(fan_id) is None:
            _log.warning("fan.locked_out", fan_id=str(fan_id), why=lockout.why.value)
            if len(self._locked) >= LOCKED_MAX:
                self._locked.clear()
            self._locked[fan_id] = LockedOut(self._passing() + lockout.left_us / SECOND_US, lockout.why)
        return lockout

    def _locked_out(self, fan_id: FanId) -> LockedOut | None:
        locked = self._locked.get(fan_id)
        left = locked.seconds - self._passing() if locked else 0
        return LockedOut(left, locked.reason) if locked and left > 0 else None

    def newcomer(self, proof: str | None) -> FanId | None:
        """The fan whom a challenge was made for that somebody nameless was given: whoever solved it is that fan."""
        read = self._proofs.read(proof, now=self._now()) if proof else None
        return read.terms.fan_id if isinstance(read, Proven) and read.terms.is_new else None

    def _brought(self, joining: Joining) -> Proven | ProofWrong | None:
        if joining.proof is None or self._asked is Asked.NEVER:
            return None
        read = self._proofs.read(joining.proof, now=self._now())
        if isinstance(read, Proven) and (read.terms.event_id, read.terms.fan_id) != (joining.event_id, joining.fan_id):
            return ProofWrong.OTHERS
        return read

    async def _shown(self, joining: Joining, brought: Proven | ProofWrong | None) -> Proven | ProofWrong | None:
        """A proof that needs a person has one. While the service cannot be asked, the work is enough."""
        if not isinstance(brought, Proven) or brought.terms.level is not Level.PERSON or self.captcha is None:
            return brought
        has_passed = await self.captcha.passed(joining.captcha) if joining.captcha else False
        return ProofWrong.NO_PERSON if has_passed is False else brought

    async def _struck_by(self, joining: Joining, wrong: ProofWrong) -> Lockout | None:
        """Being late is no strike. Nor is anything by somebody nameless: there is nobody to lock out."""
        is_strike = wrong in {ProofWrong.FORGED, ProofWrong.UNSOLVED, ProofWrong.OTHERS}
        return await self.struck(joining.fan_id, Strike.WRONG_PROOF) if is_strike and not joining.is_new else None

    def _answered(self, answer: AtTheGuard, level: Level) -> AtTheGuard:
        self._told.join(answer, level)
        return answer


def _from(lockout: Lockout) -> LockedOut:
    return LockedOut(lockout.left_us / SECOND_US, lockout.why)


def _knock(joining: Joining, proven: Proven | None, *, now: float) -> Knock:
    event = f"event:{joining.event_id}"
    limits = [
        Limit(f"fan:{joining.fan_id}", FAN),
        Limit(event, EVENT),
        Limit("all", ALL),
        Limit(f"{event}:calm", EVENT_CALM, is_soft=True),
        Limit(f"{event}:crowded", EVENT_CROWDED, is_soft=True),
    ]
    if joining.network is not None:
        network = f"network:{joining.network}"
        limits += [
            Limit(network, NETWORK),
            Limit(f"{network}:calm", NETWORK_CALM, is_soft=True),
            Limit(f"{network}:crowded", NETWORK_CROWDED, is_soft=True),
        ]
    if proven is None:
        return Knock(str(joining.fan_id), limits)
    if proven.has_waited:
        limits.append(Limit(f"{event}:waited", WAITED))
    return Knock(str(joining.fan_id), limits, proven.name, max(proven.ends_at - int(now), 1))


def _signs(joining: Joining, knocked: Knocked, *, now: float) -> Iterator[Sign]:
    signs = {f"event:{joining.event_id}:calm": Sign.MANY_JOIN, f"event:{joining.event_id}:crowded": Sign.CROWD_JOINS}
    signs |= {
        f"network:{joining.network}:calm": Sign.MANY_NEIGHBOURS,
        f"network:{joining.network}:crowded": Sign.CROWD_OF_NEIGHBOURS,
    }
    yield from (signs[key] for key in knocked.over)
    if knocked.strikes >= STRIKES_HEAVY:
        yield Sign.MANY_STRIKES
    elif knocked.strikes >= STRIKES_LIGHT:
        yield Sign.STRIKES
    elif joining.known_since is not None and now - joining.known_since >= AGED_SECONDS:
        yield Sign.KNOWN_LONG


class _Books:
    """The book of all processes, and our own while that is away."""

    def __init__(self, shared: DoorBook, passing: Callable[[], float]) -> None:
        self._shared = shared
        self._own = OwnBook()
        self._passing = passing
        self._away_until = 0.0

    async def knock(self, knock: Knock) -> Knocked:
        if self._passing() >= self._away_until:
            try:
                return await self._shared.knock(knock)
            except UnavailableError as error:
                self._is_away(error)
        return self._own.knock(knock, now_us=self._now_us())

    async def strike(self, who: str, why: Strike) -> Lockout | None:
        if self._passing() >= self._away_until:
            try:
                return await self._shared.strike(who, why)
            except UnavailableError as error:
                self._is_away(error)
        return self._own.strike(who, why, now_us=self._now_us())

    def _is_away(self, error: UnavailableError) -> None:
        if self._passing() >= self._away_until:
            _log.warning("door_book.away", error=str(error))
        self._away_until = self._passing() + AWAY_SECONDS

    def _now_us(self) -> int:
        return int(self._passing() * SECOND_US)


_log = structlog.stdlib.get_logger(__name__)
