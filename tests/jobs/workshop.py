"""Jobs of tests, on a real PostgreSQL: kinds that do what a test wants of them, and what it may know of the rows."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from frontrow.adapters.postgres.pool import Database
from frontrow.core.jobs import GivenUp, Job, JobKind, JobTaken
from frontrow.flows.do_jobs import DoJobs

PLAIN: Final = JobKind("plain", urgency=5, attempts_max=3)
URGENT: Final = JobKind("urgent", urgency=0, attempts_max=3)


@dataclass
class Worker:
    """One process that does jobs: what it was given, and what becomes of it."""

    database: Database
    outcome: Callable[[JobTaken], Awaitable[GivenUp | None]] | None = None  # None: done
    done: list[JobTaken] = field(default_factory=list[JobTaken])

    def __post_init__(self) -> None:
        self.flow = DoJobs(self.database.jobs, {PLAIN: self.work, URGENT: self.work}, chance=lambda: 1.0)

    async def work(self, job: JobTaken) -> GivenUp | None:
        self.done.append(job)
        return await self.outcome(job) if self.outcome else None

    async def look(self) -> None:
        """Do what is due."""
        await self.flow.look()
        await self.flow.finish()

    @property
    def keys(self) -> list[str]:
        return [job.key for job in self.done]


async def add(database: Database, *keys: str, kind: JobKind = PLAIN, payload: bytes = b"{}") -> None:
    async with database.transactions.transaction() as tx:
        await database.jobs.add(tx, [Job(kind, key, payload) for key in keys])


async def row(database: Database, key: str) -> Mapping[str, Any]:
    found = await database.pool.fetchrow(
        "SELECT *, extract(epoch FROM due_at - clock_timestamp())::float8 AS due_in FROM job WHERE job_key = $1", key
    )
    assert found is not None
    return dict(found)


async def let_pass(database: Database, seconds: float) -> None:
    """What waits is due so much earlier."""
    await database.pool.execute("UPDATE job SET due_at = due_at - make_interval(secs => $1)", seconds)


def failing(error: BaseException) -> Callable[[JobTaken], Awaitable[GivenUp | None]]:
    async def fails(_: JobTaken) -> GivenUp | None:
        raise error

    return fails
