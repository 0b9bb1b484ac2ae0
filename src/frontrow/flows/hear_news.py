"""News of payments, as webhooks bring them: stored before they are acknowledged, and then a reason to ask the provider.

Nothing of what they say is believed. So one that comes twice, late, in the wrong order or not at all changes
nothing but when the provider is asked.
"""

from collections.abc import Hashable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import msgspec

from frontrow.core.catalogue import EventId
from frontrow.core.jobs import GivenUp, Job, JobKind, JobTaken
from frontrow.core.news import News
from frontrow.core.payments import AttemptId
from frontrow.core.updates import Batch, Update
from frontrow.flows.group_commit import GroupCommit
from frontrow.flows.ports import Attempts, Inbox

PAYMENT_NEWS: Final = JobKind("payment-news", urgency=0, attempts_max=20)  # a fan waits for what comes of it

_ANY_EVENT: Final = EventId(0)  # news of all events is stored in one batch
_NO_SEATS: Final = Update(0, datetime.min.replace(tzinfo=UTC), (), "", b"", None)


class HearNews:
    """Stores news, and acts on it."""

    def __init__(self, inbox: Inbox, attempts: Attempts, *, provider: str) -> None:
        self._inbox = inbox
        self._attempts = attempts
        self._provider = provider
        self._storing = GroupCommit[Job, bool](
            self._store, wants=_nothing, early=_never, decided=lambda _event_id, _update, _asked_at: None
        )

    async def store(self, news: News) -> None:
        """Keep it, once. BusyError: too much waits already; the provider tells it again."""
        await self._storing.ask(_ANY_EVENT, Job(PAYMENT_NEWS, f"{self._provider}:{news.news_id}", _ENCODE(news)))

    async def act(self, job: JobTaken) -> GivenUp | None:
        """The work of PAYMENT_NEWS: have the provider asked about what the news is of."""
        try:
            news = _NEWS.decode(job.payload)
        except msgspec.DecodeError as error:
            return GivenUp(f"not understood: {error}")
        await self._attempts.ask_soon(_attempt(news), ref=news.ref)
        return None

    async def close(self) -> None:
        await self._storing.close()

    async def _store(self, _: EventId, jobs: Sequence[Job]) -> Batch[bool]:
        await self._inbox.put(jobs)
        return Batch(_NO_SEATS, (True,) * len(jobs))


_NEWS: Final = msgspec.json.Decoder(News)
_ENCODE: Final = msgspec.json.encode


def _attempt(news: News) -> AttemptId | None:
    """The attempt it names. Somebody else's payments at the same provider may name what they like."""
    try:
        return AttemptId(UUID(news.attempt_id)) if news.attempt_id else None
    except ValueError:
        return None


def _nothing(_job: Job) -> Iterable[Hashable]:
    return ()


def _never(_event_id: EventId, _job: object) -> None:
    return None
