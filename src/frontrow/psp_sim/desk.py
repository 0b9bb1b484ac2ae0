"""Answering one call: who asks, limits, idempotency keys, faults; then the call itself, in one piece with its answer.

The answer to a key is kept in the same transaction as what the call did. So there is no moment at which the money has
moved and the answer is not known: a `kill -9` leaves both or neither. That a key is being worked on is known in
memory alone, so that none can be so for ever.
"""

import asyncio
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from hmac import compare_digest
from typing import Final
from urllib.parse import quote

import msgspec

from frontrow.psp_sim import forms
from frontrow.psp_sim.books import Books, Cause
from frontrow.psp_sim.calls import CALLS, CONFIRM_INTENT, CREATE_INTENT, Asking, Call, Waits
from frontrow.psp_sim.faults import OF_CALLS, Fault, Faults, Kind
from frontrow.psp_sim.forms import Fields
from frontrow.psp_sim.intents import METHODS, ApiError, Behaviour, invalid
from frontrow.psp_sim.limits import GLOBAL_REASON, Limits
from frontrow.psp_sim.shapes import API_VERSION, error_shape
from frontrow.psp_sim.store import Stored

KEY_LENGTH_MAX: Final = 255
SLOW_SECONDS: Final = 5.0  # pm_slow
CUT_LENGTH: Final = 100  # of what is not known, in an error
SUBJECT_AT: Final = 3  # the part of a path where an id stands: /v1/refunds/{}
HANGING: Final = frozenset({Kind.APPLY_THEN_HANG, Kind.HANG_THEN_APPLY})

_encode: Final = msgspec.json.Encoder().encode
FAILED: Final = _encode({"error": {"type": "api_error", "message": "An unknown error occurred."}})

Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Request:
    """What came in. The body is form-encoded; of a GET it is what stands behind the question mark."""

    method: str
    path: str
    body: bytes
    authorization: bytes
    key: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes out."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()


class Silence(msgspec.Struct, frozen=True):
    """No answer. Either the connection stays open and nothing comes, or it ends."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and how it passes."""

    now: Callable[[], float]
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep


class Desk:
    """Answers calls, one account's."""

    def __init__(
        self,
        books: Books,
        *,
        api_keys: Sequence[str],
        clock: Clock,
        limits: Limits,
        latency_seconds: float,
        waits: Waits,
        changed: Callable[[], None],
    ) -> None:
        """`changed` is called when something was kept: there may be webhooks to deliver."""
        assert api_keys, "nobody could ask"
        self._books = books
        self._api_keys = tuple(key.encode() for key in api_keys)
        self._clock = clock
        self._limits = limits
        self._latency_seconds = latency_seconds
        self._waits = waits
        self._changed = changed
        self._working_on: set[str] = set()  # keys

    @property
    def faults(self) -> Faults:
        return self._books.faults

    async def answer(self, request: Request) -> Answer | Silence:
        """Errors are answers; nothing is raised but what is a fault of this program."""
        request_id = self._books.ids("req_")
        try:
            self.refuse_stranger(request.authorization)
            call, subject = _found(request)
            reason = self._limits.exceeded(call.name, self._clock.now())
            if reason is not None:
                raise _rate_limited(reason)
            return await self._attended(request, call, subject, request_id)
        except ApiError as error:
            return _error_answer(error, request_id)

    async def _attended(self, request: Request, call: Call, subject: str, request_id: str) -> Answer | Silence:
        key = request.key if request.method == "POST" else None
        if key is None:
            return await self._faulted(request, call, subject, request_id, None)
        if not 1 <= len(key) <= KEY_LENGTH_MAX:
            raise invalid(f"The idempotency key must be 1 to {KEY_LENGTH_MAX} characters long.")
        asked = _asked(request)
        stored = self._books.store.answer(key)
        if stored is not None:
            return _replayed(stored, asked, key)
        if key in self._working_on:
            raise _in_use(key)
        self._working_on.add(key)
        try:
            return await self._faulted(request, call, subject, request_id, key)
        finally:
            self._working_on.discard(key)

    async def _faulted(
        self, request: Request, call: Call, subject: str, request_id: str, key: str | None
    ) -> Answer | Silence:
        """The call, with what goes wrong on purpose."""
        fields = forms.fields_of(request.body, call.readers, required=call.required)
        with self._books.store.whole():
            fault = self._books.faults.strikes(OF_CALLS, call.name)
        match fault:
            case Fault(kind=Kind.DROP_BEFORE_APPLY):
                return Silence(is_open=False)
            case Fault(kind=Kind.RATE_LIMITED):
                raise _rate_limited(GLOBAL_REASON)
            case Fault(kind=Kind.CONFLICT):
                raise _in_use(key or "")
            case _:
                behaviour = self._behaviour(call, subject, fields)
        seconds = self._latency_seconds + (SLOW_SECONDS if behaviour is Behaviour.IS_SLOW else 0)
        if fault is not None and fault.kind in {Kind.SLOW, Kind.HANG_THEN_APPLY}:
            seconds += fault.seconds
        if seconds:
            await self._clock.pause(seconds)
        answer = self._decided(_Decision(request, call, subject, fields, request_id, key, fault))
        if behaviour is Behaviour.IS_LOST or (fault is not None and fault.kind in HANGING):
            return Silence(is_open=True)
        return answer

    def _decided(self, decision: "_Decision") -> Answer:
        """Do it, and keep the answer with what it did."""
        cause = Cause(self._clock.now(), decision.request_id, decision.key)
        asking = Asking(self._books, cause, self._waits, decision.fields, decision.subject)
        kind = None if decision.fault is None else decision.fault.kind
        store = self._books.store
        with store.whole():
            status, body = (500, FAILED) if kind is Kind.SERVER_ERROR else _run(decision.call, asking)
            if kind is Kind.APPLY_THEN_ERROR:
                status, body = 500, FAILED
            if decision.key is not None:
                stored = Stored(_asked(decision.request), status, body, decision.request_id)
                store.keep_answer(decision.key, stored, at=cause.at)
        if decision.request.method == "POST":
            self._changed()
        return Answer(status, body, _headers(decision.request_id, decision.key))

    def _behaviour(self, call: Call, subject: str, fields: Fields) -> Behaviour | None:
        """Of the payment method that this call asks for money, if it does."""
        method = fields.get("payment_method")
        if call is CONFIRM_INTENT and method is None:
            intent = self._books.store.intent(subject)
            method = None if intent is None else intent.payment_method
        elif call is not CONFIRM_INTENT and not (call is CREATE_INTENT and fields.get("confirm")):
            return None
        return METHODS.get(method) if isinstance(method, str) else None

    def refuse_stranger(self, authorization: bytes) -> None:
        """Raises the error for somebody without one of our keys."""
        given = _key_given(authorization)
        if not given:
            raise _unauthorized("You did not provide an API key. Send it as `Authorization: Bearer YOUR_SECRET_KEY`.")
        if not any(compare_digest(given, key) for key in self._api_keys):
            raise _unauthorized(f"Invalid API Key provided: {given[:8].decode(errors='replace')}***")


@dataclass(frozen=True, slots=True)
class _Decision:
    """A call about to be done."""

    request: Request
    call: Call
    subject: str
    fields: Fields
    request_id: str
    key: str | None
    fault: Fault | None


def _run(call: Call, asking: Asking) -> tuple[int, bytes]:
    """What is final is kept, a refusal too; any other error leaves, and takes with it what was written."""
    try:
        shape = call.run(asking)
    except ApiError as error:
        if not error.is_final:
            raise
        return error.status, _encode(error_shape(error))
    return 200, shape if isinstance(shape, bytes) else _encode(shape)


def _found(request: Request) -> tuple[Call, str]:
    parts = request.path.split("/")
    subject = parts[3] if len(parts) > SUBJECT_AT else ""
    pattern = "/".join([*parts[:SUBJECT_AT], "{}", *parts[SUBJECT_AT + 1 :]]) if subject else request.path
    call = CALLS.get((request.method, pattern))
    if call is None:
        raise invalid(f"Unrecognized request URL ({request.method}: {request.path[:CUT_LENGTH]}).", status=404)
    return call, subject


def _asked(request: Request) -> bytes:
    """What a request asks for, so that another one with the same key can be told from it."""
    asked = b"\0".join((request.method.encode(), request.path.encode(), forms.canonical(request.body)))
    return blake2b(asked, digest_size=16).digest()


def _replayed(stored: Stored, asked: bytes, key: str) -> Answer:
    if stored.asked != asked:
        raise ApiError(
            400,
            "idempotency_error",
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try "
            f"using a key other than '{key}' if you meant to execute a different request.",
        )
    headers = _headers(stored.request_id, key)
    return Answer(stored.status, stored.body, (*headers, (b"idempotent-replayed", b"true")))


def _in_use(key: str) -> ApiError:
    return ApiError(
        409,
        "idempotency_error",
        "There is currently another in-progress request using this Idempotent Key (that probably means you submitted "
        f"twice, and the other request is still going through): {key}. Please try again later.",
        code="idempotency_key_in_use",
    )


def _rate_limited(reason: str) -> ApiError:
    return ApiError(
        429,
        "invalid_request_error",
        f"Request rate limit exceeded ({reason}). Slow down, and try again with exponential back-off.",
        code="rate_limit",
    )


def _unauthorized(message: str) -> ApiError:
    return invalid(message, status=401)


def _key_given(authorization: bytes) -> bytes:
    scheme, _, given = authorization.partition(b" ")
    match scheme.lower():
        case b"bearer":
            return given.strip()
        case b"basic":
            try:
                return b64decode(given.strip(), validate=True).partition(b":")[0]
            except NotBase64:
                return b""
        case _:
            return b""


def _error_answer(error: ApiError, request_id: str) -> Answer:
    headers = _headers(request_id, None)
    if error.error.get("code") == "rate_limit":
        headers = (*headers, (b"stripe-should-retry", b"false"))
    return Answer(error.status, _encode(error_shape(error)), headers)


def _headers(request_id: str, key: str | None) -> tuple[Header, ...]:
    headers = ((b"request-id", request_id.encode()), (b"stripe-version", API_VERSION.encode()))
    return headers if key is None else (*headers, (b"idempotency-key", quote(key).encode()))
