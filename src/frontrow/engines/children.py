"""Processes that we start and that never outlive us.

A child is in its own session, so Ctrl-C in the terminal reaches only us and we end it in order. It asks the kernel
for a signal on our death, so even kill -9 leaves no orphan. The kernel means the death of the *thread* that started
it, so children are started from the main thread only.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from frontrow.engines import launch
from frontrow.engines.account import Account

Pause = Callable[[float], None]  # waits so many seconds; may raise to have the waiting given up
Say = Callable[[str], None]  # writes a piece of a line for the person in front of the terminal

POLL_SECONDS: Final = 0.02
KILL_SECONDS_MAX: Final = 5.0  # even SIGKILL waits for a disk that hangs
LOG_BYTES_MAX: Final = 4_000_000  # a longer log starts anew; one older piece is kept


def until(happened: Callable[[], bool], *, seconds: float, pause: Pause = time.sleep) -> bool:
    """Wait until something has happened. False: it has not, in that time."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() >= deadline:
            return False
        pause(POLL_SECONDS)
    return True


class Child:
    """One process of ours: how it starts, how it ended, how it is stopped."""

    def __init__(
        self,
        program: Sequence[str | Path],
        *,
        stop_by: signal.Signals,
        account: Account | None = None,
        environment: Mapping[str, str] | None = None,
        log: Path | None = None,
        inherits: Sequence[int] = (),
    ) -> None:
        """`inherits`: open files of ours that the child keeps, under the same numbers."""
        self._program = [str(word) for word in program]
        self._stop_by = stop_by
        self._account = account
        self._environment = environment
        self._log = log
        self._inherits = tuple(inherits)
        self._log_start = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        assert self._process is None or self._process.poll() is not None, "runs already"
        assert threading.current_thread() is threading.main_thread(), "it would die with this thread"
        if self._log is None:
            self._process = self._launch(output=None)
            return
        _turn_over(self._log)
        with self._log.open("ab") as output:
            self._log_start = output.tell()
            self._process = self._launch(output=output.fileno())

    def _launch(self, *, output: int | None) -> subprocess.Popen[bytes]:
        uid, gid = (self._account.uid, self._account.gid) if self._account else (os.geteuid(), os.getegid())
        wishes = [os.getpid(), int(self._stop_by), uid, gid]
        return subprocess.Popen(  # noqa: S603 -- our own programs
            [sys.executable, "-I", "-S", launch.__file__, *map(str, wishes), *self._program],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=self._environment,
            pass_fds=self._inherits,
            start_new_session=True,
        )

    def ended(self) -> str | None:
        """How it ended, in words. None: it runs, or was never started."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            return None
        return f"exit code {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"

    def succeeded(self) -> bool:
        return self._process is not None and self._process.poll() == 0

    def stop(self, *, seconds: float, then: Iterable[tuple[signal.Signals, float]] = ()) -> None:
        """End it: politely for so long, then by the signals named, at last by force."""
        if self._process is None:
            return
        for sign, patience in ((self._stop_by, seconds), *then, (signal.SIGKILL, KILL_SECONDS_MAX)):
            if self._process.poll() is not None:
                return
            self._process.send_signal(sign)
            if until(lambda: self.ended() is not None, seconds=patience):
                return

    def written(self) -> str:
        """What it has written to its log since its last start."""
        if self._log is None:
            return ""
        with self._log.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")


def _turn_over(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_BYTES_MAX:
        log.replace(log.with_suffix(".log.1"))
