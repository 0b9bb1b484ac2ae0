"""`frontrow doctor`: the settings, the engines and the machine, and what to mend."""

import asyncio

import typer

from frontrow.cli.saying import say
from frontrow.processes.checkup import check_up
from frontrow.settings import Settings, explained

SIGNS = {"ok": "ok   ", "note": "note ", "mend": "MEND "}


def doctor() -> None:
    """Say what has to be mended.

    Shows every setting and where it came from, and looks at engines, clock, disk, port and limits. Exit code 1 when
    something has to be mended.
    """
    settings = Settings.read()
    lines = list(explained(settings))
    width = max(len(line.variable) for line in lines)
    for line in lines:
        say(f"{line.variable:{width}}  {line.value}  ({line.origin})")
    findings = asyncio.run(check_up(settings))
    say("")
    for finding in findings:
        say(f"{SIGNS[finding.verdict]} {finding.about}: {finding.told}")
    if any(finding.verdict == "mend" for finding in findings):
        raise typer.Exit(1)
