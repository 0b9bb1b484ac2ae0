"""What happens by the clock: late payments come through, pending refunds end, webhooks are delivered, old rows go.

When each is due lies in the store, so that a restart forgets none of it.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import structlog

from frontrow.psp_sim import intents
from frontrow.psp_sim.books import Books, Cause
from frontrow.psp_sim.desk import Clock
from frontrow.psp_sim.store import Delivery
from frontrow.psp_sim.webhooks import next_due, signature

_log = structlog.stdlib.get_logger(__name__)

UNDER_WAY_MAX: Final = 64  # webhooks at once
TOLD_STATUS: Final = range(200, 300)
LOOK_SECONDS_MAX: Final = 1.0
TEND_SECONDS: Final = 1.0

# Posts a body with headers to an address; the status of the answer, or None where there was none.
Post = Callable[[bytes, dict[str, str]], Awaitable[int | None]]


def settle(books: Books, now: float) -> int:
    """End what is due. How many payments and refunds."""
    cause = Cause(now)
    late, pending = books.store.intents_due(now), books.store.refunds_due(now)
    for intent in late:
        assert intent.latest_charge is not None, "it is processing"
        with books.store.whole():
            books.change_intent(intent, intents.settled(intent, charge=intent.latest_charge), cause)
    for refund in pending:
        with books.store.whole():
            books.end_refund(refund, intents.refund_ended(refund, arrives=not refund.ends_badly), cause)
    return len(late) + len(pending)


class Afterwards:
    """Runs beside the desk."""

    def __init__(self, books: Books, *, clock: Clock, post: Post, secrets: Sequence[str]) -> None:
        self._books = books
        self._clock = clock
        self._post = post
        self._secrets = secrets
        self._woken = asyncio.Event()
        self._under_way: dict[asyncio.Task[int | None], Delivery] = {}

    def wake(self) -> None:
        """Something was kept that may be due at once."""
        self._woken.set()

    async def run(self) -> None:
        """Until cancelled."""
        tending = asyncio.create_task(self._tend())
        try:
            while True:
                self._woken.clear()
                try:
                    self.once(self._clock.now())
                except Exception:  # noqa: BLE001 -- one payment that breaks must not keep all others
                    _log.exception("afterwards.broke")
                    await self._clock.pause(LOOK_SECONDS_MAX)
                await self._until_more()
        finally:
            for task in (tending, *self._under_way):
                task.cancel()

    async def _tend(self) -> None:
        """Keep the storage small: what was written is folded in each second, what is old goes a little at a time."""
        while True:
            await self._clock.pause(TEND_SECONDS)
            try:
                with self._books.store.whole():
                    self._books.store.prune(self._clock.now())
                await asyncio.to_thread(self._books.store.fold)
            except sqlite3.Error:
                _log.exception("storage.untended")  # the next second is another chance

    def once(self, now: float) -> None:
        """Write down what has been delivered, end what is due, and send what is due."""
        self._write_down(now)
        settle(self._books, now)
        free = UNDER_WAY_MAX - len(self._under_way)
        if free:
            numbers = [delivery.number for delivery in self._under_way.values()]
            for delivery in self._books.store.deliveries_due(now, besides=numbers, limit=free):
                task = asyncio.ensure_future(self._deliver(delivery, now))
                task.add_done_callback(lambda _: self.wake())
                self._under_way[task] = delivery

    async def drained(self) -> None:
        """Wait for what is under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)
            self._write_down(self._clock.now())

    async def _deliver(self, delivery: Delivery, now: float) -> int | None:
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Stripe-Signature": signature(delivery.body, self._secrets, at=int(now)),
        }
        return await self._post(delivery.body, headers)

    def _write_down(self, now: float) -> None:
        done = [task for task in self._under_way if task.done()]
        if not done:
            return
        with self._books.store.whole():
            for task in done:
                delivery = self._under_way.pop(task)
                status = task.result()
                is_told = status in TOLD_STATUS if status is not None else False
                due = None if is_told else next_due(began=delivery.began, attempts=delivery.attempts + 1, now=now)
                if due is None and not is_told:
                    _log.warning("webhook.given_up", delivery=delivery.number, attempts=delivery.attempts + 1)
                self._books.store.delivery_tried(delivery.number, status=status, next_due=due)

    async def _until_more(self) -> None:
        """Until something is due, or was delivered, or was kept; a look each second costs nothing."""
        seconds = LOOK_SECONDS_MAX
        if not self._under_way:  # what is under way is due as well, and was looked for already
            due = self._books.store.next_due()
            seconds = seconds if due is None else min(seconds, max(0.0, due - self._clock.now()))
        with suppress(TimeoutError):  # time for a look
            async with asyncio.timeout(seconds):
                await self._woken.wait()
