"""One server of ours: from a cold folder to its first answer, and to an orderly end.

What is particular to PostgreSQL and to Valkey is data, a `Recipe`; each has its own file. Nothing here knows either.
"""

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from frontrow.engines.account import Account
from frontrow.engines.children import Child, Pause, Say, until
from frontrow.engines.faults import Faults
from frontrow.engines.leftovers import end_leftovers
from frontrow.halt import Halt

START_SECONDS_MAX: Final = 120.0  # replaying half a gigabyte of WAL on a slow disk; one that ends is noticed at once

# Our environment may hold passwords, and PG* variables that mean another server: programs of ours get none of it.
BARE: Final = ("/usr/bin/env", "-i", "LC_ALL=C.UTF-8", "TZ=UTC")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one server is run."""

    name: str  # for people
    program: str  # for the kernel
    folder: Path  # where it works: how one of an earlier run is known
    command: Sequence[str | Path]
    url: str
    answers: Callable[[], bool]  # asked the way a client asks
    prepare: Callable[[Say, Pause], None]  # what has to be there before it starts
    politely: signal.Signals
    polite_seconds: float
    sharply: signal.Signals
    sharp_seconds: float
    faults: Faults


class Server:
    """A server that is started, looked after and stopped."""

    def __init__(self, recipe: Recipe, *, account: Account, log: Path, say: Say, pause: Pause) -> None:
        self._recipe = recipe
        self._account = account
        self._log = log
        self._say = say
        self._pause = pause
        self._child = Child([*BARE, *recipe.command], stop_by=recipe.politely, account=account, log=log)

    @property
    def name(self) -> str:
        return self._recipe.name

    @property
    def url(self) -> str:
        return self._recipe.url

    def start(self) -> None:
        """Return when it answers. Otherwise Halt with the reason, and nothing of it runs any more."""
        began = time.monotonic()
        self._say(f"{self.name} … ")
        try:
            self._end_leftovers(self._pause)
            self._recipe.prepare(self._say, self._pause)
            self._child.start()
            self._wait_for_answer()
        except BaseException:
            self._end()
            self._say("not started\n")
            raise
        self._say(f"ready after {time.monotonic() - began:.1f} s\n")

    def ended(self) -> str | None:
        """How it ended by itself, in words. None: it runs."""
        return self._child.ended()

    def stop(self) -> None:
        """End it, and what it may have left behind if it ended by itself."""
        self._say(f"stopping {self.name} … ")
        self._end()
        self._end_leftovers(time.sleep)  # whoever asks us to stop cannot ask for more than that
        self._say("stopped\n")

    def _wait_for_answer(self) -> None:
        settled = until(
            lambda: self._child.ended() is not None or self._recipe.answers(),
            seconds=START_SECONDS_MAX,
            pause=self._pause,
        )
        ended = self._child.ended()
        if ended is not None:
            told = self._recipe.faults.told(self._child.written(), otherwise=ended)
            raise Halt(f"{self.name} does not start: {told} (log: {self._log})")
        if not settled:
            raise Halt(f"{self.name} gives no answer within {START_SECONDS_MAX:.0f} s; see its log: {self._log}")

    def _end(self) -> None:
        recipe = self._recipe
        self._child.stop(seconds=recipe.polite_seconds, then=[(recipe.sharply, recipe.sharp_seconds)])

    def _end_leftovers(self, pause: Pause) -> None:
        recipe = self._recipe
        end_leftovers(recipe.folder, recipe.program, self._account, sharply=recipe.sharply, say=self._say, pause=pause)
