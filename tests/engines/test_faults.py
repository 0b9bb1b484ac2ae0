"""How the engines' logs are read: the line that says why, and what helps."""

import pytest

from frontrow.engines import postgres, valkey
from frontrow.engines.faults import Faults

STAMP = "2026-03-01 12:00:00.000 UTC [7] "
STARTING = f"{STAMP}FATAL:  the database system is starting up\n"


@pytest.mark.parametrize(
    ("faults", "written", "told"),
    [
        (
            postgres.FAULTS,
            f'{STAMP}FATAL:  could not write to file "pg_wal/xlogtemp.7": No space left on device\n',
            "No space left on device; make room on the disk",  # not: broken data, although it names pg_wal
        ),
        (
            postgres.FAULTS,
            'initdb: error: could not create directory "/srv/half": Read-only file system\n',
            "Read-only file system; choose another folder: FRONTROW_DATA_DIR=…",
        ),
        (
            postgres.FAULTS,
            f"{STAMP}PANIC:  could not locate a valid checkpoint record at 0/1\n{STARTING}",
            "could not locate a valid checkpoint record at 0/1; its data are broken",  # our own asking is no cause
        ),
        (postgres.FAULTS, f"{STAMP}LOG:  starting\n", "killed by SIGKILL"),  # it had no time to say anything
        (
            postgres.FAULTS,
            "FATAL:  cannot run /venv/postgres: No such file or directory\n",
            "cannot run /venv/postgres: No such file or directory; set Frontrow up again: make clean up",
        ),
        (
            valkey.FAULTS,
            "7:M 01 Mar 2026 12:00:00.000 # Failed opening Unix socket: bind: Permission denied\n",
            "Failed opening Unix socket: bind: Permission denied; let the engines' account in",
        ),
        (
            valkey.FAULTS,
            "\n*** FATAL CONFIG FILE ERROR (Version 9.0.0) ***\nReading the configuration file, at line 2\n",
            "FATAL CONFIG FILE ERROR (Version 9.0.0) ***; it does not know a setting of ours",
        ),
    ],
)
def test_a_log_is_told_with_what_helps(faults: Faults, written: str, told: str):
    assert told in faults.told(written, otherwise="killed by SIGKILL")
