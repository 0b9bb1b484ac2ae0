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
from starlette.types import Receive, Scope, Send

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
FAN_COOKIE: Final = "frontrow-fan"
FAN_COOKIE_SECONDS: Final = FAN_TOKEN_SECONDS
_BEARER: Final = b"bearer "


class EnterBody(msgspec.Struct, frozen=True):
    """What a fan may bring to the door. An event without a waiting room asks for neither."""

    line_ticket: str | None = None
    proof: str | None = None


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
    ) -> None:
        """`new_fan` makes an id for a fan that nobody has met before. `identity` knows fans whom others have met."""
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
        if token is None and at_hand.event.waiting_room:  # the browser brings it for the pages
            token = (reading.cookie(scope, f"{SESSION_COOKIE}-{at_hand.event.event_id}") or "").encode()
        if token:
            session = self._keys.session(token, now=postgres_now(at_hand))
            return session.fan_id if session and session.event_id == at_hand.event.event_id else None
        return None if at_hand.event.waiting_room else self._fan_by_token(scope)

    def admit(self, scope: Scope, at_hand: EventAtHand) -> Admitted:
        """A session for whoever is asking: a fan by their token, or by a session that they had; or a stranger.

        A stranger becomes a fan by it. Nobody else is given a token: a session must not turn into half a year.
        """
        ends_at = int(postgres_now(at_hand)) + SESSION_SECONDS
        token = self._token(scope)
        fan_id = self._fan_by_token(scope) or self.fan(scope)
        if fan_id is None:
            fan_id = self._new_fan()
            token = self.token_of(fan_id).text.encode()
        is_ours = token is not None and self._fan_of(token) == fan_id
        session = Session(at_hand.event.event_id, fan_id, secrets.randbits(63), ends_at)
        return Admitted(
            "admitted",
            self._keys.token(session),
            datetime.fromtimestamp(ends_at, UTC),
            str(fan_id),
            token.decode() if token and is_ours else None,
        )

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
    """`POST /api/v1/events/{event}/enter`."""

    def __init__(self, admission: Admission, events: EventsAtHand, *, behind_tls: bool) -> None:
        self._admission = admission
        self._events = events
        self._behind_tls = behind_tls

    async def enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await reading.body(receive, _ENTER, empty=b"{}")
        if not isinstance(body, EnterBody):
            await send_problem(send, body)
            return
        try:
            at_hand = await self._at_hand(scope)
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
            return
        if at_hand is None:
            await send_problem(send, problem("not-found"))
        elif at_hand.event.waiting_room:
            await send_problem(send, problem("not-admitted", detail=NO_LINE_YET))
        elif at_hand.seats.is_sold_out:
            await send_problem(send, problem("sold-out"))
        else:
            admitted = self._admission.admit(scope, at_hand)
            await send_json(send, admitted, headers=self._cookies(admitted))

    def _cookies(self, admitted: Admitted) -> tuple[Header, ...]:
        if admitted.fan_token is None:
            return ()
        return ((b"set-cookie", fan_cookie(admitted.fan_token, behind_tls=self._behind_tls).encode()),)

    async def _at_hand(self, scope: Scope) -> EventAtHand | None:
        event_id = reading.event_id(scope)
        return None if event_id is None else await self._events.get(event_id)


def fan_cookie(fan_token: str, *, behind_tls: bool) -> str:
    """By which a browser is known again. Other sites' forms do not bring it, and no script reads it."""
    secure = "; Secure" if behind_tls else ""
    return f"{FAN_COOKIE}={fan_token}; Path=/; Max-Age={FAN_COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"


NOT_ENTERED: Final = (
    "We could not tell who you are, or your session has ended, or it is one for another event. Nothing was held or "
    "charged. Enter the event, and send the request again with the session that you are given."
)
NO_LINE_YET: Final = (
    "This event has a waiting room, and its line has not opened. Nothing was held or charged. "
    "Come back when the event page says that the line is open."
)
_ENTER: Final = msgspec.json.Decoder(EnterBody)


def postgres_now(at_hand: EventAtHand) -> float:
    """What PostgreSQL's clock reads, at most. Ours may be wrong, and is not asked."""
    return at_hand.postgres_now(asyncio.get_running_loop().time())
