"""Answers that many ask for, kept for a moment: the first who asks has one made, the others share it."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")

KEPT_MAX: Final = 1_000  # answers; those that nobody asked for lately make room


@dataclass(frozen=True, slots=True)
class _Kept(Generic[Answer]):
    made: asyncio.Future[Answer]
    until: float  # a time of the event loop


class Fresh(Generic[Key, Answer]):
    """Answers no older than that."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._kept: dict[Key, _Kept[Answer]] = {}

    async def get(self, key: Key, make: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer to `key`. A fault is nobody's but of those who wait for it; the next one tries again."""
        now = asyncio.get_running_loop().time()
        kept = self._kept.get(key)
        if kept is None or now >= kept.until:
            self._make_room(now)
            task = asyncio.create_task(_awaited(make))
            kept = self._kept[key] = _Kept(task, now + self._seconds)
            task.add_done_callback(lambda _: self._forget_fault(key, kept))
        return await asyncio.shield(kept.made)

    def kept(self, key: Key) -> Answer | None:
        """The answer, if it is there and fresh."""
        kept = self._kept.get(key)
        is_there = kept and kept.made.done() and asyncio.get_running_loop().time() < kept.until
        return kept.made.result() if kept and is_there else None

    def keep(self, key: Key, answer: Answer) -> None:
        """An answer that came with another one."""
        made: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        made.set_result(answer)
        now = asyncio.get_running_loop().time()
        self._make_room(now)
        self._kept[key] = _Kept(made, now + self._seconds)

    def _forget_fault(self, key: Key, kept: _Kept[Answer]) -> None:
        if (kept.made.cancelled() or kept.made.exception()) and self._kept.get(key) is kept:
            del self._kept[key]

    def _make_room(self, now: float) -> None:
        if len(self._kept) >= KEPT_MAX:
            self._kept = {key: kept for key, kept in self._kept.items() if now < kept.until}
        while len(self._kept) >= KEPT_MAX:
            del self._kept[next(iter(self._kept))]


async def _awaited(make: Callable[[], Awaitable[Answer]]) -> Answer:
    return await make()
