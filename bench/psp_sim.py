# noqa: INP001 -- a script, run by name
"""How many payments psp-sim carries. Run `python bench/psp_sim.py [SECONDS]`.

Two calls for each: authorised, then captured, each with an idempotency key, from 32 connections that wait for their
answers. The provider is the real program with a folder of its own; both share the machine, so the figure that counts
beside calls a second is how much processor time the provider takes for a call.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any, Final

CONNECTIONS: Final = 32
SECONDS: Final = 10.0
TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
FIRST: Final = (
    "amount=4500&currency=eur&confirm=true&capture_method=manual&payment_method=pm_ok&payment_method_types[]=card"
)


@contextmanager
def provider() -> Generator[tuple[int, int]]:
    """Its process and its port."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        words = ["psp-sim", "--latency-ms=0", f"--listening={listening.fileno()}"]
        process = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-P", "-m", "frontrow", *words],
            env=os.environ | {"FRONTROW_DATA_DIR": folder, "FRONTROW_LOG_LEVEL": "warning"},
            pass_fds=[listening.fileno()],
        )
        yield process.pid, listening.getsockname()[1]
        process.terminate()
        process.wait()


def request(path: str, body: str, key: str) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer sk_test_frontrow\r\nIdempotency-Key: {key}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


async def answers(port: int, fan: int, end: float) -> AsyncGenerator[float]:
    """The seconds of each call of one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def asked(path: str, body: str, key: str, status: str) -> dict[str, Any]:
        writer.write(request(path, body, key))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        intent: dict[str, Any] = json.loads(await reader.readexactly(length))
        assert intent["status"] == status, intent
        return intent

    number = 0
    while time.perf_counter() < end:
        number += 1
        began = time.perf_counter()
        intent = await asked("/v1/payment_intents", FIRST, f"make-{fan}-{number}-{end}", "requires_capture")
        yield time.perf_counter() - began
        began = time.perf_counter()
        await asked(f"/v1/payment_intents/{intent['id']}/capture", "", f"take-{fan}-{number}-{end}", "succeeded")
        yield time.perf_counter() - began
    writer.close()


async def load(port: int, seconds: float) -> list[float]:
    end = time.perf_counter() + seconds

    async def one(fan: int) -> list[float]:
        async with aclosing(answers(port, fan, end)) as taken:
            return [each async for each in taken]

    return sorted(each for fan in await asyncio.gather(*(one(fan) for fan in range(CONNECTIONS))) for each in fan)


def processor_seconds(process: int) -> float:
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / TICKS_PER_SECOND


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with provider() as (process, port):
        asyncio.run(load(port, 1.0))  # it has started, and is warm
        before, began = processor_seconds(process), time.perf_counter()
        taken = asyncio.run(load(port, seconds))
        passed, used = time.perf_counter() - began, processor_seconds(process) - before
    calls = len(taken)
    sys.stdout.write(
        f"{calls / passed:.0f} calls/s, {calls / passed / 2:.0f} payments/s; p50 {taken[calls // 2] * 1e3:.1f} ms, "
        f"p99 {taken[calls * 99 // 100] * 1e3:.1f} ms; {calls / used:.0f} calls for each second of one core\n"
    )


if __name__ == "__main__":
    main()
