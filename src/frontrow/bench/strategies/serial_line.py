"""Serial queue: the requests of an event wait in memory, and one worker writes them one by one, a commit each.

The worker is alone, so nothing is ever locked, compared or tried again, and everybody behind a hold waits for its
commit. Tuned, a hold is one call.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import asyncpg

from frontrow.bench.strategies.seat_rows import HOLD_IF_FREE, STORED, call_hold_if_free, fill, hold_if_free, seat_rows
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest

Waiting = tuple[HoldRequest, "asyncio.Future[bool]"]


class _Lines:
    """Of each event, who waits and the worker that serves them."""

    def __init__(self, pool: asyncpg.Pool, workers: asyncio.TaskGroup, *, tuned: bool) -> None:
        self._pool = pool
        self._workers = workers
        self._write = call_hold_if_free if tuned else hold_if_free
        self._lines: dict[EventId, asyncio.Queue[Waiting]] = {}
        self._working: list[asyncio.Task[None]] = []

    async def hold(self, event_id: EventId, request: HoldRequest) -> bool:
        line = self._lines.get(event_id)
        if line is None:
            line = self._lines[event_id] = asyncio.Queue()
            self._working.append(self._workers.create_task(self._serve(event_id, line)))
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        line.put_nowait((request, answer))
        return await answer

    def end(self) -> None:
        for worker in self._working:
            worker.cancel()

    async def _serve(self, event_id: EventId, line: "asyncio.Queue[Waiting]") -> None:
        while True:
            request, answer = await line.get()
            is_held = await self._write(self._pool, event_id, request)
            if not answer.done():  # whoever asked may have gone away
                answer.set_result(is_held)


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    async with seat_rows(bench, HOLD_IF_FREE) as pool, asyncio.TaskGroup() as workers:
        lines = _Lines(pool, workers, tuned=bench.tuned)
        yield AtWork(put_on_sale=partial(fill, pool, bench), hold=lines.hold)
        lines.end()


SERIAL_LINE: Final = Strategy(name="serial_line", title="Serial queue", durable=True, stored=STORED, at_work=at_work)
