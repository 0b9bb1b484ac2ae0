"""`POST /webhooks/payments/{provider}`: news of payments. Stored, then acknowledged; acted on later.

Who is refused is told nothing about why: a forger would learn from it.
"""

from typing import Final

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.flows.group_commit import BusyError
from frontrow.flows.hear_news import HearNews
from frontrow.flows.ports import Clock, NewsReader
from frontrow.web import reading
from frontrow.web.answers import send_json, send_problem
from frontrow.web.problems import RETRY_SECONDS, of_fault, problem

SIGNATURE: Final = b"stripe-signature"
NEWS_ID_CHARS_MAX: Final = 150  # a provider's own; those of Stripe have thirty


class Received(msgspec.Struct, frozen=True):
    """It is stored."""

    received: bool


class Webhooks:
    """Takes news of one provider. Without one, there is no such address."""

    def __init__(self, hear_news: HearNews, reader: NewsReader | None, *, provider: str, clock: Clock) -> None:
        self._hear_news = hear_news
        self._reader = reader
        self._provider = provider
        self._clock = clock

    async def take(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`POST /webhooks/payments/{provider}`."""
        if self._reader is None or scope["path_params"]["provider"] != self._provider:
            await send_problem(send, problem("not-found"))
            return
        body: bytes = (await receive()).get("body") or b""
        signature = (reading.header(scope, SIGNATURE) or b"").decode("latin-1")
        news = self._reader.read(body, signature, now=self._clock().timestamp())
        if news is None or len(news.news_id) > NEWS_ID_CHARS_MAX:
            await send_problem(send, problem("bad-request"))
            return
        try:
            await self._hear_news.store(news)
        except BusyError:
            await send_problem(send, problem("unavailable", headers={"retry-after": RETRY_SECONDS}))
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
        else:
            await send_json(send, Received(received=True))
