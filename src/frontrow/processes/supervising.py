"""Processes of ours that are kept alive: one that ends is started again, each time after a longer wait."""

import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from frontrow.engines.children import Child, Pause, Say

LOOK_SECONDS: Final = 0.2  # how often a role is looked after; connections wait in the backlog meanwhile
AGAIN_SECONDS_MIN: Final = 0.5
AGAIN_SECONDS_MAX: Final = 30.0  # a fault that lasts must not fill the log
STEADY_SECONDS: Final = 60.0  # who ran for so long has not failed to start
STOP_SECONDS_MORE: Final = 5.0  # what a process gets beyond its own limit for requests, to close its connections


class Role:
    """One process, by the words of the command line that make it."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        *,
        environment: Mapping[str, str],
        inherits: Sequence[int] = (),
        say: Say,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`inherits`: open files of ours that it keeps. `clock`: seconds that never go back."""
        self.name = name
        self._child = Child(
            # -P: a file named like a module, in the folder where somebody started us, must not be taken for it.
            [sys.executable, "-P", "-m", "frontrow", *words],
            stop_by=signal.SIGTERM,
            environment=environment,
            inherits=inherits,
        )
        self._say = say
        self._clock = clock
        self._began = 0.0
        self._wait = 0.0
        self._again_at: float | None = None

    def start(self) -> None:
        self._began, self._again_at = self._clock(), None
        self._child.start()

    def ended(self) -> str | None:
        """How it ended, in words. None: it runs."""
        return self._child.ended()

    def look_after(self) -> None:
        """Start it again if it has ended, and its time has come."""
        ended = self.ended()
        if ended is None:
            return
        if self._again_at is None:
            self._wait = self._next_wait()
            self._again_at = self._clock() + self._wait
            self._say(f"{self.name} ended ({ended}); starting it again in {self._wait:g} s\n")
        elif self._clock() >= self._again_at:
            self.start()

    def ask_to_stop(self) -> None:
        if self.ended() is None:
            os.kill(self._child.pid, signal.SIGTERM)

    def stop(self, *, seconds: float) -> None:
        self._child.stop(seconds=seconds)

    def _next_wait(self) -> float:
        if self._clock() - self._began >= STEADY_SECONDS:
            return AGAIN_SECONDS_MIN
        return min(max(2 * self._wait, AGAIN_SECONDS_MIN), AGAIN_SECONDS_MAX)


@contextmanager
def kept(roles: Sequence[Role], *, stop_seconds_max: float) -> Generator[None]:
    """Start them; at the end of the block ask all to stop at once, and see to it that they do."""
    try:
        for role in roles:
            role.start()
        yield
    finally:
        for role in roles:
            role.ask_to_stop()
        for role in roles:
            role.stop(seconds=stop_seconds_max + STOP_SECONDS_MORE)


def look_after(roles: Sequence[Role], pause: Pause) -> None:
    """One round. Raises what `pause` raises when somebody asks us to stop."""
    for role in roles:
        role.look_after()
    pause(LOOK_SECONDS)
