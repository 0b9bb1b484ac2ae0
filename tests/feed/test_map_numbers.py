"""What Prometheus is told of the live map when several workers answer one port."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys, time
from pathlib import Path
from frontrow.core.map_levels import Level
from frontrow.web.map_numbers import MapNumbers
from frontrow.web.metrics import Metrics, share_numbers
folder = Path(sys.argv[1])
share_numbers(folder)
metrics = Metrics(folder)
numbers = MapNumbers(metrics)
numbers.is_at(Level.POLL)
with numbers.streaming():
    print(metrics.text().decode(), flush=True)
    if sys.argv[2] == "stays":
        input()
    else:
        import os
        os._exit(9)
"""


def worker(folder: Path, *, stays: bool) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(folder), "stays" if stays else "dies"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def streams(told: str) -> float:
    [line] = [line for line in told.splitlines() if line.startswith("frontrow_map_streams ")]
    return float(line.split()[1])


def test_streams_of_workers_add_up_and_end_with_them(tmp_path: Path):
    with worker(tmp_path, stays=True) as one:
        assert one.stdout
        first = one.stdout.readline()  # it has written its numbers
        assert first
        dead, _ = worker(tmp_path, stays=False).communicate()
        assert streams(dead) == 2
        next_one, _ = worker(tmp_path, stays=False).communicate()
        assert streams(next_one) == 2, "of this one and the one that stays"
        one.communicate("\n")
