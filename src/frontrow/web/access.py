"""Codes of presales over HTTP: `POST /api/v1/events/{event}/access`.

A pass is the fan's and the event's. It travels as `Frontrow-Access`, or as the cookie that browsers keep, and counts as
long as the event lets in invited fans alone.
"""

import asyncio
from typing import Annotated, Final, assert_never

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.access_codes import CODE_CHARS_MAX, CodeRefused
from frontrow.core.catalogue import EventId
from frontrow.core.fans import is_foreign
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import FanId
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.ports import FansKnown
from frontrow.flows.use_access_code import UseAccessCode
from frontrow.web import reading
from frontrow.web.admission import ACCESS_COOKIE_SECONDS, Admission, access_cookie_name
from frontrow.web.answers import Time, send_json, send_problem
from frontrow.web.clients import Clients
from frontrow.web.pace import Pace
from frontrow.web.problems import Problem, of_fault, problem

FAN_AT_ONCE: Final = 10  # a letter that was read wrong, again and again
FAN_AGAIN_SECONDS: Final = 30.0
CLIENT_AT_ONCE: Final = 120  # an office in which a newsletter with codes has arrived
CLIENT_AGAIN_SECONDS: Final = 1.0

NAMELESS: Final = (
    "A code is for one account, and we do not know yours. The code was not used. Sign in, and send it again."
)
UNKNOWN: Final = (
    "This is no code of ours for this event. Nothing was changed. Look at the letters again, and at the event."
)
USED: Final = (
    "Another fan has used this code, and it lets in one. Nothing was changed. If it was you, sign in with the address "
    "that you used then."
)


class AccessBody(msgspec.Struct, frozen=True):
    """A code as it was typed. Blanks and hyphens count for nothing, nor do capital letters."""

    code: Annotated[str, msgspec.Meta(max_length=CODE_CHARS_MAX)]


class AccessOut(msgspec.Struct, frozen=True):
    """Bring the pass when you enter."""

    access_pass: str
    fan_id: str
    codes_until: Time | None  # null: everybody may enter by now


class Access:
    """What the API and the pages do alike."""

    def __init__(self, use_code: UseAccessCode, admission: Admission, fans: FansKnown, clients: Clients) -> None:
        self._use_code = use_code
        self._admission = admission
        self._fans = fans
        self._clients = clients
        self._pace_of_fan = Pace(at_once=FAN_AT_ONCE, again_seconds=FAN_AGAIN_SECONDS)
        self._pace_of_client = Pace(at_once=CLIENT_AT_ONCE, again_seconds=CLIENT_AGAIN_SECONDS)

    async def use(self, scope: Scope, at_hand: EventAtHand, code: str) -> tuple[FanId, str] | Problem:
        """Whoever asks, and their pass."""
        fan_id = self._admission.fan(scope)
        if fan_id is None or await self.is_nameless(fan_id):
            return problem("sign-in-needed", detail=NAMELESS)
        if refused := self._too_fast(scope, fan_id):
            return refused
        used = await self._use_code.use(at_hand.event.event_id, fan_id, code)
        return _refused(used) if isinstance(used, CodeRefused) else (fan_id, used)

    async def is_nameless(self, fan_id: FanId) -> bool:
        return not is_foreign(fan_id) and await self._fans.email_of(fan_id) is None

    def _too_fast(self, scope: Scope, fan_id: FanId) -> Problem | None:
        now, client = asyncio.get_running_loop().time(), self._clients.of(scope)
        return self._pace_of_client.too_fast(client.address, now=now) or self._pace_of_fan.too_fast(fan_id, now=now)


class AccessCalls:
    """The calls of the API."""

    def __init__(self, access: Access, events: EventsAtHand, *, behind_tls: bool) -> None:
        self._access = access
        self._events = events
        self._behind_tls = behind_tls

    async def use(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/events/{event}/access`."""
        body = await reading.body(receive, _BODY)
        try:
            used = await self._use(scope, body.code) if isinstance(body, AccessBody) else body
        except (UnavailableError, OutcomeUnknownError) as error:
            used = of_fault(error)
        if isinstance(used, Problem):
            await send_problem(send, used)
        else:
            event_id, out = used
            cookie = access_cookie(event_id, out.access_pass, behind_tls=self._behind_tls)
            await send_json(send, out, headers=((b"set-cookie", cookie.encode()),))

    async def _use(self, scope: Scope, code: str) -> tuple[EventId, AccessOut] | Problem:
        event_id = reading.event_id(scope)
        at_hand = await self._events.get(event_id) if event_id is not None else None
        if at_hand is None:
            return problem("not-found")
        used = await self._access.use(scope, at_hand, code)
        if isinstance(used, Problem):
            return used
        fan_id, access_pass = used
        return at_hand.event.event_id, AccessOut(access_pass, str(fan_id), at_hand.event.codes_until)


def access_cookie(event_id: EventId, access_pass: str, *, behind_tls: bool) -> str:
    """By which a browser brings the pass."""
    secure = "; Secure" if behind_tls else ""
    kept = f"Path=/; Max-Age={ACCESS_COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
    return f"{access_cookie_name(event_id)}={access_pass}; {kept}"


def _refused(refused: CodeRefused) -> Problem:
    match refused:
        case CodeRefused.UNKNOWN:
            return problem("code-refused", detail=UNKNOWN, reason=refused.value)
        case CodeRefused.USED:
            return problem("code-refused", detail=USED, reason=refused.value)
        case _:
            assert_never(refused)


_BODY: Final = msgspec.json.Decoder(AccessBody)
