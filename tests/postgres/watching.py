"""Waiting for what another connection does, by asking PostgreSQL until it is so."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg

PATIENCE_SECONDS: Final = 20.0  # only a test that fails waits that long
PAUSE_SECONDS: Final = 0.01


async def until(happened: Callable[[], Awaitable[bool]]) -> None:
    """Return as soon as it has happened."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await happened():  # noqa: ASYNC110 -- PostgreSQL announces no such thing
            await asyncio.sleep(PAUSE_SECONDS)


async def until_waiting(watcher: asyncpg.Connection, count: int) -> None:
    """Return as soon as so many connections to the watcher's database wait for a lock."""

    async def waiting() -> bool:
        number = await watcher.fetchval("""
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        """)
        return number == count

    await until(waiting)
