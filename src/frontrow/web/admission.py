"""Who is asking, on hot paths: fans by their token, admitted fans by their session. And `POST …/enter`.

A fan who comes without a token is given one, and is nameless. Signing in is in `sign_in.py`.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec
from starlette.types import Scope, Send

from frontrow.core.access_codes import AccessPass, PassKeys
from frontrow.core.catalogue import EventId
from frontrow.core.fan_tokens import FAN_TOKEN_SECONDS, FanKeys
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId
from frontrow.core.sessions import SESSION_SECONDS, Session, SessionKeys
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.ports import Clock, Identity
from frontrow.flows.sign_in import SignedIn
from frontrow.web import reading
from frontrow.web.answers import Header, Time, send_json, send_problem
from frontrow.web.problems import of_fault, problem

SESSION_HEADER: Final = b"frontrow-session"
SESSION_COOKIE: Final = "frontrow-session"  # with the number of the event after it
ACCESS_HEADER: Final = b"frontrow-access"
ACCESS_COOKIE: Final = "frontrow-access"  # the same
ACCESS_COOKIE_SECONDS: Final = 15_552_000  # longer than any presale
FAN_COOKIE: Final = "frontrow-fan"
FAN_COOKIE_SECONDS: Final = FAN_TOKEN_SECONDS
_BEARER: Final = b"bearer "


class Admitted(msgspec.Struct, frozen=True):
    """The door is open."""

    state: Literal["admitted"]
    session_token: str
    ends_at: Time
    fan_id: str
    fan_token: str | None  # null: you are known by something else, and keep that


@dataclass(frozen=True, slots=True)
class FanToken:
    """What a fan is known by."""

    text: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asking."""

    fan_id: FanId
    token: str | None  # by which they are known to us; None: by something else, which they keep
    is_new: bool = False  # nobody has met them before


class Admission:
    """Reads and makes the tokens that say who somebody is."""

    def __init__(
        self,
        keys: SessionKeys,
        fans: FanKeys,
        *,
        new_fan: Callable[[], FanId],
        clock: Clock,
        identity: Identity | None = None,
        is_over: Callable[[EventId, int], bool],
        passes: PassKeys | None = None,
    ) -> None:
        """`new_fan` makes an id for a fan that nobody has met before. `identity` knows fans whom others have met.

        `is_over` knows of sessions that have ended before their time, by their numbers.
        """
        self._is_over = is_over
        self._passes = passes
        self._keys = keys
        self._fans = fans
        self._new_fan = new_fan
        self._clock = clock
        self._identity = identity

    def fan(self, scope: Scope) -> FanId | None:
        """Whoever is asking, by session, bearer token or cookie. A session that is over still says whose it was."""
        if reading.header(scope, SESSION_HEADER):
            return self._fan_by_session(scope)
        return self._fan_by_token(scope)

    def admitted(self, scope: Scope, at_hand: EventAtHand) -> FanId | None:
        """The fan who may choose seats of this event now. Where there is no waiting room, every known fan may."""
        token = reading.header(scope, SESSION_HEADER)
        is_by_session = at_hand.event.waiting_room or asks_for_code(at_hand)
        if token is None and is_by_session:  # the browser brings it for the pages
            token = (reading.cookie(scope, session_cookie_name(at_hand.event.event_id)) or "").encode()
        if token:
            session = self._keys.session(token, now=postgres_now(at_hand))
            if session is None or session.event_id != at_hand.event.event_id:
                return None
            return None if self._is_over(session.event_id, session.number) else session.fan_id
        return None if is_by_session else self._fan_by_token(scope)

    def admit(self, scope: Scope, at_hand: EventAtHand) -> Admitted:
        """A session for whoever is asking, where nobody counts them."""
        return self._admit(self.asking(scope), at_hand)

    def admit_fan(self, fan_id: FanId, at_hand: EventAtHand) -> Admitted:
        """The same for a fan who is known already."""
        return self._admit(Asking(fan_id, None), at_hand)

    def _admit(self, asking: Asking, at_hand: EventAtHand) -> Admitted:
        ends_at = int(postgres_now(at_hand)) + SESSION_SECONDS
        return self.admitted_as(asking, at_hand.event.event_id, secrets.randbits(63), ends_at)

    def asking(self, scope: Scope) -> Asking:
        """Whoever is asking: a fan by their token, or by a session that they had; or a stranger.

        A stranger becomes a fan by it. Nobody else is given a token: a session must not turn into half a year.
        """
        token = self._token(scope)
        fan_id = self._fan_by_token(scope) or self.fan(scope)
        is_new = fan_id is None
        if fan_id is None:
            fan_id = self._new_fan()
            token = self.token_of(fan_id).text.encode()
        is_ours = token is not None and self._fan_of(token) == fan_id
        return Asking(fan_id, token.decode() if token and is_ours else None, is_new)

    def admitted_as(self, asking: Asking, event_id: EventId, number: int, ends_at: int) -> Admitted:
        """What a fan is told who has a session."""
        return Admitted(
            "admitted",
            self._keys.token(Session(event_id, asking.fan_id, number, ends_at)),
            datetime.fromtimestamp(ends_at, UTC),
            str(asking.fan_id),
            asking.token,
        )

    def session(self, scope: Scope, event_id: EventId) -> Session | None:
        """The session that came along, in a header or as a browser keeps it; whether it has ended is not looked at."""
        token = reading.header(scope, SESSION_HEADER)
        if token is None:
            token = (reading.cookie(scope, session_cookie_name(event_id)) or "").encode()
        session = self._keys.session(token, now=0) if token else None
        return session if session and session.event_id == event_id else None

    def has_pass(self, scope: Scope, event_id: EventId, fan_id: FanId) -> bool:
        """Whether the fan has used an access code of this event, by the pass that came along."""
        token = reading.header(scope, ACCESS_HEADER)
        if token is None:
            token = (reading.cookie(scope, access_cookie_name(event_id)) or "").encode()
        access = self._passes.access(token) if self._passes else None
        return access == AccessPass(event_id, fan_id)

    def known_since(self, scope: Scope) -> float | None:
        """Since when they are known by the token that they brought; None: by none of ours."""
        token = self._token(scope)
        return self._fans.made_at(token, now=self._clock().timestamp()) if token else None

    def newcomer(self) -> str:
        """A token for a fan whom nobody has met before."""
        return self.token_of(self._new_fan()).text

    def token_of(self, fan_id: FanId) -> FanToken:
        """What a fan is known by from now on."""
        now = self._clock()
        ends_at = datetime.fromtimestamp(int(now.timestamp()) + FAN_TOKEN_SECONDS, UTC)
        return FanToken(self._fans.token(fan_id, now=now.timestamp()), ends_at)

    def own_fan(self, scope: Scope) -> FanId | None:
        """Whoever is asking, by something that we gave out: they may be nameless."""
        token = self._token(scope)
        return (self._fan_of(token) if token else None) or self._fan_by_session(scope)

    def handed_over(self, scope: Scope, signed_in: SignedIn) -> str | None:
        """The nameless fan's session that came along, as the fan's own: the same, to the same end."""
        token = reading.header(scope, SESSION_HEADER)
        session = self._keys.session(token, now=self._clock().timestamp()) if token else None
        if session is None or session.fan_id != signed_in.nameless:
            return None
        return self._keys.token(replace(session, fan_id=signed_in.fan.fan_id))

    def _fan_by_session(self, scope: Scope) -> FanId | None:
        token = reading.header(scope, SESSION_HEADER)
        session = self._keys.session(token, now=0) if token else None
        return session.fan_id if session else None

    def _fan_by_token(self, scope: Scope) -> FanId | None:
        token = self._token(scope)
        if token is None:
            return None
        if fan_id := self._fan_of(token):
            return fan_id
        is_bearer = reading.header(scope, b"authorization") is not None  # who is known to others has no cookie of ours
        now = self._clock().timestamp()
        return self._identity.fan(token, now=now) if self._identity and is_bearer else None

    def _fan_of(self, token: bytes) -> FanId | None:
        return self._fans.fan(token, now=self._clock().timestamp())

    def _token(self, scope: Scope) -> bytes | None:
        """What a fan brought to be known by."""
        authorization = reading.header(scope, b"authorization")
        if authorization is not None:
            is_bearer = authorization[: len(_BEARER)].lower() == _BEARER
            return authorization[len(_BEARER) :].strip() if is_bearer else None
        token = reading.cookie(scope, FAN_COOKIE)
        return token.encode("latin-1") if token else None


class Door:
    """`POST /api/v1/events/{event}/enter`, for events without a waiting room. Lines have their own (line.py)."""

    def __init__(self, admission: Admission, events: EventsAtHand, *, behind_tls: bool) -> None:
        self._admission = admission
        self._events = events
        self._behind_tls = behind_tls

    async def enter(self, scope: Scope, event_id: EventId, send: Send) -> None:
        try:
            at_hand = await self._events.get(event_id)
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
            return
        if at_hand is None:
            await send_problem(send, problem("not-found"))
        elif at_hand.event.waiting_room:  # it is new, and its line is not known yet
            await send_problem(send, of_fault(UnavailableError("no line")))
        elif at_hand.seats.is_sold_out:
            await send_problem(send, problem("sold-out"))
        elif asks_for_code(at_hand) and not self._is_invited(scope, event_id):
            await send_problem(send, problem("code-needed", codes_until=at_hand.event.codes_until))
        else:
            admitted = self._admission.admit(scope, at_hand)
            await send_json(send, admitted, headers=fan_cookies(admitted.fan_token, behind_tls=self._behind_tls))

    def _is_invited(self, scope: Scope, event_id: EventId) -> bool:
        fan_id = self._admission.fan(scope)
        return fan_id is not None and self._admission.has_pass(scope, event_id, fan_id)


def asks_for_code(at_hand: EventAtHand) -> bool:
    """Whether fans without an access code may not enter yet."""
    until = at_hand.event.codes_until
    return until is not None and postgres_now(at_hand) < until.timestamp()


def session_cookie(event_id: EventId, admitted: Admitted, behind_tls: bool) -> str:  # noqa: FBT001 -- of the settings
    """By which a browser brings a session that nobody counts."""
    secure = "; Secure" if behind_tls else ""
    kept = f"Path=/; Max-Age={SESSION_SECONDS}; HttpOnly; SameSite=Lax{secure}"
    return f"{session_cookie_name(event_id)}={admitted.session_token}; {kept}"


def access_cookie_name(event_id: EventId) -> str:
    return f"{ACCESS_COOKIE}-{event_id}"


def fan_cookies(fan_token: str | None, *, behind_tls: bool) -> tuple[Header, ...]:
    """By which a browser is known again, if there is anything to be known by."""
    return () if fan_token is None else ((b"set-cookie", fan_cookie(fan_token, behind_tls=behind_tls).encode()),)


def session_cookie_name(event_id: EventId) -> str:
    return f"{SESSION_COOKIE}-{event_id}"


def fan_cookie(fan_token: str, *, behind_tls: bool) -> str:
    """By which a browser is known again. Other sites' forms do not bring it, and no script reads it."""
    secure = "; Secure" if behind_tls else ""
    return f"{FAN_COOKIE}={fan_token}; Path=/; Max-Age={FAN_COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"


NOT_ENTERED: Final = (
    "We could not tell who you are, or your session has ended, or it is one for another event. Nothing was held or "
    "charged. Enter the event, and send the request again with the session that you are given."
)


def postgres_now(at_hand: EventAtHand) -> float:
    """What PostgreSQL's clock reads, at most. Ours may be wrong, and is not asked."""
    return at_hand.postgres_now(asyncio.get_running_loop().time())
