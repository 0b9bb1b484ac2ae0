"""Signing in over HTTP: `POST /api/v1/sign-in` and `…/verify`, and what the pages share with them.

An answer never tells whether an address is known: everybody gets a code, and a wrong one is refused in the same words
and with the same work, whether there was anything to guess or not.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.fans import AskLater, CodeAsked, email_address
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import Hold
from frontrow.flows.sign_in import HoldMet, SignedIn, SignIn
from frontrow.web import reading
from frontrow.web.admission import Admission
from frontrow.web.answers import Time, send_json, send_problem
from frontrow.web.clients import Clients
from frontrow.web.pace import Pace
from frontrow.web.problems import Problem, of_fault, problem

CLIENT_AT_ONCE: Final = 120  # a school or an office behind one address, in the minute before an on-sale
CLIENT_AGAIN_SECONDS: Final = 1.0  # whoever guesses at codes of many addresses gets no further than this
CODE_CHARS_MAX: Final = 32  # digits, and whatever people put between them

NOT_AN_ADDRESS: Final = "should be an e-mail address, like name@example.org"
ASKED_OFTEN: Final = (
    "We have sent several codes to this address already. The newest one is good for ten minutes after it was sent. "
    "Use it, or ask for another one after the time in `Retry-After`."
)


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody has signed in: who, and what they are known by from now on."""

    signed_in: SignedIn
    token: str
    ends_at: datetime


class SigningIn:
    """What the API and the pages do alike."""

    def __init__(self, sign_in: SignIn[Any], admission: Admission, clients: Clients, *, behind_tls: bool) -> None:
        self.sign_in = sign_in
        self.admission = admission
        self.behind_tls = behind_tls
        self._clients = clients
        self._pace = Pace(at_once=CLIENT_AT_ONCE, again_seconds=CLIENT_AGAIN_SECONDS)

    async def ask(self, scope: Scope, email: str) -> CodeAsked | Problem:
        """Have a code mailed."""
        if refused := self._too_fast(scope):
            return refused
        address = email_address(email)
        if address is None:
            return reading.invalid("body.email", NOT_AN_ADDRESS)
        try:
            asked = await self.sign_in.ask(address)
        except (UnavailableError, OutcomeUnknownError) as error:
            return of_fault(error)
        if isinstance(asked, AskLater):
            return problem("slow-down", detail=ASKED_OFTEN, headers={"retry-after": str(asked.seconds)})
        return asked

    async def verify(self, scope: Scope, email: str, code: str) -> Entry | Problem:
        """Sign in with the code that came."""
        if refused := self._too_fast(scope):
            return refused
        address = email_address(email)
        if address is None or len(code) > CODE_CHARS_MAX:
            return problem("wrong-code")  # none was ever sent there, and ours are shorter
        try:
            signed_in = await self.sign_in.verify(address, code, before=self.admission.own_fan(scope))
        except (UnavailableError, OutcomeUnknownError) as error:
            return of_fault(error)
        if signed_in is None:
            return problem("wrong-code")
        token = self.admission.token_of(signed_in.fan.fan_id)
        return Entry(signed_in, token.text, token.ends_at)

    def _too_fast(self, scope: Scope) -> Problem | None:
        return self._pace.too_fast(self._clients.of(scope).address, now=asyncio.get_running_loop().time())


class SignInBody(msgspec.Struct, frozen=True):
    """Who wants to sign in."""

    email: str


class VerifyBody(msgspec.Struct, frozen=True):
    """The code that came. Blanks and hyphens between its digits count for nothing."""

    email: str
    code: str


class CodeOnItsWay(msgspec.Struct, frozen=True):
    """The same for every address, known or not."""

    expires_at: Time  # of the code


class HoldMetOut(msgspec.Struct, frozen=True):
    """What became of a hold that the fan had before, nameless: `held` is theirs now, anything else says why not."""

    hold_id: str
    event_id: str
    state: str  # a HoldState, or the Refusal that kept it where it was


class SignedInOut(msgspec.Struct, frozen=True):
    """Who the fan is from now on."""

    fan_id: str
    token: str
    expires_at: Time  # of the token
    session_token: str | None  # the session that came along, as the fan's own, to its same end
    holds: list[HoldMetOut]


class SignInCalls:
    """The calls of the API."""

    def __init__(self, signing_in: SigningIn) -> None:
        self._signing_in = signing_in

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/sign-in`."""
        body = await reading.body(receive, _SIGN_IN)
        asked = await self._signing_in.ask(scope, body.email) if isinstance(body, SignInBody) else body
        if isinstance(asked, Problem):
            await send_problem(send, asked)
        else:
            await send_json(send, CodeOnItsWay(asked.expires_at), status=202)

    async def verify(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /api/v1/sign-in/verify`."""
        body = await reading.body(receive, _VERIFY)
        entry = await self._signing_in.verify(scope, body.email, body.code) if isinstance(body, VerifyBody) else body
        if isinstance(entry, Problem):
            await send_problem(send, entry)
            return
        signed_in = entry.signed_in
        out = SignedInOut(
            str(signed_in.fan.fan_id),
            entry.token,
            entry.ends_at,
            self._signing_in.admission.handed_over(scope, signed_in),
            [_met(hold) for hold in signed_in.holds],
        )
        await send_json(send, out)


def _met(met: HoldMet) -> HoldMetOut:
    state = met.answer.state if isinstance(met.answer, Hold) else met.answer
    return HoldMetOut(str(met.hold_id), str(met.event_id), state)


_SIGN_IN: Final = msgspec.json.Decoder(SignInBody)
_VERIFY: Final = msgspec.json.Decoder(VerifyBody)
