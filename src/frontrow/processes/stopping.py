"""How a process of ours is asked to stop: signals that wait until somebody looks.

SIGINT, SIGTERM and SIGHUP are blocked, and every wait looks for them. They therefore never strike in the middle of
something: an engine that is being started is either started or stopped again, in order. A second Ctrl-C changes
nothing; each step of stopping has its own limit.
"""

import asyncio
import os
import signal
from collections.abc import Coroutine, Generator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import uvloop

from frontrow.engines.children import Pause
from frontrow.engines.launch import die_with_parent

Result = TypeVar("Result")

REQUESTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS: Final = 0.1  # a person who pressed Ctrl-C does not notice less


class StopRequested(Exception):  # noqa: N818 -- nothing went wrong
    """Somebody asked us to stop."""

    def __init__(self, by: signal.Signals) -> None:
        """`by`: the signal that asked."""
        super().__init__(by.name)
        self.by = by


@contextmanager
def stop_requests() -> Generator[Pause]:
    """Hold the requests back. What is handed out waits so many seconds, and raises StopRequested when one is there."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, REQUESTS)
    try:
        yield _pause
    finally:
        while signal.sigtimedwait(REQUESTS, 0):  # the same wish, once more: it has been granted
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def until_stopped() -> Generator[Pause]:
    """The same for a service, whose ordinary end a request to stop is."""
    with suppress(StopRequested), stop_requests() as pause:
        yield pause


def stop_with_parent() -> None:
    """Ask to be stopped when our parent ends, however it ends."""
    parent = os.getppid()
    if not die_with_parent(signal.SIGTERM, parent=parent):
        os.kill(os.getpid(), signal.SIGTERM)


def run(work: Coroutine[Any, Any, Result], pause: Pause) -> Result:
    """Run something asynchronous to its end; a request to stop cancels it."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        return loop.run(_watched(work, pause))


def run_until_stopped(work: Coroutine[Any, Any, object]) -> None:
    """Run a service: a request to stop is its ordinary end."""
    with until_stopped() as pause:
        run(work, pause)


async def _watched(work: Coroutine[Any, Any, Result], pause: Pause) -> Result:
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
            pause(0)
    except StopRequested:
        task.cancel()
        await asyncio.wait({task})
        raise
    return task.result()


def _pause(seconds: float) -> None:
    request = signal.sigtimedwait(REQUESTS, seconds)
    if request is not None:
        raise StopRequested(signal.Signals(request.si_signo))
