"""Looking at jobs, and after those that were given up: for an operator, and for one command at a time."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.jobs import PostgresJobs
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.jobs import DeadJob, JobCount, JobId
from frontrow.halt import Halt

DEAD_MAX: Final = 100  # what one cause has killed looks alike


@dataclass(frozen=True, slots=True)
class Jobs:
    """How many there are, and the newest of those that were given up."""

    counts: Sequence[JobCount]
    dead: Sequence[DeadJob]


async def look(url: str) -> Jobs:
    async with _jobs(url) as jobs:
        return Jobs(await jobs.counts(), await jobs.dead(limit=DEAD_MAX))


async def retry(url: str, job_ids: Sequence[JobId] | None) -> Sequence[JobId]:
    """Those that were given up wait again; all of them if none is named. Answers which."""
    async with _jobs(url) as jobs:
        return await jobs.retry(job_ids)


async def drop(url: str, job_ids: Sequence[JobId]) -> Sequence[JobId]:
    """Those that were given up are not to be done. Answers which."""
    async with _jobs(url) as jobs:
        return await jobs.drop(job_ids)


@asynccontextmanager
async def _jobs(url: str) -> AsyncGenerator[PostgresJobs]:
    database = await pool.connect(url, connections_max=1)
    try:
        yield database.jobs
    except (UnavailableError, OutcomeUnknownError) as error:
        raise Halt(f"PostgreSQL: {error}; try again") from error
    finally:
        await database.close()
