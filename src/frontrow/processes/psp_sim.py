"""psp-sim, wired: its storage in the data folder, the wall clock, and webhooks over the network."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import aiohttp
from starlette.types import ASGIApp

from frontrow.processes.clock import now
from frontrow.psp_sim.afterwards import Post
from frontrow.psp_sim.desk import Clock
from frontrow.psp_sim.service import Options
from frontrow.psp_sim.service import opened as put_together
from frontrow.settings import Settings

FOLDER: Final = "psp-sim"
ANSWER_SECONDS_MAX: Final = 20.0  # for who is told of an event; as long as Stripe waits


@asynccontextmanager
async def opened(settings: Settings, options: Options) -> AsyncGenerator[ASGIApp]:
    async with AsyncExitStack() as ending:
        session = await ending.enter_async_context(
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS_MAX))
        )
        clock = Clock(now=lambda: now().timestamp())
        service = put_together(
            settings.data_dir / FOLDER, options, clock=clock, post=_posting(session, options.webhook_url)
        )
        ending.callback(service.store.close)
        running = asyncio.create_task(service.afterwards.run())
        ending.push_async_callback(_ended, running)
        yield service.app


def _posting(session: aiohttp.ClientSession, url: str | None) -> Post:
    async def post(body: bytes, headers: dict[str, str]) -> int | None:
        if url is None:
            return None
        try:
            async with session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                return answer.status
        except (aiohttp.ClientError, TimeoutError):
            return None  # tried again later

    return post


async def _ended(running: asyncio.Task[None]) -> None:
    running.cancel()
    await asyncio.wait({running})
