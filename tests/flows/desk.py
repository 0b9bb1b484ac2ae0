"""A desk where batches are decided when the test says so: what happens meanwhile is then no matter of chance."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from frontrow.core.catalogue import EventId
from frontrow.core.holds import Deferred
from frontrow.core.updates import Batch, Update

SECONDS_MAX: Final = 10.0  # a net below the tests, not a promise
NO_UPDATE: Final = Update(0, datetime(2027, 3, 1, tzinfo=UTC), (), "", b"", None)


@dataclass(frozen=True)
class Wish:
    """Somebody wants things, which nobody else may get in the same batch."""

    who: str
    things: frozenset[int] = frozenset()


def wish(who: str, *things: int) -> Wish:
    return Wish(who, frozenset(things))


def things_of(wanted: Wish) -> Iterable[int]:
    return wanted.things


@dataclass(frozen=True)
class Asked:
    """A batch that lies on the desk."""

    event_id: EventId
    wishes: Sequence[Wish]
    decision: "asyncio.Future[Batch[str | Deferred]]"

    @property
    def names(self) -> list[str]:
        return [wanted.who for wanted in self.wishes]

    def answer(self, *answers: str | Deferred) -> None:
        self.decision.set_result(Batch(NO_UPDATE, answers))

    def grant(self) -> None:
        """Everybody gets what they want."""
        self.answer(*(f"{who} has it" for who in self.names))

    def fail(self, error: Exception) -> None:
        self.decision.set_exception(error)


@dataclass(frozen=True)
class Desk:
    """Everything that was ever asked, and what of it the test has not seen yet."""

    asked: list[Asked] = field(default_factory=list[Asked])
    _unseen: "asyncio.Queue[Asked]" = field(default_factory=asyncio.Queue[Asked])

    async def decide(self, event_id: EventId, wishes: Sequence[Wish]) -> Batch[str | Deferred]:
        asked = Asked(event_id, tuple(wishes), asyncio.get_running_loop().create_future())
        self.asked.append(asked)
        self._unseen.put_nowait(asked)
        return await asked.decision

    async def next(self) -> Asked:
        """The next batch, once it lies here."""
        async with asyncio.timeout(SECONDS_MAX):
            return await self._unseen.get()

    async def is_empty(self) -> bool:
        """Nothing new comes, however often everybody else gets to run."""
        for _ in range(10):
            await asyncio.sleep(0)
        return self._unseen.empty()
