"""`frontrow audit`: whether everything that must be true is true."""

import typer

from frontrow.cli.saying import say
from frontrow.processes.auditing import audit as run_audit
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings


def audit() -> None:
    """Check what must always be true.

    Prints a line for each violation, and nothing when all is well.
    """
    found = with_database(Settings.read(), "frontrow audit", run_audit)
    for violation in found:
        say(f"{violation.invariant}: {violation.row}")
    if found:
        raise typer.Exit(1)
