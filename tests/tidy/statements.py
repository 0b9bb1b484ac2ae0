"""Rules about SQL files: each is written for a reader who has nothing else."""

import re
from collections.abc import Iterator
from typing import Final

from tests.tidy.source import Finding, Source

FUNCTION: Final = re.compile(r"^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\s+([\w.\"]+)", re.IGNORECASE)
VERSIONED: Final = re.compile(r".*_v[1-9]\d*")


def statement_without_header(source: Source) -> Iterator[Finding]:
    """Prevents the query that nobody dares to change: what it does and why it is safe stands above it."""
    if source.path.suffix != ".sql":
        return
    lines = source.text.splitlines()
    if not lines or not _says_something(lines[0]):
        yield Finding(1, "file", "an SQL file starts with a comment: what it does, and why it is safe")
    for number, line in enumerate(lines, start=1):
        function = FUNCTION.match(line)
        if function and (number == 1 or not lines[number - 2].startswith("--")):
            yield Finding(number, function[1], f"{function[1]} has no comment right above it")


def function_without_version(source: Source) -> Iterator[Finding]:
    """Prevents a deploy that breaks the old processes: while both run, each calls the version it was written for."""
    if source.path.suffix == ".sql":
        for number, line in enumerate(source.text.splitlines(), start=1):
            function = FUNCTION.match(line)
            if function and not VERSIONED.fullmatch(function[1].strip('"')):
                yield Finding(number, function[1], f"{function[1]} needs its version in the name: {function[1]}_v1")


def _says_something(line: str) -> bool:
    return line.startswith("--") and len(line.strip("- ")) > 0
