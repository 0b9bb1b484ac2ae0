"""Stripe by its own client, and psp-sim by the same. Satisfies `flows.ports.Provider`.

Every call has three ends: an answer, `UnavailableError` (nothing was asked), and `OutcomeUnknownError`. A request for
money has the attempt's id as its key, so that asking again is the same request. A card's data never comes here.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID

import aiohttp
import stripe

from frontrow.adapters.payments.bucket import Bucket
from frontrow.core.breaker import Breaker
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.money import Money
from frontrow.core.payments import (
    REASON_CHARS_MAX,
    Attempt,
    AttemptId,
    Challenged,
    Declined,
    Gone,
    Kept,
    PaymentSeen,
    Pending,
    ProviderAnswer,
    Refund,
    RefundId,
    RefundSeen,
    RefundState,
    Taken,
)

ANSWER_SECONDS_MAX: Final = 8.0  # a request of ours has 15 in all; a bank that takes 5 is slow, and no outage
SKEW: Final = timedelta(minutes=5)  # of two clocks, at most, where a payment is looked for by its time
LISTED_AT_ONCE: Final = 100  # as many as the API gives
KEYS_MAX: Final = 4  # a key whose request broke has that for its answer for ever, and is of no more use
SERVER_FAULT: Final = 500  # this and above: they do not know themselves what they have done

Result = TypeVar("Result")

# What has become of a refund, by its own words. One that needs the fan's hand is on its way until they lend it.
_REFUNDS: Final = {
    "pending": RefundState.PENDING,
    "requires_action": RefundState.PENDING,
    "succeeded": RefundState.ARRIVED,
    "failed": RefundState.FAILED,
    "canceled": RefundState.FAILED,
}


class StripePayments:
    """Asks for money, takes it, lets it go, gives it back."""

    def __init__(self, client: stripe.StripeClient, *, name: str, bucket: Bucket, breaker: Breaker) -> None:
        self.name = name
        self._intents = client.v1.payment_intents
        self._refunds = client.v1.refunds
        self._bucket = bucket
        self._breaker = breaker

    @property
    def is_away(self) -> bool:
        """It did not answer lately, and is let be for a while."""
        return self._breaker.is_open

    async def authorize(self, attempt: Attempt, *, return_url: str) -> ProviderAnswer:
        """Have the money kept for us. `return_url`: where the fan's bank sends them back to."""
        token = attempt.payment_method
        words: Any = {
            "amount": attempt.amount.amount,
            "currency": attempt.amount.currency.lower(),
            "capture_method": "manual",
            "confirm": True,
            "confirmation_token" if token.startswith("ctoken_") else "payment_method": token,
            "return_url": return_url,
            "metadata": {
                "attempt_id": str(attempt.attempt_id),
                "order_id": str(attempt.order_id),
                "event_id": str(attempt.event_id),
            },
        }
        key: Any = {"idempotency_key": str(attempt.attempt_id)}
        try:
            return said(await self._ask(lambda: self._intents.create_async(words, key)))
        except stripe.CardError as error:
            return _declined(error)
        except stripe.IdempotencyError as error:  # the first request with this key is still under way
            raise OutcomeUnknownError(str(error)) from error
        except stripe.InvalidRequestError as error:
            return Declined(None, _word(error.code or "not_accepted"))
        except stripe.APIError as error:
            if not _is_replayed(error):
                raise OutcomeUnknownError(str(error)) from error
            # That it broke is the answer to this key for ever. Whether it had done it before, the list tells.
            return await self.find(attempt) or Declined(None, "provider_error")

    async def look(self, ref: str) -> ProviderAnswer:
        """How it stands."""
        return said(await self._known(lambda: self._intents.retrieve_async(ref)))

    async def find(self, attempt: Attempt) -> ProviderAnswer | None:
        """How it stands, where its name was never heard. None: there is no such payment."""
        async for intent in self.intents(since=int((attempt.made_at - SKEW).timestamp())):
            if attempt_of(intent) == str(attempt.attempt_id):
                return said(intent)
        return None

    async def intents(self, *, since: int) -> AsyncGenerator[stripe.PaymentIntent]:
        """All payments that were begun since then (in seconds since 1970), the newest first."""
        words: Any = {"created": {"gte": since}, "limit": LISTED_AT_ONCE}
        has_more = True
        while has_more:
            page = await self._known(partial(self._intents.list_async, words))
            for intent in page.data:
                yield intent
            has_more = page.has_more
            words = {**words, "starting_after": page.data[-1].id} if has_more else words

    async def payments(self, *, since: datetime) -> AsyncGenerator[PaymentSeen]:
        """The same, in our words."""
        async for intent in self.intents(since=int(since.timestamp())):
            yield PaymentSeen(
                intent.id,
                _ours(intent),
                Money(intent.amount, intent.currency.upper()),
                datetime.fromtimestamp(intent.created, UTC),
                said(intent),
            )

    async def capture(self, attempt_id: AttemptId, ref: str) -> ProviderAnswer:  # noqa: ARG002 -- others need it
        """Take the money. Asking twice is asking once: what is taken cannot be taken again."""
        return await self._changed(ref, lambda: self._intents.capture_async(ref))

    async def void(self, attempt_id: AttemptId, ref: str) -> ProviderAnswer:  # noqa: ARG002 -- others need it
        """Let the money go. Asking twice is asking once."""
        return await self._changed(ref, lambda: self._intents.cancel_async(ref))

    async def refund(self, refund: Refund) -> RefundSeen:
        """Give money back."""
        if refund.provider_ref is not None:
            ref = refund.provider_ref
            return _refund(await self._known(lambda: self._refunds.retrieve_async(ref)))
        intent = refund.attempt.provider_ref
        assert intent, "what was taken has a name"
        words: Any = {
            "payment_intent": intent,
            "amount": refund.amount.amount,
            "metadata": {"refund_id": str(refund.refund_id)},
        }
        for turn in range(KEYS_MAX):
            key: Any = {"idempotency_key": f"{refund.refund_id}-{turn}" if turn else str(refund.refund_id)}
            try:
                return _refund(await self._ask(partial(self._refunds.create_async, words, key)))
            except (stripe.InvalidRequestError, stripe.APIError) as error:
                # Done before, it may be, by a request whose answer was lost, or broke.
                if found := await self._found_refund(intent, refund.refund_id):
                    return found
                if not _is_replayed(error):
                    raise OutcomeUnknownError(str(error)) from error
        raise OutcomeUnknownError(f"{KEYS_MAX} times in a row they broke over the refund of {intent}")

    async def _found_refund(self, intent: str, refund_id: RefundId) -> RefundSeen | None:
        words: Any = {"payment_intent": intent, "limit": LISTED_AT_ONCE}
        listed = await self._known(lambda: self._refunds.list_async(words))
        of_it = [one for one in listed.data if _told(one.metadata, "refund_id") == str(refund_id)]
        return _refund(of_it[0]) if of_it else None

    async def _changed(self, ref: str, call: Callable[[], Awaitable[stripe.PaymentIntent]]) -> ProviderAnswer:
        """How it stands after a change. Where that is refused, or broke, it may have been changed before."""
        try:
            return said(await self._ask(call))
        except (stripe.InvalidRequestError, stripe.APIError, stripe.IdempotencyError):
            return await self.look(ref)

    async def _known(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Read something that is there. Whatever else comes of it says nothing about how it stands."""
        try:
            return await self._ask(call)
        except stripe.StripeError as error:
            raise UnavailableError(str(error)) from error

    async def _ask(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """One call, if there is a turn for it and somebody there. Their own errors are passed on."""
        now = asyncio.get_running_loop().time
        if not self._breaker.may_ask(now()):
            raise UnavailableError(f"{self.name} did not answer lately, and is let be for a moment")
        await self._bucket.turn()
        try:
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                answer = await call()
        except (stripe.APIConnectionError, aiohttp.ClientError, TimeoutError) as error:
            self._breaker.failed(now())
            raise OutcomeUnknownError(f"{self.name}: no answer ({type(error).__name__})") from error
        except stripe.RateLimitError as error:
            raise UnavailableError(f"{self.name}: {error}") from error
        except stripe.APIError as error:
            if (error.http_status or SERVER_FAULT) >= SERVER_FAULT:
                self._breaker.failed(now())
            raise
        except stripe.StripeError:
            self._breaker.answered()
            raise
        self._breaker.answered()
        return answer


@asynccontextmanager
async def connected(
    name: str, api_key: str, *, url: str | None = None, calls_per_second_max: float
) -> AsyncGenerator[StripePayments]:
    """The way to a provider. `url`: where one in the shape of Stripe's API is; None: Stripe itself."""
    way = stripe.AIOHTTPClient(timeout=ANSWER_SECONDS_MAX)
    addresses: Any = {"api": url} if url else {}
    client = stripe.StripeClient(api_key, base_addresses=addresses, http_client=way, max_network_retries=0)
    try:
        yield StripePayments(client, name=name, bucket=Bucket(calls_per_second_max), breaker=Breaker())
    finally:
        await way.close_async()


def said(intent: stripe.PaymentIntent) -> ProviderAnswer:
    """What an intent says of the attempt that it is of."""
    ref = intent.id
    match intent.status:
        case "requires_capture":
            return Kept(ref)
        case "succeeded":
            return Taken(ref)
        case "canceled":
            return Gone(ref)
        case "requires_action":
            return Challenged(ref, _address(intent))
        case "requires_payment_method":
            error: Any = intent.last_payment_error
            code = getattr(error, "decline_code", None) or getattr(error, "code", None)  # a bank's no has the former
            return Declined(ref, _word(code) if error else "no_payment_method")
        case _:
            return Pending(ref)


def attempt_of(intent: stripe.PaymentIntent) -> str | None:
    """Which attempt of ours it is of, as we told when we asked for it."""
    return _told(intent.metadata, "attempt_id")


def _ours(intent: stripe.PaymentIntent) -> AttemptId | None:
    """Others who share the account may name what they like."""
    try:
        return AttemptId(UUID(attempt_of(intent) or ""))
    except ValueError:
        return None


def _told(metadata: Any, name: str) -> str | None:  # noqa: ANN401 -- its class takes every name for a field of its own
    return metadata.to_dict().get(name) if metadata else None


def _address(intent: stripe.PaymentIntent) -> str:
    action: Any = intent.next_action
    redirect: Any = getattr(action, "redirect_to_url", None)
    return str(redirect.url) if redirect else ""


def _declined(error: stripe.CardError) -> Declined:
    told: Any = error.error
    intent = getattr(told, "payment_intent", None)
    return Declined(intent.id if intent else None, _word(getattr(told, "decline_code", None) or error.code))


def _word(reason: str | None) -> str:
    return (reason or "declined")[:REASON_CHARS_MAX]


def _is_replayed(error: stripe.StripeError) -> bool:
    headers: Any = error.headers or {}
    return any(name.lower() == "idempotent-replayed" for name in headers)


def _refund(refund: stripe.Refund) -> RefundSeen:
    return RefundSeen(refund.id, _REFUNDS.get(refund.status or "", RefundState.PENDING))
