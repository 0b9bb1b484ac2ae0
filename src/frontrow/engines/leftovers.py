"""Servers of an earlier run that are still at work in our folder.

After kill -9 of the supervisor the kernel has told them to stop, and they are at it; a start right afterwards waits.
Only processes that are verified to be that program in that folder are ever signalled.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

from frontrow.engines.account import Account
from frontrow.engines.children import Pause, Say, until
from frontrow.halt import Halt

PATIENT_SECONDS: Final = 20.0  # a fast shutdown writes its last checkpoint: seconds on a slow disk
SHARP_SECONDS: Final = 10.0

# The processes whose working directory is $0. The kernel tells it to the account that they run as; to root only where
# root may trace others, and inside a container it may not.
WORKING_THERE: Final = 'for it in /proc/[0-9]*; do [ "$it/cwd" -ef "$0" ] && echo "${it#/proc/}"; done; :'


def end_leftovers(
    folder: Path, program: str, account: Account, *, sharply: signal.Signals, say: Say, pause: Pause
) -> None:
    """Return when no such server works in that folder any more.

    First they are only waited for: a polite signal is for the one that leads them, and means other things to the
    rest (SIGINT has PostgreSQL's checkpointer end the log, while others may still write to it).
    """
    if not at_work(folder, program, account):
        return
    say("waiting for the one of the last run to stop … ")
    if until(lambda: not at_work(folder, program, account), seconds=PATIENT_SECONDS, pause=pause):
        return
    for pid in at_work(folder, program, account):
        with suppress(ProcessLookupError, PermissionError):  # it has just ended; we may not, and say so below
            os.kill(pid, sharply)
    if not until(lambda: not at_work(folder, program, account), seconds=SHARP_SECONDS, pause=pause):
        pids = " ".join(map(str, at_work(folder, program, account)))
        raise Halt(f"the {program} of an earlier run works in {folder} and does not stop; end it by hand: kill {pids}")


def at_work(folder: Path, program: str, account: Account) -> list[int]:
    """Processes of a program that work in a folder: asked of the kernel, for a pid file may name anything."""
    found = account.told("/bin/sh", "-c", WORKING_THERE, folder)
    if found is None:
        raise Halt(f"cannot find out which processes work in {folder}; is /proc mounted?")
    return [pid for pid in map(int, found.split()) if _is(pid, program)]


def _is(pid: int, program: str) -> bool:
    try:
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False  # it has just ended
    return name.rstrip("\n") == program
