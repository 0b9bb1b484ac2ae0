"""Work that runs as long as a block does."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def alongside(*works: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Each is for ever by itself; the end of the block is theirs."""
    tasks = {asyncio.create_task(work) for work in works}
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
