"""Work that runs as long as a block does."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

# A cancellation may be lost on its way: a library that waits for a connection takes it for the end of that wait.
CANCEL_AGAIN_SECONDS: Final = 0.1


@asynccontextmanager
async def alongside(*works: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Each is for ever by itself; the end of the block is theirs."""
    tasks = {asyncio.create_task(work) for work in works}
    try:
        yield
    finally:
        running = tasks
        while running:
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=CANCEL_AGAIN_SECONDS)
