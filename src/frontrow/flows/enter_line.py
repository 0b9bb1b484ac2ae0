"""Entering an event that has a waiting room: joining its line, waiting, coming in.

Where a fan stands follows from the ticket alone, so whoever waits costs no look anywhere. The door, where sessions
begin, is in Valkey: while it cannot be asked nobody new comes in, and everybody keeps the place that the ticket says.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from frontrow.core.door_book import Strike
from frontrow.core.faults import UnavailableError
from frontrow.core.guard import Admit, Joining, LockedOut, ProofNeeded, SlowDown
from frontrow.core.holds import FanId
from frontrow.core.line.estimates import guess_at
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.policies import Joined, Policy
from frontrow.core.line.terms import LineTerms
from frontrow.core.line.tickets import LineTicket, TicketKeys
from frontrow.core.line.usher import beat, first_beat, poll_seconds
from frontrow.core.line.visits import Full, Inside, Known, Spent, TooOften
from frontrow.core.line.waits import Wait
from frontrow.core.rates import SECOND_US
from frontrow.flows.follow_lines import TOLD_FRESH_SECONDS, Line
from frontrow.flows.ports import Door, Guard

AGAIN_SECONDS: Final = 2.0  # who is next looks again after this
SOON: Final = Wait(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entering:
    """Somebody at the line."""

    fan_id: FanId
    is_new: bool = False  # brought nothing to be known by
    ticket: LineTicket | None = None
    network: str | None = None  # where the request came from, and what is around it; None: this machine
    known_since: float | None = None  # since when they are known by what they brought
    proof: str | None = None
    captcha: str | None = None
    has_pass: bool = False  # to the event, while it sells to invited fans alone


@dataclass(frozen=True, slots=True)
class Waiting:
    """It is not their turn."""

    ticket: LineTicket
    poll_seconds: float
    wait: Wait | None  # None: nobody knows


@dataclass(frozen=True, slots=True)
class NotOpen:
    """The line opens later."""

    opens_at: float


@dataclass(frozen=True, slots=True)
class SoldOut:
    """Nothing is left."""


@dataclass(frozen=True, slots=True)
class CodeNeeded:
    """It sells to invited fans alone, until then."""

    until: float


@dataclass(frozen=True, slots=True)
class LineOver:
    """The event has ended, or does not take place."""


# In order of precedence: where two apply, the first is the answer.
Entered: TypeAlias = (
    LineOver | NotOpen | SoldOut | CodeNeeded | ProofNeeded | SlowDown | LockedOut | Inside | Spent | TooOften | Waiting
)


class EnterLine:
    """What fans do at lines."""

    def __init__(
        self,
        door: Door,
        tickets: TicketKeys,
        *,
        guard: Guard | None,
        now: Callable[[], float],
        chance: Callable[[], float],
        new_number: Callable[[], int],
    ) -> None:
        """`chance` draws evenly from 0 to 1; `new_number` makes numbers of sessions that nobody has."""
        self.tickets = tickets
        self._door = door
        self._guard = guard
        self._now = now
        self._chance = chance
        self._new_number = new_number

    async def enter(self, line: Line, entering: Entering) -> Entered:
        now = self._now()
        closed = _closed(line.terms, line.terms.phase(now))
        if closed is not None:
            return closed
        if entering.ticket is not None:
            return await self._go_on(line, entering.ticket, now)
        if line.terms.asks_for_code(now) and not entering.has_pass:
            return CodeNeeded(line.terms.codes_until or now)
        joined = await self._join(line, entering, now)
        return await self._go_on(line, joined, now, is_first=True) if isinstance(joined, LineTicket) else joined

    async def _go_on(self, line: Line, ticket: LineTicket, now: float, *, is_first: bool = False) -> Entered:
        """Come in where it is their turn, or go on waiting."""
        key = line.terms.key(ticket.fan_id, ticket.joined)
        if now < line.terms.on_sale_at or key > line.told.frontier:
            return await self._wait(line, ticket, key, now, is_first=is_first)
        if not is_first and (hasty := await self._hasty(ticket.fan_id, AGAIN_SECONDS)):
            return hasty
        met = await self._knock(line, ticket, now)
        return Waiting(ticket, AGAIN_SECONDS * (1 + self._chance()), SOON) if isinstance(met, Full) else met

    async def refuse_ticket(self, fan_id: FanId) -> LockedOut | None:
        """A fan has brought a ticket that is none. Whoever does so again and again is locked out."""
        lockout = await self._guard.struck(fan_id, Strike.FORGED_TICKET) if self._guard else None
        return LockedOut(lockout.left_us / SECOND_US, lockout.why) if lockout else None

    def newcomer(self, proof: str | None) -> FanId | None:
        """Whom somebody is from now on who brings nothing but a proof."""
        return self._guard.newcomer(proof) if self._guard and proof else None

    async def _hasty(self, fan_id: FanId, seconds: float) -> SlowDown | LockedOut | None:
        """Who does not wait as long as they are told to, between two polls."""
        return await self._guard.may_poll(fan_id, seconds) if self._guard else None

    async def _wait(
        self, line: Line, ticket: LineTicket, key: float, now: float, *, is_first: bool
    ) -> Waiting | SlowDown | LockedOut:
        told = line.told
        guessed = guess_at(told.guesses, key) if now - told.at < TOLD_FRESH_SECONDS else None
        again = poll_seconds(line.terms, told, now=now, guessed=guessed, share=self._chance())
        if not is_first and (hasty := await self._hasty(ticket.fan_id, again)):
            return hasty  # uncounted: a poll stands for the time since the last one
        line.wait(key, first_beat(again) if is_first else beat(again))
        likely, at_most = told.factors
        return Waiting(ticket, again, None if guessed is None else Wait(guessed * likely, guessed * at_most))

    async def _join(
        self, line: Line, entering: Entering, now: float
    ) -> LineTicket | Inside | ProofNeeded | SlowDown | LockedOut:
        """A ticket for who brings none: the same one as before, where that can be known."""
        terms = line.terms
        allowed = await self._allowed(terms, entering)
        if not isinstance(allowed, Admit):
            return allowed
        joined: Inside | Joined = terms.joined(now, line.told.frontier)
        if now >= terms.on_sale_at or terms.rules.policy is Policy.FIRST_COME:
            with suppress(UnavailableError):  # then this is the place: later than it might be, never earlier
                since = _since(terms)
                joined = await self._door.join(terms.event_id, entering.fan_id, joined, since=since, now=now)
        return joined if isinstance(joined, Inside) else LineTicket(terms.event_id, entering.fan_id, joined)

    async def _allowed(self, terms: LineTerms, entering: Entering) -> Admit | ProofNeeded | SlowDown | LockedOut:
        if self._guard is None:
            return Admit()
        return await self._guard.may_join(
            Joining(
                event_id=terms.event_id,
                fan_id=entering.fan_id,
                is_new=entering.is_new,
                network=entering.network,
                known_since=entering.known_since,
                proof=entering.proof,
                captcha=entering.captcha,
            )
        )

    async def _knock(self, line: Line, ticket: LineTicket, now: float) -> Inside | Full | Spent | TooOften:
        """It is their turn: come in, if there is room."""
        terms = line.terms
        number = self._new_number()
        try:
            met = await self._door.admit(
                replace(terms, cap=0) if terms.is_drained else terms,
                ticket.fan_id,
                joined_at=_joined_at(terms, ticket.joined),
                number=number,
                now=now,
            )
        except UnavailableError:
            return Full()
        if isinstance(met, Inside) and met.number == number:
            line.let_in[ticket.fan_id] = Known(number, now, met.ends_at)
        return met


def _closed(terms: LineTerms, phase: LinePhase) -> LineOver | NotOpen | SoldOut | None:
    """Why nobody joins now, if nobody does."""
    match phase:
        case LinePhase.OVER:
            return LineOver()
        case LinePhase.CLOSED:
            return NotOpen(terms.opens_at)
        case LinePhase.SOLD_OUT:
            return SoldOut()
        case LinePhase.GATHERING | LinePhase.ADMITTING | LinePhase.PAUSED:
            return None
        case _:
            assert_never(phase)


def _since(terms: LineTerms) -> float:
    """From when the seconds of a ticket count."""
    return terms.opens_at if terms.rules.policy is Policy.FIRST_COME else terms.on_sale_at


def _joined_at(terms: LineTerms, joined: Joined) -> float:
    """When the ticket joined, on the clock; before everything for those who gathered."""
    return 0.0 if joined.is_gathered else _since(terms) + joined.seconds
