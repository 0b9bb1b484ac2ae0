"""Jobs in PostgreSQL: added in the caller's SQL transaction, done by whoever takes them. Satisfies `ports.Jobs`."""

from collections.abc import Collection, Sequence
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.jobs import ERROR_CHARS_MAX, DeadJob, Job, JobCount, JobId, JobState, JobTaken

_SQL: Final = sql.statements("jobs")


class PostgresJobs:
    """What waits to be done."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def add(self, connection: Connection, jobs: Sequence[Job]) -> None:
        """These are to be done once the caller's SQL transaction is stored. Known ones are left as they are."""
        await connection.execute(_SQL["add_jobs"], *_columns(jobs))

    async def put(self, jobs: Sequence[Job]) -> None:
        """The same, in an SQL transaction of its own."""
        await self._transactions.fetch(_SQL["add_jobs"], *_columns(jobs))

    async def take(self, kinds: Collection[str], *, limit: int, lease_seconds: float) -> Sequence[JobTaken]:
        """Jobs of these kinds that are due. Nobody else gets them before the lease is over."""
        rows = await self._transactions.fetch(_SQL["take_jobs"], list(kinds), limit, lease_seconds)
        return [
            JobTaken(JobId(row["job_id"]), row["kind"], row["job_key"], row["payload"].encode(), row["attempts"])
            for row in rows
        ]

    async def end(self, job: JobTaken) -> bool:
        """It is done. False: the lease was over, and another has it."""
        return bool(await self._transactions.fetch(_SQL["end_job"], job.job_id, job.attempt))

    async def put_off(self, job: JobTaken, *, seconds: float, why: str) -> bool:
        """It failed, and is to be tried again. False: as above."""
        why = _storable(why)
        return bool(await self._transactions.fetch(_SQL["put_off_job"], job.job_id, job.attempt, seconds, why))

    async def give_up(self, job: JobTaken, *, why: str) -> bool:
        """It is not tried again before a person says so. False: as above."""
        why = _storable(why)
        return bool(await self._transactions.fetch(_SQL["give_up_job"], job.job_id, job.attempt, why))

    async def counts(self) -> Sequence[JobCount]:
        rows = await self._transactions.fetch(_SQL["count_jobs"])
        return [JobCount(row["kind"], JobState(row["state"]), row["jobs"], row["oldest"]) for row in rows]

    async def dead(self, *, limit: int) -> Sequence[DeadJob]:
        """Those that were given up, the newest first."""
        rows = await self._transactions.fetch(_SQL["dead_jobs"], limit)
        return [
            DeadJob(
                JobId(row["job_id"]),
                row["kind"],
                row["job_key"],
                row["attempts"],
                row["made_at"],
                row["due_at"],
                row["last_error"],
            )
            for row in rows
        ]

    async def retry(self, job_ids: Sequence[JobId] | None = None) -> Sequence[JobId]:
        """Try those again that were given up, all of them if none is named. Answers which."""
        return [JobId(row["job_id"]) for row in await self._transactions.fetch(_SQL["retry_jobs"], job_ids)]

    async def drop(self, job_ids: Sequence[JobId]) -> Sequence[JobId]:
        """Those that were given up are not to be done. Answers which."""
        return [JobId(row["job_id"]) for row in await self._transactions.fetch(_SQL["drop_jobs"], job_ids)]

    async def forget(self, *, limit: int, after_seconds: float) -> int:
        """Forget jobs that were done so long ago. Answers how many, at most so many."""
        return len(await self._transactions.fetch(_SQL["forget_jobs"], limit, after_seconds))


def _columns(jobs: Sequence[Job]) -> tuple[list[str], list[int], list[str], list[str]]:
    return (
        [job.kind.name for job in jobs],
        [job.kind.urgency for job in jobs],
        [job.key for job in jobs],
        [job.payload.decode() for job in jobs],
    )


def _storable(why: str) -> str:
    """A line of so many characters, whatever a server of somebody else's has said."""
    return " ".join(why.replace("\0", " ").split())[:ERROR_CHARS_MAX].encode(errors="replace").decode() or "no reason"
