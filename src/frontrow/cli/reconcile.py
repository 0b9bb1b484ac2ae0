"""`frontrow reconcile`: every payment at the provider, compared with ours."""

from dataclasses import asdict
from typing import Annotated

import msgspec
import typer

from frontrow.cli.saying import say
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.halt import Halt
from frontrow.processes.reconciling import reconcile as compared
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings


def reconcile(
    *,
    json: Annotated[bool, typer.Option("--json", help="Print one object for programs.")] = False,
    hours: Annotated[float, typer.Option(min=0.1, max=8_760, help="How far to look back.")] = 25.0,
) -> None:
    """Compare all payments with the payment provider, both ways.

    What can be repaired is; what is left is printed, a line each, and ends with exit code 1. What is younger than two
    minutes may be under way and is left for the next time.
    """
    settings = Settings.read()
    try:
        found = with_database(settings, "reconcile", lambda url: compared(settings, url, hours=hours))
    except (UnavailableError, OutcomeUnknownError) as error:
        raise Halt(f"not all could be compared: {error}") from error
    left = [finding for finding in found.findings if not finding.is_repaired]
    if json:
        say(msgspec.json.encode(asdict(found) | {"differences": len(left)}).decode())
    else:
        for finding in found.findings:
            what, ref = "repaired" if finding.is_repaired else "differs", finding.ref or finding.attempt_id
            say(f"{what}: {finding.kind}: {ref}, here {finding.here}, there {finding.there}")
    if left:
        raise typer.Exit(1)
