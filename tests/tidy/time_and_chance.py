"""Rules about clocks and chance: they arrive as arguments."""

from collections.abc import Iterator
from typing import Final

from tests.tidy.source import Finding, Source

CLOCKS: Final = {
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "time.gmtime",
    "time.localtime",
    "time.time",
    "time.time_ns",
}
CHANCE: Final = {"uuid.uuid1", "uuid.uuid4", "uuid.uuid6", "uuid.uuid7"}  # `random` and `secrets`: the import contract


def clock_read(source: Source) -> Iterator[Finding]:
    """Prevents a rule that asks the wrong clock.

    A function that reads the time itself cannot be tested at the second that matters, and two reads in one decision
    can disagree. Whoever wires the process hands the clock down; whether a hold has ended, PostgreSQL's clock says.
    """
    if source.is_python and source.is_in("src"):
        for line, name in source.mentions():
            if name in CLOCKS:
                yield Finding(line, name, f"{name} reads a clock; take `now` as an argument")


def chance_in_core(source: Source) -> Iterator[Finding]:
    """Prevents a draw nobody can repeat: a rule that makes its own ids gives a different answer on each retry."""
    if source.is_python and source.is_in("src/frontrow/core"):
        for line, name in source.mentions():
            if name in CHANCE:
                yield Finding(line, name, f"{name} is chance; take the id as an argument")
