# noqa: INP001 -- a script, run by name
"""What it costs to make a job with what it follows from, and how many are done (docs/decisions/0013).

    .venv/bin/python bench/jobs.py

Sixteen connections commit something small, as orders do: by itself; with a job; with a job and a NOTIFY, by which
PostgreSQL's commits take turns. Then a worker does jobs that take no time, and two do.
"""

import asyncio
import logging
import random
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Final

import asyncpg
import structlog

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database
from frontrow.bench.own_service import own_engines
from frontrow.core.jobs import Job, JobKind, JobTaken
from frontrow.flows.do_jobs import DoJobs
from frontrow.processes.stopping import run, until_stopped
from frontrow.settings import Settings

CONNECTIONS: Final = 16
COMMITS: Final = 8_000  # of all connections together
JOBS: Final = 5_000
PAYLOAD: Final = b'{"to": "' + b"x" * 200 + b'"}'
KIND: Final = JobKind("bench", urgency=5, attempts_max=3)
WAYS: Final = {
    "by itself": "SELECT $1::text, $2::text",
    "with a job": """
        INSERT INTO job (kind, urgency, job_key, payload, state, attempts, due_at, made_at)
        VALUES ('bench', 5, $1, $2::text::jsonb, 'waiting', 0, clock_timestamp(), clock_timestamp())
    """,
}


async def measure(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE paid (paid_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)")
    for name, statement in WAYS.items():
        tell(f"commits/s {name}: {await commits(url, name, statement):,.0f}")
    notifying = WAYS["with a job"], "NOTIFY jobs"
    tell(f"commits/s with a job and a NOTIFY: {await commits(url, 'notify', *notifying):,.0f}")
    for workers in (1, 2):
        await connection.execute("TRUNCATE job")
        tell(f"jobs/s of {workers} at once: {await done(url, workers):,.0f}")
    await connection.close()


async def commits(url: str, name: str, *statements: str) -> float:
    connections = [await asyncpg.connect(url) for _ in range(CONNECTIONS)]
    begun = perf_counter()
    await asyncio.gather(*(_commit(each, f"{name}-{number}", statements) for number, each in enumerate(connections)))
    seconds = perf_counter() - begun
    for connection in connections:
        await connection.close()
    return COMMITS / seconds


async def _commit(connection: asyncpg.Connection, name: str, statements: tuple[str, ...]) -> None:
    for number in range(COMMITS // CONNECTIONS):
        async with connection.transaction():
            await connection.execute("INSERT INTO paid (note) VALUES ('x')")
            for statement in statements:
                words = (f"{name}-{number}", PAYLOAD.decode()) if "$1" in statement else ()
                await connection.execute(statement, *words)


async def done(url: str, workers: int) -> float:
    async with _connected(url) as database:
        async with database.transactions.transaction() as tx:
            await database.jobs.add(tx, [Job(KIND, str(number), PAYLOAD) for number in range(JOBS)])
        begun = perf_counter()
        await asyncio.gather(*(_work(url) for _ in range(workers)))
        return JOBS / (perf_counter() - begun)


async def _work(url: str) -> None:
    async def nothing(_: JobTaken) -> None: ...

    async with _connected(url) as database:
        doing = DoJobs(database.jobs, {KIND: nothing}, chance=random.random)
        running = asyncio.create_task(doing.run())
        while any(count.state.value == "waiting" for count in await database.jobs.counts()):  # noqa: ASYNC110 -- PostgreSQL announces no such thing
            await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.wait({running})


@asynccontextmanager
async def _connected(url: str) -> AsyncGenerator[Database]:
    database = await pool.connect(url, connections_max=10)
    try:
        yield database
    finally:
        await database.close()


def tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 -- a command prints


def say(piece: str) -> None:
    sys.stderr.write(piece)


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with until_stopped() as pause, own_engines(Settings.read(), say=say, pause=pause) as engines:
        run(measure(engines.database_url), pause)


if __name__ == "__main__":
    main()
