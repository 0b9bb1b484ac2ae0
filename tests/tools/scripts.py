"""Running the scripts of tools/ where they can do no harm: in a copy of the checkout, with chosen programs at hand."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]
SECONDS_MAX: Final = 60.0  # a script that hangs fails its test instead of all of them

# What any machine has that runs a shell.
PLAIN: Final = (
    "awk",
    "basename",
    "bash",
    "cat",
    "cksum",
    "cp",
    "cut",
    "date",
    "df",
    "dirname",
    "env",
    "expr",
    "find",
    "flock",
    "grep",
    "id",
    "ln",
    "mkdir",
    "mktemp",
    "rm",
    "rmdir",
    "sed",
    "setpriv",
    "sh",
    "sort",
    "stat",
    "tail",
    "wc",
)  # fmt: skip -- a list of names


def copy(folder: Path, *names: str) -> Path:
    """A copy of some files and folders of the checkout."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, target)
        else:
            shutil.copy2(CHECKOUT / name, target)
    return folder


def path_with(folder: Path, programs: Mapping[str, str] | None = None, *, plain: Iterable[str] = PLAIN) -> str:
    """A PATH on which there are the plain programs, and these scripts by their names, also in place of plain ones."""
    folder.mkdir()
    for name in plain:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    for name, text in (programs or {}).items():
        write_script(folder / name, text)
    return str(folder)


def write_script(path: Path, text: str) -> None:
    """Write a script where nothing stays of what was there: to write through a link changes the machine's program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def run(*command: str | Path, path: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script to its end, with nothing of ours in its environment but what is given."""
    return subprocess.run(
        [str(word) for word in command],
        env={"PATH": path or os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
