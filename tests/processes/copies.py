"""Copies of Frontrow that tests run: the real program in a process of its own, with a folder and a port of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from tests import servers

SECONDS_MAX: Final = 60.0  # a net below the tests, not a promise
FRONTROW: Final = (sys.executable, "-P", "-m", "frontrow")


@dataclass(frozen=True, slots=True)
class Copy:
    """Where one copy lives, and the words it is called with."""

    data_dir: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        ours = {"FRONTROW_DATA_DIR": str(self.data_dir), "FRONTROW_PORT": str(self.port)}
        return {name: value for name, value in os.environ.items() if not name.startswith("FRONTROW_")} | ours

    def says(self, *words: str, **settings: str) -> "Said":
        """Run one command to its end."""
        ended = subprocess.run(
            [*FRONTROW, *words],
            env=self.environment | settings,
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )
        return Said(ended.returncode, ended.stdout, ended.stderr)

    def start(self, *words: str, **settings: str) -> "Started":
        return Started([*FRONTROW, *words], self.data_dir.parent, self.environment | settings)

    def status(self, path: str) -> int | None:
        """What it answers. None: nobody does."""
        try:
            return httpx.get(self.url + path, timeout=SECONDS_MAX).status_code
        except httpx.TransportError:
            return None


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended."""

    status: int
    out: str
    err: str


class Started:
    """A command that goes on until it is asked to stop."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._file = folder / f"said-{time.monotonic_ns()}"
        with self._file.open("wb") as file:
            self.process = subprocess.Popen(command, env=environment, stdout=file, stderr=file, start_new_session=True)

    @property
    def said(self) -> str:
        return self._file.read_text(encoding="utf-8")

    def until_says(self, pattern: str) -> "Started":
        wait_for(lambda: re.search(pattern, self.said) or self.process.poll() is not None, lambda: self.said)
        assert re.search(pattern, self.said), self.said
        return self

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and wait until it has."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        return self.process.wait(SECONDS_MAX)


def wait_for(happened: Callable[[], object], told: Callable[[], object] = lambda: "") -> None:
    deadline = time.monotonic() + SECONDS_MAX
    while not happened():
        assert time.monotonic() < deadline, told()
        time.sleep(0.02)


@contextmanager
def new_copy() -> Generator[Copy]:
    with servers.engines_folder() as data_dir:
        yield Copy(data_dir, free_port())


@contextmanager
def running(copy: Copy, *words: str, **settings: str) -> Generator[Started]:
    """A copy that is `up` until the end of the block."""
    started = copy.start("up", *words, **settings)
    try:
        yield started.until_says("Frontrow is at")
    finally:
        started.stop()


def free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port: int = chosen.getsockname()[1]
        return port


def processes_of(copy: Copy) -> dict[int, str]:
    """All processes that know this copy's folder, by their command line or environment, or work in it."""
    own = os.fsencode(copy.data_dir)
    found = {int(entry.name): _about(entry) for entry in Path("/proc").iterdir() if entry.name.isdecimal()}
    return {pid: about[0] for pid, about in found.items() if own in about[1] and pid != os.getpid()}


def _about(process: Path) -> tuple[str, bytes]:
    """The command line, and everything that names a folder."""
    try:
        command = (process / "cmdline").read_bytes()
        return command.replace(b"\0", b" ").decode(errors="replace"), command + (process / "environ").read_bytes()
    except OSError:
        return "", b""  # it has just ended, or is not ours
