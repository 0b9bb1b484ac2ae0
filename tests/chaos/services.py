"""Real processes of ours that a test starts and kills: `frontrow api`, `frontrow sweeper`, each by a way of its own."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import httpx
from tests.postgres.watching import until
from tests.processes.copies import FRONTROW, Copy, Started, new_copy

KEY: Final = "a key that signs nothing but what tests ask for"
API: Final = (*FRONTROW, "api")
SWEEPER: Final = (*FRONTROW, "sweeper")
NOBODY: Final = "redis://127.0.0.1:1"  # nothing here needs a Valkey


class Service:
    """One process, and the words it has said."""

    def __init__(self, copy: Copy, started: Started) -> None:
        self.url = copy.url
        self._started = started

    @property
    def said(self) -> str:
        return self._started.said

    def says(self, words: str) -> Callable[[], Awaitable[bool]]:
        """Whether it has said so yet."""

        async def has_said() -> bool:
            return words in self.said

        return has_said

    def kill(self) -> None:
        """End it as nothing else does: it has no moment for anything more."""
        assert self._started.process.poll() is None, self.said
        self._started.stop(signal.SIGKILL)

    def ask_to_stop(self) -> None:
        self._started.process.send_signal(signal.SIGTERM)

    async def stopped(self) -> int:
        """Its exit code, once it has one."""
        await until(self._has_ended)
        return self._started.process.wait()

    async def ready(self) -> "Service":
        async with httpx.AsyncClient(base_url=self.url) as client:
            await until(lambda: self._answers(client))
        return self

    async def _answers(self, client: httpx.AsyncClient) -> bool:
        assert not await self._has_ended(), self.said
        try:
            return (await client.get("/readyz")).is_success
        except httpx.TransportError:
            return False

    async def _has_ended(self) -> bool:
        return self._started.process.poll() is not None


def api(database_url: str) -> AbstractAsyncContextManager[Service]:
    """`frontrow api`, from its first moment on. It is killed at the end of the block if it runs by then."""
    return running(API, database_url)


def sweeper(database_url: str) -> AbstractAsyncContextManager[Service]:
    """The same for `frontrow sweeper`."""
    return running(SWEEPER, database_url)


@asynccontextmanager
async def running(command: Sequence[str], database_url: str, **environment: str) -> AsyncGenerator[Service]:
    """The same for any command."""
    ours = {
        "FRONTROW_DATABASE_URL": database_url,
        "FRONTROW_VALKEY_URL": NOBODY,
        "FRONTROW_SIGNING_KEYS": KEY,
        "FRONTROW_LOG_FORMAT": "json",
    }
    with new_copy() as copy:
        started = Started(command, copy.data_dir.parent, copy.environment | ours | environment)
        try:
            yield Service(copy, started)
        finally:
            await asyncio.to_thread(started.stop, signal.SIGKILL)
