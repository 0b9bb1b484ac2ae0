"""A CAPTCHA service for tests, on this machine: it knows one secret, and one token that a person has earned."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

SECRET: Final = "what the service knows us by"  # noqa: S105 -- it is one, of nobody
PERSON: Final = "given to a person"


@dataclass
class CaptchaService:
    """Where it answers, and how it is."""

    url: str = ""
    asked: int = 0
    status: int = 200
    is_frozen: bool = False
    thawed: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked += 1
        if self.is_frozen:
            await self.thawed.wait()
        said = await request.post()
        is_right = (said.get("secret"), said.get("response")) == (SECRET, PERSON)
        return web.json_response({"success": is_right, "error-codes": []}, status=self.status)


@asynccontextmanager
async def captcha_service() -> AsyncGenerator[CaptchaService]:
    service = CaptchaService()
    app = web.Application()
    app.router.add_post("/siteverify", service.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    service.url = f"http://{host}:{port}/siteverify"
    try:
        yield service
    finally:
        service.thawed.set()
        await runner.cleanup()
