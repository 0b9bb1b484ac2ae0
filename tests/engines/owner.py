"""A process that runs engines until it is asked to stop, as `frontrow up` does: the one that tests kill.

Run as a script it is that process; imported it starts one and watches it.
"""

import os
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from frontrow.engines import pair
from frontrow.halt import Halt
from frontrow.processes.stopping import StopRequested, stop_requests

URL: Final = "http://127.0.0.1:8765/"
RUNNING: Final = "engines run"
SECONDS_MAX: Final = 60.0  # a safety net: nothing here takes a tenth of it


class Owner:
    """One such process."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_words(self, words: str) -> None:
        """Wait until it has said something. It says pieces of lines, so pieces are read."""
        assert self._process.stdout is not None
        said = b""
        while words.encode() not in said:
            piece = os.read(self._process.stdout.fileno(), 4096)
            assert piece, f"it ended after {said!r}"
            said += piece

    def end(self, signal_: int) -> int:
        """Signal it and wait for its end; its exit code."""
        self._process.send_signal(signal_)
        return self._process.wait(SECONDS_MAX)


@contextmanager
def owner(data_dir: Path) -> Generator[Owner]:
    """Start an owner; what is left of it at the end of the block is killed."""
    with subprocess.Popen(command(data_dir), stdout=subprocess.PIPE) as process:
        try:
            yield Owner(process)
        finally:
            process.kill()


def refused(data_dir: Path, *, engine_user: str, by_way_of: Sequence[str | Path] = ()) -> str:
    """Start an owner that must not come to run; what it says instead, on one line."""
    ended = subprocess.run(
        [*by_way_of, *command(data_dir, engine_user)], capture_output=True, text=True, check=False, timeout=SECONDS_MAX
    )
    assert ended.returncode == 1, ended
    (line,) = ended.stderr.splitlines()
    return line


def command(data_dir: Path, engine_user: str = "nobody") -> list[str | Path]:
    return [sys.executable, __file__, data_dir, engine_user]


def main(data_dir: Path, engine_user: str) -> int:
    with stop_requests() as pause:
        try:
            with pair.running(data_dir, engine_user=engine_user, url=URL, say=_say, pause=pause):
                _say(RUNNING)
                while True:
                    pause(SECONDS_MAX)
        except StopRequested:
            return 0
        except Halt as halt:
            sys.stderr.write(f"{halt}\n")
            return 1


def _say(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
