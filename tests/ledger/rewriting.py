"""Functions of the schema, changed in a test's own database: what is tested is that somebody notices."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import asyncpg


async def text_of(pool: asyncpg.Pool, function: str) -> str:
    """The statement that makes a function as it is."""
    return await pool.fetchval("SELECT pg_get_functiondef(to_regproc($1))", function)


async def rewrite(pool: asyncpg.Pool, function: str, changes: Mapping[str, str]) -> None:
    """Put other words for some of a function's own. They must be there, each once."""
    text = await text_of(pool, function)
    for words, others in changes.items():
        assert text.count(words) == 1, f"{function} has {words!r} {text.count(words)} times"
        text = text.replace(words, others)
    await pool.execute(text)


@asynccontextmanager
async def rewritten(pool: asyncpg.Pool, function: str, changes: Mapping[str, str]) -> AsyncGenerator[None]:
    """The same, until the end of the block."""
    original = await text_of(pool, function)
    await rewrite(pool, function, changes)
    try:
        yield
    finally:
        await pool.execute(original)
