"""Lines over HTTP: what everybody may know of one, joining and entering, and a fan's own session.

The line document is the same for everybody and made twice a second at most, so any cache in front carries the crowd.
Who waits is answered from the ticket. Nothing here asks PostgreSQL.
"""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, assert_never

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.catalogue import EventId
from frontrow.core.door_book import Strike
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.guard import LockedOut, ProofNeeded, SlowDown
from frontrow.core.holds import FanId
from frontrow.core.line.estimates import guess_at
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.terms import LineTerms
from frontrow.core.line.tickets import LineTicket
from frontrow.core.line.usher import POLL_SECONDS_MAX
from frontrow.core.line.visits import Inside, Known, SessionState, Spent, TooOften
from frontrow.core.line.waits import Wait
from frontrow.flows.enter_line import CodeNeeded, Entered, Entering, EnterLine, LineOver, NotOpen, SoldOut, Waiting
from frontrow.flows.follow_lines import TOLD_FRESH_SECONDS, Line, Lines
from frontrow.flows.ports import Clock, Door
from frontrow.web import reading
from frontrow.web.admission import Admission, Asking, fan_cookies, session_cookie_name
from frontrow.web.answers import JSON, Header, Time, encoded, send_body, send_json, send_problem
from frontrow.web.clients import Clients
from frontrow.web.problems import Problem, of_fault, problem

MADE_SECONDS: Final = 0.5  # how old a line document is at most
CACHEABLE: Final[tuple[Header, ...]] = (JSON, (b"cache-control", b"public, max-age=1"))
TICKET_COOKIE: Final = "frontrow-line"  # with the number of the event after it
TICKET_COOKIE_SECONDS: Final = 15_552_000  # it is good as long as the line is


class EnterBody(msgspec.Struct, frozen=True):
    """What a fan may bring to the door. An event without a waiting room asks for neither."""

    line_ticket: str | None = None
    proof: str | None = None
    captcha: str | None = None  # what the CAPTCHA gave that `captcha` of the refusal has named


class Eta(msgspec.Struct, frozen=True):
    """In minutes: half of all wait no longer than the first, nine of ten no longer than the second."""

    likely_minutes: int
    at_most_minutes: int


class WaitingOut(msgspec.Struct, frozen=True):
    """A place in line. The ticket is the place: keep it, and look again after so many seconds."""

    state: Literal["waiting"]
    line_ticket: str
    poll_seconds: int
    eta: Eta | None  # null: nobody knows yet
    phase: LinePhase
    message: str | None
    fan_id: str
    fan_token: str | None  # null: you are known by something else, and keep that


class RulesOut(msgspec.Struct, frozen=True):
    """How the line is ordered."""

    policy: str
    tranche_seconds: float
    jitter_seconds: float
    tau_seconds: float


class LineOut(msgspec.Struct, frozen=True):
    """What everybody may know of a line."""

    event_id: str
    phase: LinePhase
    frontier: float
    poll_seconds: int
    eta: Eta | None  # for who joins now; null: nobody knows
    commitments: list[str]  # SHA-256, as core/line/draws.py makes it, of the seeds
    seeds: list[str]  # revealed when the line is over
    message: str | None
    opens_at: Time
    on_sale_at: Time
    rules: RulesOut
    at: Time


class SessionOut(msgspec.Struct, frozen=True):
    """A fan's session."""

    state: SessionState
    ends_at: Time


@dataclass(slots=True)
class _Made:
    """A line document, and what it was made of."""

    at: float
    terms: LineTerms
    body: bytes


class LineCalls:
    """The calls about lines and sessions."""

    def __init__(
        self,
        lines: Lines,
        enter_line: EnterLine,
        door: Door,
        admission: Admission,
        clients: Clients,
        *,
        clock: Clock,
        behind_tls: bool,
        find: Callable[[EventId], Awaitable[Line | None]] | None = None,
        without_line: Callable[[Scope, EventId, Send], Awaitable[None]] | None = None,
    ) -> None:
        """`find` looks for lines that were not heard of. `without_line` answers for events that have none."""
        self._lines = lines
        self._enter_line = enter_line
        self._door = door
        self._admission = admission
        self._clients = clients
        self._clock = clock
        self._behind_tls = behind_tls
        self._find = find
        self._without_line = without_line
        self._made: dict[EventId, _Made] = {}

    async def look(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/events/{event}/line`."""
        line = await self._line(scope)
        if not isinstance(line, Line):
            await send_problem(send, line or problem("not-found"))
            return
        now = self._clock().timestamp()
        made = self._made.get(line.terms.event_id)
        if made is None or now - made.at >= MADE_SECONDS or made.terms is not line.terms:
            made = self._made[line.terms.event_id] = _Made(now, line.terms, encoded(line_out(line, now)))
        await send_body(send, made.body, headers=CACHEABLE)

    async def enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/events/{event}/enter`."""
        body = await reading.body(receive, _ENTER, empty=b"{}")
        if not isinstance(body, EnterBody):
            await send_problem(send, body)
            return
        event_id, line = reading.event_id(scope), await self._line(scope)
        if isinstance(line, Line):
            await self._enter(line, scope, body, send)
        elif line is None and event_id is not None and self._without_line is not None:
            await self._without_line(scope, event_id, send)
        else:
            await send_problem(send, line or problem("not-found"))

    async def session(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/events/{event}/session`."""
        found = await self._session(scope)
        if isinstance(found, Problem):
            await send_problem(send, found)
        else:
            await send_json(send, SessionOut(found.state, _time(found.ends_at)))

    async def leave(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`DELETE /api/v1/events/{event}/session`."""
        left = await self.left(scope, reading.event_id(scope))
        if isinstance(left, Problem):
            await send_problem(send, left)
        else:
            await send_body(send, b"", status=204, headers=(left,))

    async def left(self, scope: Scope, event_id: EventId | None) -> Header | Problem:
        """Somebody leaves. Answers the cookie by which a browser forgets the session."""
        line = None if event_id is None else await self.line_of(event_id)
        fan_id = self._fan(scope, event_id)
        if not isinstance(line, Line):
            return line or problem("not-found")
        if fan_id is None:
            return problem("sign-in-needed")
        event_id, now = line.terms.event_id, self._clock().timestamp()
        try:
            if await self._door.session(event_id, fan_id) is None:
                return problem("not-found")
            await self._door.mark(event_id, fan_id, SessionState.CANCELLED, now=now, began_by=now)
        except UnavailableError as error:
            return of_fault(error)
        return self._cookie(session_cookie_name(event_id), "", 0)

    async def entered(self, scope: Scope, line: Line, body: EnterBody) -> tuple[Asking, Entered | Problem]:
        """What comes of it when somebody enters, and who that is."""
        asking = self._admission.asking(scope)
        if asking.is_new and (newcomer := self._enter_line.newcomer(body.proof)):
            asking = Asking(newcomer, self._admission.token_of(newcomer).text, is_new=True)
        ticket = self._ticket(scope, line, asking, body)
        if isinstance(ticket, Problem):
            locked = None if asking.is_new else await self._enter_line.refuse_ticket(asking.fan_id)
            return asking, locked or ticket
        if ticket is not None and ticket.fan_id != asking.fan_id:  # a ticket says whose it is, to who says nothing
            asking = Asking(ticket.fan_id, None)
        client = self._clients.of(scope)
        entering = Entering(
            fan_id=asking.fan_id,
            is_new=asking.is_new,
            ticket=ticket,
            network=None if client.is_here else client.neighbours,
            known_since=None if ticket else self._admission.known_since(scope),
            proof=body.proof,
            captcha=body.captcha,
            has_pass=self._admission.has_pass(scope, line.terms.event_id, asking.fan_id),
        )
        return asking, await self._enter_line.enter(line, entering)

    def _ticket(self, scope: Scope, line: Line, asking: Asking, body: EnterBody) -> LineTicket | Problem | None:
        """The ticket that came along. One that is no good is refused, and passed over where a browser had kept it."""
        is_shown = body.line_ticket is not None
        token = body.line_ticket if is_shown else reading.cookie(scope, ticket_cookie_name(line.terms.event_id))
        if token is None:
            return None
        ticket = self._enter_line.tickets.ticket(token.encode())
        is_good = (
            ticket and ticket.event_id == line.terms.event_id and (asking.is_new or ticket.fan_id == asking.fan_id)
        )
        if is_good:
            return ticket
        return problem("ticket-refused") if is_shown else None

    async def _enter(self, line: Line, scope: Scope, body: EnterBody, send: Send) -> None:
        asking, entered = await self.entered(scope, line, body)
        if isinstance(entered, Inside):
            out = self._admission.admitted_as(asking, line.terms.event_id, entered.number, entered.ends_at)
            await send_json(send, out, headers=self.cookies(line, asking, entered))
        elif isinstance(entered, Waiting):
            headers = self.cookies(line, asking, entered)
            await send_json(send, self._waiting(line, asking, entered), status=202, headers=headers)
        else:
            refused = entered if isinstance(entered, Problem) else refusal(entered, line.terms)
            await send_problem(send, self._without_ticket(line, refused))

    def cookies(self, line: Line, asking: Asking, entered: Inside | Waiting) -> tuple[Header, ...]:
        """What a browser keeps: who it is, and its place, or its session."""
        event_id = line.terms.event_id
        if isinstance(entered, Inside):
            out = self._admission.admitted_as(asking, event_id, entered.number, entered.ends_at)
            seconds = max(entered.ends_at - int(self._clock().timestamp()), 0)
            own = self._cookie(session_cookie_name(event_id), out.session_token, seconds)
        else:
            token = self._enter_line.tickets.token(entered.ticket)
            own = self._cookie(ticket_cookie_name(event_id), token, TICKET_COOKIE_SECONDS)
        return (*fan_cookies(asking.token, behind_tls=self._behind_tls), own)

    def _waiting(self, line: Line, asking: Asking, waiting: Waiting) -> WaitingOut:
        return WaitingOut(
            "waiting",
            self._enter_line.tickets.token(waiting.ticket),
            math.ceil(waiting.poll_seconds),
            eta(waiting.wait),
            line.terms.phase(self._clock().timestamp()),
            line.terms.message,
            str(asking.fan_id),
            asking.token,
        )

    def forgetting(self, line: Line, refused: Problem) -> tuple[Header, ...]:
        """A browser forgets a ticket that is refused: the next time it joins anew."""
        is_it = refused.kind.slug == "ticket-refused"
        return (self._cookie(ticket_cookie_name(line.terms.event_id), "", 0),) if is_it else ()

    def _without_ticket(self, line: Line, refused: Problem) -> Problem:
        more = {name.decode(): value.decode() for name, value in self.forgetting(line, refused)}
        return replace(refused, headers={**refused.headers, **more})

    def _cookie(self, name: str, value: str, seconds: int) -> Header:
        secure = "; Secure" if self._behind_tls else ""
        return b"set-cookie", f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}".encode()

    async def _line(self, scope: Scope) -> Line | Problem | None:
        event_id = reading.event_id(scope)
        return None if event_id is None else await self.line_of(event_id)

    async def line_of(self, event_id: EventId) -> Line | Problem | None:
        """The line of an event; why it is not known at the moment; None: there is none."""
        line = self._lines.get(event_id)
        if line is not None or self._find is None:
            return line
        try:
            return await self._find(event_id)
        except (UnavailableError, OutcomeUnknownError) as error:
            return of_fault(error)

    async def _session(self, scope: Scope) -> Known | Problem:
        line, fan_id = await self._line(scope), self._fan(scope, reading.event_id(scope))
        if not isinstance(line, Line):
            return line or problem("not-found")
        if fan_id is None:
            return problem("sign-in-needed")
        try:
            return await self._door.session(line.terms.event_id, fan_id) or problem("not-found")
        except UnavailableError as error:
            return of_fault(error)

    def _fan(self, scope: Scope, event_id: EventId | None) -> FanId | None:
        """Whose session it is about: whoever brings one, or whoever else is asking."""
        brought = self._admission.session(scope, event_id) if event_id is not None else None
        return brought.fan_id if brought else self._admission.fan(scope)


def refusal(  # noqa: PLR0911 -- a table: one refusal, one line
    entered: LineOver | NotOpen | SoldOut | CodeNeeded | ProofNeeded | SlowDown | LockedOut | Spent | TooOften,
    terms: LineTerms,
) -> Problem:
    match entered:
        case NotOpen(opens_at):
            return problem(
                "not-admitted", detail=NOT_OPEN, opens_at=_time(opens_at), on_sale_at=_time(terms.on_sale_at)
            )
        case SoldOut():
            return problem("sold-out")
        case CodeNeeded(until):
            return problem("code-needed", codes_until=_time(until))
        case LineOver():
            return problem("not-on-sale", on_sale_at=_time(terms.on_sale_at))
        case Spent():
            return problem("ticket-refused", detail=USED)
        case TooOften():
            return problem("not-admitted", detail=TOO_OFTEN)
        case ProofNeeded(challenge, site_key):
            more: dict[str, Any] = {"captcha": {"site_key": site_key}} if site_key else {}
            return problem("proof-needed", challenge=challenge, **more)
        case SlowDown(seconds):
            return problem("slow-down", headers=_after(seconds))
        case LockedOut(seconds, reason):
            return problem("locked-out", detail=LOCKED_OUT[reason], headers=_after(seconds), reason=reason.value)
        case _:
            assert_never(entered)


def line_out(line: Line, now: float) -> LineOut:
    """The document of a line as it is now."""
    terms, told, phase = line.terms, line.told, line.terms.phase(now)
    is_moving = phase is LinePhase.ADMITTING and now - told.at < TOLD_FRESH_SECONDS
    guessed = guess_at(told.guesses, math.inf) if is_moving else None
    likely, at_most = told.factors
    rules = terms.rules
    return LineOut(
        event_id=str(terms.event_id),
        phase=phase,
        frontier=told.frontier,
        poll_seconds=_poll_seconds(terms, phase, now),
        eta=eta(None if guessed is None else Wait(guessed * likely, guessed * at_most)),
        commitments=[terms.commitment.hex()],
        seeds=[terms.seed.hex()] if phase is LinePhase.OVER else [],
        message=terms.message,
        opens_at=_time(terms.opens_at),
        on_sale_at=_time(terms.on_sale_at),
        rules=RulesOut(rules.policy.value, rules.tranche_seconds, rules.jitter_seconds, rules.tau_seconds),
        at=_time(now),
    )


def eta(wait: Wait | None) -> Eta | None:
    return Eta(*wait.told()) if wait else None


def ticket_cookie_name(event_id: EventId) -> str:
    return f"{TICKET_COOKIE}-{event_id}"


def _poll_seconds(terms: LineTerms, phase: LinePhase, now: float) -> int:
    begins = {LinePhase.CLOSED: terms.opens_at, LinePhase.GATHERING: terms.on_sale_at}.get(phase)
    if begins is not None:
        return math.ceil(min(max(begins - now, _POLL_SECONDS[phase]), POLL_SECONDS_MAX))
    return _POLL_SECONDS[phase]


_POLL_SECONDS: Final[Mapping[LinePhase, int]] = {
    LinePhase.CLOSED: 5,
    LinePhase.GATHERING: 2,
    LinePhase.ADMITTING: 5,
    LinePhase.PAUSED: 5,
    LinePhase.SOLD_OUT: 10,
    LinePhase.OVER: 60,
}


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _after(seconds: float) -> dict[str, str]:
    return {"retry-after": str(math.ceil(seconds))}


NOT_OPEN: Final = (
    "This event has a waiting room, and its line has not opened. Nothing was held or charged. "
    "Come back at `opens_at`: whoever joins before the sale begins has the same chances as everybody else."
)
USED: Final = (
    "You have been in with this ticket, and that session has ended. What you have bought is yours. "
    "Join again without it: you then have a new place."
)
_LOCKED_OUT: Final = (
    " You can try again after the time in `Retry-After`. Your place in a line stays yours, and so does what you hold."
)
LOCKED_OUT: Final[Mapping[Strike, str]] = {
    Strike.FORGED_TICKET: "You came with tickets for the line that are not ours, again and again." + _LOCKED_OUT,
    Strike.EARLY_POLLS: "You went on asking much sooner than you were told to, again and again." + _LOCKED_OUT,
    Strike.WRONG_PROOF: "You sent proofs that are wrong, again and again." + _LOCKED_OUT,
}
TOO_OFTEN: Final = (
    "You have been in as often today as one fan may be at this event. What you have bought is yours. "
    "Come back tomorrow."
)
_ENTER: Final = msgspec.json.Decoder(EnterBody)
