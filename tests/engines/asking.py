"""Questions to the engines of a test: does it answer, does anything of it still run."""

import asyncio
from pathlib import Path

import asyncpg
from tests import servers

from frontrow.engines.account import engine_account
from frontrow.engines.leftovers import at_work


def ask(database_url: str | None, statement: str) -> object:
    """The first value that PostgreSQL answers with. A loop of our own: engines are started without one."""
    assert database_url is not None
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(_answer(database_url, statement))


def engines_at_work(data_dir: Path) -> list[int]:
    """Processes of the engines of a folder."""
    account = engine_account(servers.ENGINE_USER)
    places = (("postgres/data", "postgres"), ("postgres/half", "postgres"), ("valkey", "valkey-server"))
    return [pid for place, program in places for pid in at_work(data_dir / place, program, account)]


async def _answer(database_url: str, statement: str) -> object:
    connection = await asyncpg.connect(database_url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()
