"""Real processes that show a live map, on a port that stays theirs when they are started again."""

import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
from tests.chaos.services import KEY, NOBODY
from tests.postgres.watching import until
from tests.processes.copies import Copy, Started, new_copy


@dataclass
class Showing:
    """`frontrow feed` or `frontrow api`."""

    copy: Copy
    role: str
    environment: dict[str, str]
    started: list[Started] = field(default_factory=list[Started])

    @property
    def url(self) -> str:
        return self.copy.url

    async def start(self) -> None:
        """Return once it is ready."""
        self.started.append(self.copy.start(self.role, **self.environment))
        async with httpx.AsyncClient(base_url=self.url) as client:
            await until(lambda: self._is_ready(client))

    def kill(self) -> None:
        assert self.started[-1].process.poll() is None, self.said
        self.started[-1].stop(signal.SIGKILL)

    def stop(self) -> int:
        return self.started[-1].stop()

    @property
    def said(self) -> str:
        return "".join(started.said for started in self.started)

    async def _is_ready(self, client: httpx.AsyncClient) -> bool:
        assert self.started[-1].process.poll() is None, self.said
        try:
            return (await client.get("/readyz")).is_success
        except httpx.TransportError:
            return False


@contextmanager
def showing(role: str, database_url: str, *, valkey_url: str = NOBODY, **settings: str) -> Generator[Showing]:
    """Not started yet. Killed at the end of the block if it runs by then."""
    ours = {
        "FRONTROW_DATABASE_URL": database_url,
        "FRONTROW_VALKEY_URL": valkey_url,
        "FRONTROW_SIGNING_KEYS": KEY,
        "FRONTROW_LOG_FORMAT": "json",
    }
    with new_copy() as copy:
        shown = Showing(copy, role, ours | settings)
        try:
            yield shown
        finally:
            for started in shown.started:
                if started.process.poll() is None:
                    started.stop(signal.SIGKILL)


def urls_of(services: Sequence[Showing]) -> list[str]:
    return [service.url for service in services]
