"""Where tests keep what they make: in memory, if there is enough of it.

Every test has a database of its own, which comes and goes as a thousand files. On a disk that others use, making and
removing them took two thirds of the time of all tests. Nothing here tells what is durable from what is not: processes
are killed, machines are not.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 -- tests make folders of their own in it
FREE_BYTES_MIN: Final = 4_000_000_000  # engines of four workers at once took 1.5 GB; containers often have 64 MB


def use_it() -> None:
    """Unless whoever runs the tests says where: TMPDIR."""
    if "TMPDIR" in os.environ or not os.access(IN_MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(IN_MEMORY).free >= FREE_BYTES_MIN:
        os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)
