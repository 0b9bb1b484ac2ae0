"""Doing jobs: what others have put down to be done later, for as long as a process lives.

A job that is taken is put off in the same statement, so nobody else takes it while it is being done, and it comes again
by itself if we die meanwhile. No transaction is open while it is done. What is promised: every job is done once at
least, or given up and seen by a person. It is done twice only when its process ends, or loses PostgreSQL for longer
than the lease, after the work was done and before that was written down.

Two of these at once are harmless, and so are a hundred.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

import structlog

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.jobs import GivenUp, JobKind, JobTaken, back_off
from frontrow.flows.ports import Jobs

LOOK_SECONDS: Final = 0.25  # a look at an index; somebody waits for a code
AT_ONCE: Final = 16  # jobs under way in one process: most of their time is spent waiting for a server of somebody else
WORK_SECONDS_MAX: Final = 20.0  # for one try: a mail server that needs longer is in trouble
LEASE_SECONDS: Final = 30.0  # then another one tries; more than the work may take, with time left to say how it went
SAY_AGAIN_SECONDS: Final = 0.5  # when PostgreSQL could not be told

# Does a job. An exception means that it failed and is to be tried again.
Work: TypeAlias = Callable[[JobTaken], Awaitable[GivenUp | None]]
Outcome: TypeAlias = GivenUp | Exception | None  # None: it is done

_log = structlog.stdlib.get_logger(__name__)


class DoJobs:
    """Takes what is due, and does it."""

    def __init__(self, jobs: Jobs, works: Mapping[JobKind, Work], *, chance: Callable[[], float]) -> None:
        """`works`: what is done for each kind of job; other kinds are left to those who know them."""
        self._jobs = jobs
        self._kinds = {kind.name: kind for kind in works}
        self._works = {kind.name: work for kind, work in works.items()}
        self._chance = chance
        self._under_way: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Look for ever."""
        try:
            while True:
                if await self.look() and self._under_way:  # more may be waiting than we could take
                    await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
                else:
                    await asyncio.sleep(LOOK_SECONDS)
        finally:
            await self.finish()

    async def look(self) -> bool:
        """Begin as much of what is due as can be under way. Whether that is as much as there may be."""
        free = AT_ONCE - len(self._under_way)
        if free == 0:
            return True
        try:
            taken = await self._jobs.take(self._kinds, limit=free, lease_seconds=LEASE_SECONDS)
        except (UnavailableError, OutcomeUnknownError) as error:
            _log.warning("jobs.not_taken", why=str(error))  # those that were taken all the same come again
            return False
        until = asyncio.get_running_loop().time() + LEASE_SECONDS
        for job in taken:
            task = asyncio.create_task(self._do(job, until))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return len(taken) == free

    async def finish(self) -> None:
        """Wait for what has begun."""
        if self._under_way:
            await asyncio.wait(self._under_way)

    async def _do(self, job: JobTaken, until: float) -> None:
        """One try, and a word about it. `until`: when the lease is over, by the clock of the loop."""
        kind = self._kinds[job.kind]
        if job.attempt > kind.attempts_max:  # nobody ever said how the last one went
            outcome = GivenUp("each of the processes that did it ended before it was done")
        else:
            outcome = await self._tried(job)
        if isinstance(outcome, Exception) and job.attempt == kind.attempts_max:
            outcome = GivenUp(_why(outcome))
        while not await self._is_said(job, outcome):
            if asyncio.get_running_loop().time() >= until:
                _log.error("job.unsaid", job_id=job.job_id, kind=job.kind, attempt=job.attempt)
                return
            await asyncio.sleep(SAY_AGAIN_SECONDS)

    async def _tried(self, job: JobTaken) -> Outcome:
        try:
            async with asyncio.timeout(WORK_SECONDS_MAX):
                return await self._works[job.kind](job)
        except (UnavailableError, OutcomeUnknownError, TimeoutError) as error:
            return error
        except Exception as error:  # noqa: BLE001 -- whatever one job breaks, the others go on
            _log.exception("job.broke", job_id=job.job_id, kind=job.kind, attempt=job.attempt)
            return error

    async def _is_said(self, job: JobTaken, outcome: Outcome) -> bool:
        """Whether PostgreSQL has been told. That it is another's job by now is an answer too."""
        try:
            await self._say(job, outcome)
        except (UnavailableError, OutcomeUnknownError):
            return False
        return True

    async def _say(self, job: JobTaken, outcome: Outcome) -> None:
        log = _log.bind(job_id=job.job_id, kind=job.kind, attempt=job.attempt)
        if outcome is None:
            await self._jobs.end(job)
            log.debug("job.done")
        elif isinstance(outcome, GivenUp):
            await self._jobs.give_up(job, why=outcome.why)
            log.warning("job.given_up")
        else:
            seconds = back_off(job.attempt, chance=self._chance())
            await self._jobs.put_off(job, seconds=seconds, why=_why(outcome))
            log.info("job.put_off", seconds=round(seconds, 1))


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__
