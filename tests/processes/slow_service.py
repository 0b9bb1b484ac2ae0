"""A service for test_serving.py, to be run as a program: it answers what nobody waits for otherwise.

Its argument is an open socket; settings come from the environment. SIGUSR1 says that the answer may end.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from frontrow.processes.serving import answer
from frontrow.settings import Settings

PIECE_SECONDS: Final = 0.02


@asynccontextmanager
async def opened() -> AsyncGenerator[ASGIApp]:
    may_end = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, may_end.set)

    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        match scope["path"]:
            case "/waits":
                await send({"type": "http.response.body", "body": b"begun ", "more_body": True})
                await may_end.wait()
            case "/stream":
                while True:
                    await send({"type": "http.response.body", "body": b"more ", "more_body": True})
                    await asyncio.sleep(PIECE_SECONDS)
            case _:
                pass
        await send({"type": "http.response.body", "body": b"done", "more_body": False})

    try:
        yield app
    finally:
        sys.stdout.write("closed\n")


if __name__ == "__main__":
    answer(opened(), socket.socket(fileno=int(sys.argv[1])), Settings.read())
