"""Jobs on a real PostgreSQL: made with what they follow from, done once at least, tried again, given up, and seen."""

import asyncio
from collections.abc import Sequence

import asyncpg
import pytest
from tests.jobs.workshop import PLAIN, URGENT, Worker, add, failing, let_pass, row
from tests.postgres.watching import until, until_waiting

from frontrow import sql
from frontrow.adapters.postgres import jobs as adapter
from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.audit import violations
from frontrow.adapters.postgres.pool import Database
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.jobs import (
    BACK_OFF_SECONDS_MAX,
    BACK_OFF_SECONDS_MIN,
    ERROR_CHARS_MAX,
    GivenUp,
    Job,
    JobKind,
    JobTaken,
    back_off,
)
from frontrow.flows import do_jobs
from frontrow.flows.do_jobs import AT_ONCE, LEASE_SECONDS, WORK_SECONDS_MAX, DoJobs


@pytest.fixture
def worker(database: Database) -> Worker:
    return Worker(database)


# Made.


async def test_a_job_is_made_with_what_it_follows_from(database: Database, worker: Worker):
    await add(database, "a", payload=b'{"fan": 7}')
    await worker.look()
    [job] = worker.done
    assert (job.kind, job.key, job.payload, job.attempt) == ("plain", "a", b'{"fan": 7}', 1)


async def test_or_not_at_all(database: Database, worker: Worker):
    with pytest.raises(ZeroDivisionError):  # noqa: PT012 -- the block is what is tested
        async with database.transactions.transaction() as tx:
            await database.jobs.add(tx, [Job(PLAIN, "a", b"{}")])
            raise ZeroDivisionError
    await worker.look()
    assert worker.done == []


async def test_nobody_does_it_before_that_is_stored(database: Database, worker: Worker):
    async with database.transactions.transaction() as tx:
        await database.jobs.add(tx, [Job(PLAIN, "a", b"{}")])
        await worker.look()
        assert worker.done == []
    await worker.look()
    assert worker.keys == ["a"]


async def test_the_same_job_once_more_is_the_same_job(database: Database, worker: Worker):
    await add(database, "a", payload=b'{"first": true}')
    await add(database, "a", "a", "b")
    await worker.look()
    await add(database, "a")  # also when it is done
    await worker.look()
    assert sorted(worker.keys) == ["a", "b"]
    assert next(job.payload for job in worker.done if job.key == "a") == b'{"first": true}'
    await add(database, "a", kind=URGENT)  # of another kind it is another
    await worker.look()
    assert len(worker.done) == 3


async def test_what_is_no_job_is_refused_with_all_that_it_was_made_with(database: Database):
    for job in (
        Job(PLAIN, "", b"{}"),
        Job(PLAIN, "a", b"[]"),
        Job(PLAIN, "a", b"not json"),
        Job(PLAIN, "x" * 201, b"{}"),
    ):
        with pytest.raises(UnavailableError):
            async with database.transactions.transaction() as tx:
                await database.jobs.add(tx, [Job(PLAIN, "good", b"{}"), job])
    assert await database.pool.fetchval("SELECT count(*) FROM job") == 0


# Done.


async def test_a_job_that_is_done_is_forgotten_but_for_its_key(database: Database, worker: Worker):
    await add(database, "a", payload=b'{"email": "ada@example.org"}')
    await worker.look()
    done = await row(database, "a")
    assert (done["state"], done["payload"], done["last_error"]) == ("done", "{}", None)
    await let_pass(database, 100)
    assert await database.jobs.forget(limit=10, after_seconds=200) == 0
    assert await database.jobs.forget(limit=10, after_seconds=50) == 1
    await worker.look()
    assert worker.keys == ["a"]


async def test_the_urgent_ones_first(database: Database, worker: Worker):
    await add(database, *(f"plain {number}" for number in range(2 * AT_ONCE)))
    await add(database, "urgent", kind=URGENT)
    await worker.look()
    assert "urgent" in worker.keys
    assert len(worker.done) == AT_ONCE


async def test_then_those_that_wait_the_longest(database: Database, worker: Worker):
    for number in range(AT_ONCE + 3):
        await add(database, str(number))
    await worker.look()
    assert sorted(map(int, worker.keys)) == list(range(AT_ONCE))


async def test_no_more_at_once_than_that(database: Database):
    most, now, let_go = 0, 0, asyncio.Event()

    async def waits(_: JobTaken) -> None:
        nonlocal most, now
        now += 1
        most = max(most, now)
        await let_go.wait()
        now -= 1

    worker = Worker(database, waits)
    await add(database, *map(str, range(3 * AT_ONCE)))
    running = asyncio.create_task(worker.flow.run())
    await until(lambda: truth(now == AT_ONCE))
    let_go.set()
    await until(lambda: truth(len(worker.done) == 3 * AT_ONCE))
    running.cancel()
    await asyncio.wait({running})
    assert most == AT_ONCE


async def truth(value: object) -> bool:
    return bool(value)


async def test_many_workers_do_each_once(database: Database, database_url: str):
    others = [await pool.connect(database_url, connections_max=2) for _ in range(3)]
    workers = [Worker(each) for each in (database, *others)]
    await add(database, *map(str, range(100)))

    async def all_done() -> bool:
        await asyncio.gather(*(worker.look() for worker in workers))
        return await database.pool.fetchval("SELECT count(*) FROM job WHERE state = 'waiting'") == 0

    await until(all_done)
    assert sorted(int(key) for worker in workers for key in worker.keys) == list(range(100))
    assert sum(bool(worker.done) for worker in workers) > 1
    for other in others:
        await other.close()


async def test_a_kind_that_nobody_here_knows_is_left_to_others(database: Database, worker: Worker):
    """A newer program made it; it must not be given up by an older one."""
    await add(database, "new", kind=JobKind("new", urgency=0, attempts_max=1))
    await add(database, "plain")
    await worker.look()
    assert worker.keys == ["plain"]
    assert (await row(database, "new"))["attempts"] == 0


# Tried again.


@pytest.mark.parametrize("error", [UnavailableError("away"), OutcomeUnknownError("who knows"), ValueError("a mistake")])
async def test_what_fails_is_tried_again_each_time_later(database: Database, error: Exception):
    worker = Worker(database, failing(error))
    await add(database, "a")
    await worker.look()
    put_off = await row(database, "a")
    assert (put_off["state"], put_off["attempts"], put_off["last_error"]) == ("waiting", 1, str(error))
    assert 0 < put_off["due_in"] <= BACK_OFF_SECONDS_MIN
    await worker.look()
    assert len(worker.done) == 1  # not before that
    await let_pass(database, BACK_OFF_SECONDS_MIN)
    await worker.look()
    again = await row(database, "a")
    assert again["attempts"] == 2
    assert BACK_OFF_SECONDS_MIN < again["due_in"] <= 2 * BACK_OFF_SECONDS_MIN


async def test_and_done_when_it_does_not_fail_any_more(database: Database):
    worker = Worker(database, failing(UnavailableError("away")))
    await add(database, "a")
    await worker.look()
    worker.outcome = None
    await let_pass(database, BACK_OFF_SECONDS_MIN)
    await worker.look()
    assert (await row(database, "a"))["state"] == "done"
    assert await violations(database.pool) == []


@pytest.mark.parametrize(
    ("attempt", "chance", "seconds"),
    [
        (1, 1.0, BACK_OFF_SECONDS_MIN),
        (1, 0.0, BACK_OFF_SECONDS_MIN / 2),  # so that not all come back at once
        (2, 1.0, 2 * BACK_OFF_SECONDS_MIN),
        (4, 0.5, 6 * BACK_OFF_SECONDS_MIN),
        (11, 1.0, BACK_OFF_SECONDS_MAX),
        (10_000, 1.0, BACK_OFF_SECONDS_MAX),
    ],
)
def test_how_much_later(attempt: int, chance: float, seconds: float):
    assert back_off(attempt, chance=chance) == seconds


async def test_who_takes_too_long_is_stopped_and_tried_again(database: Database, monkeypatch: pytest.MonkeyPatch):
    assert WORK_SECONDS_MAX < LEASE_SECONDS  # or another one would begin while the first is at it
    monkeypatch.setattr(do_jobs, "WORK_SECONDS_MAX", 0.05)

    async def for_ever(_: JobTaken) -> None:
        await asyncio.Event().wait()

    await add(database, "a")
    await Worker(database, for_ever).look()
    assert (await row(database, "a"))["last_error"] == "TimeoutError"


# Given up.


async def test_after_so_many_attempts_it_is_given_up_and_told(database: Database):
    worker = Worker(database, failing(UnavailableError("away")))
    await add(database, "a")
    for _ in range(PLAIN.attempts_max + 2):
        await worker.look()
        await let_pass(database, BACK_OFF_SECONDS_MAX)
    dead = await row(database, "a")
    assert (dead["state"], dead["attempts"], dead["last_error"]) == ("dead", PLAIN.attempts_max, "away")
    assert len(worker.done) == PLAIN.attempts_max
    [told] = await violations(database.pool)
    assert told.invariant == "inv_job_dead"
    assert "away" in told.row


async def test_or_at_once_where_trying_again_helps_nobody(database: Database):
    async def hopeless(_: JobTaken) -> GivenUp:
        return GivenUp("no such mailbox")

    await add(database, "a")
    await Worker(database, hopeless).look()
    dead = await row(database, "a")
    assert (dead["state"], dead["attempts"], dead["last_error"]) == ("dead", 1, "no such mailbox")


async def test_a_poisonous_one_blocks_nobody(database: Database):
    async def mostly_well(job: JobTaken) -> None:
        if job.key == "poison":
            raise RecursionError

    worker = Worker(database, mostly_well)
    await add(database, "poison", kind=URGENT)
    await add(database, "a", "b", "c")
    for _ in range(URGENT.attempts_max):
        await worker.look()
        await let_pass(database, BACK_OFF_SECONDS_MAX)
    assert set(worker.keys) == {"poison", "a", "b", "c"}
    assert (await row(database, "poison"))["state"] == "dead"


async def test_one_that_ends_its_process_each_time_is_given_up_too(database: Database, worker: Worker):
    """Nobody ever says how it went. The attempts count all the same, since they are counted when it is taken."""
    await add(database, "deadly")
    for _ in range(PLAIN.attempts_max):
        assert len(await database.jobs.take(["plain"], limit=1, lease_seconds=0.0)) == 1
    await worker.look()
    dead = await row(database, "deadly")
    assert worker.done == []
    assert dead["state"] == "dead"
    assert "ended before it was done" in dead["last_error"]


@pytest.mark.parametrize("why", ["", "\0", "two\nlines", "x" * 10_000, "half \ud800 a letter", "🎟" * 600])
async def test_whatever_the_reason_says_it_is_a_line(database: Database, why: str):
    await add(database, "a")
    await Worker(database, failing(UnavailableError(why))).look()
    told = (await row(database, "a"))["last_error"]
    assert told
    assert len(told) <= ERROR_CHARS_MAX
    assert "\n" not in told


@pytest.mark.slow
async def test_what_was_given_up_can_be_tried_again_or_dropped(database: Database):
    worker = Worker(database, failing(ValueError("a mistake")))
    await add(database, "a", "b", "c")
    for _ in range(PLAIN.attempts_max):
        await worker.look()
        await let_pass(database, BACK_OFF_SECONDS_MAX)
    dead = {job.key: job for job in await database.jobs.dead(limit=10)}
    assert {(job.key, job.attempts, job.last_error) for job in dead.values()} == {
        (key, PLAIN.attempts_max, "a mistake") for key in "abc"
    }
    worker.outcome, worker.done = None, []
    assert await database.jobs.retry([dead["a"].job_id]) == [dead["a"].job_id]
    assert await database.jobs.drop([dead["b"].job_id]) == [dead["b"].job_id]
    assert await database.jobs.drop([dead["a"].job_id]) == []  # it waits again: it is to be done
    await worker.look()
    assert worker.keys == ["a"]
    assert await database.jobs.retry() == [dead["c"].job_id]
    await worker.look()
    assert worker.keys == ["a", "c"]
    assert await database.jobs.retry() == []
    assert await violations(database.pool) == []


# Whose it is.


async def test_while_one_is_at_it_nobody_else_is(database: Database, worker: Worker):
    await add(database, "a")
    [taken] = await database.jobs.take(["plain"], limit=1, lease_seconds=LEASE_SECONDS)
    await worker.look()
    assert worker.done == []
    await let_pass(database, LEASE_SECONDS)  # whoever took it has died
    await worker.look()
    assert worker.keys == ["a"]
    assert taken.attempt == 1
    assert worker.done[0].attempt == 2


async def test_who_was_too_slow_changes_nothing_any_more(database: Database):
    await add(database, "a", "b", "c")
    slow = {job.key: job for job in await database.jobs.take(["plain"], limit=3, lease_seconds=0.0)}
    quick = {job.key: job for job in await database.jobs.take(["plain"], limit=3, lease_seconds=LEASE_SECONDS)}
    assert not await database.jobs.end(slow["a"])
    assert not await database.jobs.put_off(slow["b"], seconds=0, why="slow")
    assert not await database.jobs.give_up(slow["c"], why="slow")
    assert {(await row(database, key))["state"] for key in "abc"} == {"waiting"}
    assert [await database.jobs.end(quick[key]) for key in "abc"] == [True] * 3


async def test_two_who_look_at_the_same_moment_take_different_ones(database: Database, database_url: str):
    await add(database, "a", "b")
    keeper = await asyncpg.connect(database_url)
    await keeper.execute("BEGIN; SELECT FROM job WHERE job_key = 'a' FOR UPDATE")
    taken = await database.jobs.take(["plain"], limit=2, lease_seconds=LEASE_SECONDS)
    assert [job.key for job in taken] == ["b"]  # it waits for nobody
    await keeper.execute("ROLLBACK")
    await keeper.close()


async def test_control_without_that_the_second_waits_for_the_first(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
):
    without(monkeypatch, "take_jobs", "FOR UPDATE SKIP LOCKED", "FOR UPDATE")
    await add(database, "a", "b")
    keeper = await asyncpg.connect(database_url)
    await keeper.execute("BEGIN; SELECT FROM job WHERE job_key = 'a' FOR UPDATE")
    waiting = asyncio.create_task(database.jobs.take(["plain"], limit=2, lease_seconds=LEASE_SECONDS))
    await until_waiting(keeper, 1)
    await keeper.execute("ROLLBACK")
    assert len(await waiting) == 2
    await keeper.close()


async def test_control_without_the_attempt_a_slow_one_ends_another_s_job(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    without(monkeypatch, "end_job", "AND attempts = $2 ", "AND $2::integer > 0 ")
    await add(database, "a")
    [slow] = await database.jobs.take(["plain"], limit=1, lease_seconds=0.0)
    await database.jobs.take(["plain"], limit=1, lease_seconds=LEASE_SECONDS)
    assert await database.jobs.end(slow)


def without(monkeypatch: pytest.MonkeyPatch, statement: str, words: str, others: str) -> None:
    """Put other words for some of a statement's own."""
    statements: dict[str, str] = dict(sql.statements("jobs"))
    assert statements[statement].count(words) == 1
    statements[statement] = statements[statement].replace(words, others)
    monkeypatch.setattr(adapter, "_SQL", statements)


# When PostgreSQL cannot be told.


class Deaf:
    """The real jobs; what is said of one does not get through so many times."""

    def __init__(self, database: Database, times: int) -> None:
        self._jobs = database.jobs
        self.times = times

    async def take(self, kinds: Sequence[str], *, limit: int, lease_seconds: float) -> Sequence[JobTaken]:
        return await self._jobs.take(kinds, limit=limit, lease_seconds=lease_seconds)

    async def end(self, job: JobTaken) -> bool:
        if self.times:
            self.times -= 1
            raise OutcomeUnknownError("away")
        return await self._jobs.end(job)

    async def put_off(self, job: JobTaken, *, seconds: float, why: str) -> bool:
        return await self._jobs.put_off(job, seconds=seconds, why=why)

    async def give_up(self, job: JobTaken, *, why: str) -> bool:
        return await self._jobs.give_up(job, why=why)


async def test_that_it_is_done_is_said_until_it_is_heard(
    database: Database, worker: Worker, monkeypatch: pytest.MonkeyPatch
):
    """The mail is out: it must not go out again because PostgreSQL was away for a second."""
    monkeypatch.setattr(do_jobs, "SAY_AGAIN_SECONDS", 0.0)
    await add(database, "a")
    flow = DoJobs(Deaf(database, 5), {PLAIN: worker.work}, chance=lambda: 1.0)  # pyright: ignore[reportArgumentType] -- its kinds are a list here
    await flow.look()
    await flow.finish()
    assert (worker.keys, (await row(database, "a"))["state"]) == (["a"], "done")


async def test_or_until_the_lease_is_over(database: Database, worker: Worker, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(do_jobs, "SAY_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(do_jobs, "LEASE_SECONDS", 0.1)
    await add(database, "a")
    flow = DoJobs(Deaf(database, 1_000_000), {PLAIN: worker.work}, chance=lambda: 1.0)  # pyright: ignore[reportArgumentType] -- as above
    await flow.look()
    await flow.finish()
    assert (await row(database, "a"))["state"] == "waiting"  # and whoever takes it next does it again


async def test_while_postgres_is_away_the_flow_goes_on(database: Database, worker: Worker):
    await database.pool.close()
    assert not await worker.flow.look()


async def test_stopping_ends_what_has_begun(database: Database):
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def waits(_: JobTaken) -> None:
        begun.set()
        await let_go.wait()

    await add(database, "a")
    running = asyncio.create_task(Worker(database, waits).flow.run())
    await begun.wait()
    running.cancel()
    await asyncio.sleep(0)
    let_go.set()
    await asyncio.wait({running})
    assert (await row(database, "a"))["state"] == "done"


async def test_what_waits_for_long_is_told_by_the_audit(database: Database):
    await add(database, "a")
    assert await violations(database.pool) == []
    await let_pass(database, 301)
    [told] = await violations(database.pool)
    assert told.invariant == "inv_job_overdue"
