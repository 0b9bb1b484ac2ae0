"""Signing in with a code that is mailed, and what a fan held before, nameless, taken along.

Everybody who asks for a code gets one, and the first time it is typed makes its address a fan. So there is nothing here
that could tell an address that is known from one that is not.

Whoever signs in becomes the fan of the address: never the other way round. The nameless fan's id is in a token that
somebody else may have had before, in a library or a shared telephone, and must not become anybody's name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

import msgspec
import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.fans import AskLater, CodeAsked, CodeKeys, EmailAddress, Fan, Nonce, is_foreign
from frontrow.core.holds import FanId, Hold, HoldId, HoldState, Refusal
from frontrow.core.jobs import GivenUp, Job, JobKind, JobTaken
from frontrow.core.mail import Mail
from frontrow.flows.ports import Clock, Fans, HoldMoving, Letters, Mailer, NewJobs, Transactions

Tx = TypeVar("Tx")

# Somebody looks at an empty field meanwhile. By the last attempt the code is over.
SIGN_IN_MAIL: Final = JobKind("sign-in-mail", urgency=0, attempts_max=8)

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class HoldMet:
    """What became of a hold that the nameless fan had: held by the fan now, or why it was left behind."""

    event_id: EventId
    hold_id: HoldId
    answer: Hold | Refusal

    @property
    def is_brought(self) -> bool:
        return isinstance(self.answer, Hold) and self.answer.state is HoldState.HELD


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody has proved that an address is theirs."""

    fan: Fan
    nameless: FanId | None  # who they were before
    holds: Sequence[HoldMet]


class SignIn(Generic[Tx]):
    """Everything that has to do with proving an address."""

    def __init__(
        self,
        transactions: Transactions[Tx],
        fans: Fans[Tx],
        jobs: NewJobs[Tx],
        ledger: HoldMoving,
        codes: CodeKeys,
        *,
        new_nonce: Callable[[], Nonce],
        new_fan: Callable[[], FanId],
    ) -> None:
        """`new_nonce` and `new_fan` draw what nobody can guess."""
        self._transactions = transactions
        self._fans = fans
        self._jobs = jobs
        self._ledger = ledger
        self._codes = codes
        self._new_nonce = new_nonce
        self._new_fan = new_fan

    async def ask(self, email: EmailAddress) -> CodeAsked | AskLater:
        """Have a code mailed. The ones before are void."""
        nonce = self._new_nonce()
        async with self._transactions.transaction() as tx:
            answer = await self._fans.ask_code(tx, email, nonce)
            if isinstance(answer, CodeAsked):
                await self._jobs.add(tx, [_to_be_mailed(email, nonce, answer.expires_at)])
        return answer

    async def verify(self, email: EmailAddress, code: str, *, before: FanId | None) -> SignedIn | None:
        """Sign in, if the code is right; None: it is not, or is over, or was used.

        `before`: who the browser was until now. What a nameless fan holds comes along. A fan with an address, here or
        elsewhere, keeps what is theirs, and brings nothing.
        """
        nonce = await self._fans.spend_try(email)
        if nonce is None or not self._codes.is_right(code, email, nonce):
            return None
        nameless = await self._nameless(before)
        held = await self._fans.live_holds(nameless) if nameless else ()
        async with self._transactions.transaction() as tx:
            fan_id = await self._fans.sign_in(tx, email, nonce, new_fan=self._new_fan())
        if fan_id is None:
            return None
        met = [await self._move(*each, from_fan=nameless, to_fan=fan_id) for each in held if nameless]
        _log.info("fan.signed_in", fan_id=str(fan_id), holds=len(met))
        return SignedIn(Fan(fan_id, email), nameless, met)

    async def _nameless(self, before: FanId | None) -> FanId | None:
        if before is None or is_foreign(before) or await self._fans.email_of(before):
            return None
        return before

    async def who(self, fan_id: FanId) -> Fan | None:
        """A fan who has an address; None: they are nameless."""
        email = await self._fans.email_of(fan_id)
        return Fan(fan_id, email) if email else None

    async def _move(self, event_id: EventId, hold_id: HoldId, *, from_fan: FanId, to_fan: FanId) -> HoldMet:
        """One event at a time: no lane waits for another."""
        batch = await self._ledger.move_hold(event_id, hold_id, from_fan=from_fan, to_fan=to_fan)
        return HoldMet(event_id, hold_id, batch.answers[0])


class MailCodes:
    """The work of SIGN_IN_MAIL."""

    def __init__(self, codes: CodeKeys, letters: Letters, mailer: Mailer, *, clock: Clock) -> None:
        self._codes = codes
        self._letters = letters
        self._mailer = mailer
        self._clock = clock

    async def do(self, job: JobTaken) -> GivenUp | None:
        """Mail a code, unless it is over."""
        try:
            told = _TOLD.decode(job.payload)
        except msgspec.DecodeError as error:
            return GivenUp(f"not understood: {error}")
        email, nonce = EmailAddress(told.email), Nonce(bytes.fromhex(told.nonce))
        if told.expires_at <= self._clock():
            _log.warning("code.too_late", job_id=job.job_id)
            return None
        letter = self._letters.sign_in_code(self._codes.code(email, nonce))
        refused = await self._mailer.send(Mail(f"{SIGN_IN_MAIL.name}-{told.nonce}", email, letter))
        if refused:  # mistyped, most likely: nothing that an operator could mend
            _log.info("code.refused", job_id=job.job_id)
        return None


class _Told(msgspec.Struct, frozen=True):
    """What a job of SIGN_IN_MAIL says. The code is made when it is mailed."""

    email: str
    nonce: str
    expires_at: datetime


_TOLD: Final = msgspec.json.Decoder(_Told)


def _to_be_mailed(email: EmailAddress, nonce: Nonce, expires_at: datetime) -> Job:
    told = _Told(email, nonce.hex(), expires_at)
    return Job(SIGN_IN_MAIL, told.nonce, msgspec.json.encode(told))
