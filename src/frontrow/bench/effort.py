"""What a measurement costs: processor time and memory of processes with their children, and a disk's way to durable.

Read from /proc, so that what is measured is not touched. This says which part of the whole is the limit.
"""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from frontrow.bench.figures import median

TICKS_PER_SECOND: Final = os.sysconf("SC_CLK_TCK")
KB_PER_MB: Final = 1024
BLOCK: Final = bytes(8192)  # a page of PostgreSQL's log
SYNCS: Final = 50

# Fields of /proc/PID/stat after the name, which may hold spaces and ends with a bracket.
_PARENT: Final = 1
_OWN_TICKS: Final = slice(11, 13)  # in programs, in the kernel for them
_ENDED_CHILDREN_TICKS: Final = slice(13, 15)


def cpu_seconds(pid: int) -> float:
    """Processor time that a process and all its children have had since they began."""
    stats = _stats()
    children: dict[int, list[int]] = {}
    for child, fields in stats.items():
        children.setdefault(int(fields[_PARENT]), []).append(child)
    return _ticks(pid, stats, children) / TICKS_PER_SECOND


def resident_mb(pid: int) -> float:
    """Memory that the process has at the moment."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    kb = next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1]
    return int(kb) / KB_PER_MB


def parent_of(pid: int) -> int:
    """Who started a process."""
    return int(_fields(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8"))[_PARENT])


def sync_seconds(folder: Path) -> float:
    """How long this disk takes until a page is durable, as PostgreSQL waits for it at each commit."""
    took: list[float] = []
    probe = folder / "sync-probe"
    opened = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(opened, BLOCK * SYNCS)
        os.fsync(opened)
        for page in range(SYNCS):
            began = time.perf_counter()
            os.pwrite(opened, BLOCK, page * len(BLOCK))
            os.fdatasync(opened)
            took.append(time.perf_counter() - began)
    finally:
        os.close(opened)
        probe.unlink()
    return median(took)


def _stats() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):  # it has just ended
                found[int(entry.name)] = _fields((entry / "stat").read_text(encoding="utf-8", errors="replace"))
    return found


def _fields(stat: str) -> list[str]:
    return stat.rpartition(")")[2].split()


def _ticks(root: int, stats: Mapping[int, list[str]], children: Mapping[int, list[int]]) -> int:
    """Time of children that ended is in their parent's account."""
    waiting, ticks = [root], 0
    while waiting:
        pid = waiting.pop()
        fields = stats.get(pid)
        if fields is not None:
            ticks += sum(int(field) for field in (*fields[_OWN_TICKS], *fields[_ENDED_CHILDREN_TICKS]))
            waiting += children.get(pid, [])
    return ticks
