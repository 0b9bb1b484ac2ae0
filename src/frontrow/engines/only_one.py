"""One Frontrow per data folder.

The kernel gives the file `up.lock` to one process at a time and takes it back when that process ends, however it
ends. What is written in it only says who has it; nothing is decided by it. The file itself stays.
"""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from frontrow.engines.children import until
from frontrow.engines.home import writing_to
from frontrow.halt import Halt

TAKE_SECONDS_MAX: Final = 0.5  # a look from another terminal (`runs_from`) has the file for microseconds


@contextmanager
def only_one(data_dir: Path, *, url: str) -> Generator[None]:
    """Be the one that runs from this folder, or Halt with who is."""
    with writing_to(data_dir):
        file = (data_dir / "up.lock").open("a+", encoding="utf-8")
    with file:
        if not until(lambda: _taken(file, fcntl.LOCK_EX), seconds=TAKE_SECONDS_MAX):
            file.seek(0)
            pid, _, where = file.read().partition(" ")
            raise Halt(
                f"Frontrow already runs from {data_dir} (pid {pid or 'unknown'}, {where.strip() or 'starting'}); "
                "stop it first, or run another copy with FRONTROW_DATA_DIR=… FRONTROW_PORT=…"
            )
        with writing_to(data_dir):
            file.truncate(0)
            file.write(f"{os.getpid()} {url}\n")
            file.flush()
        yield
        file.truncate(0)


def runs_from(data_dir: Path) -> bool:
    """Whether a Frontrow runs from this folder."""
    try:
        with (data_dir / "up.lock").open("r", encoding="utf-8") as file:
            return not _taken(file, fcntl.LOCK_SH)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _taken(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
