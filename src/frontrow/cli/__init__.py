"""The executable `frontrow`: words in, words out. Each command is a file; what it does lies in the layers below."""

import sys
from typing import Annotated, Final

import typer

from frontrow import __version__
from frontrow.cli import (
    api,
    audit,
    bench,
    db,
    demo,
    doctor,
    feed,
    gate,
    jobs,
    line,
    mint,
    postal_codes,
    psp_sim,
    sweeper,
    up,
)
from frontrow.cli.saying import say
from frontrow.halt import Halt

INTERRUPTED: Final = 130  # what shells call an end by Ctrl-C

app: Final = typer.Typer(
    help="Frontrow: ticketing that survives the on-sale.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("up")(up.up)
app.command("api")(api.api)
app.command("sweeper")(sweeper.sweeper)
app.command("feed")(feed.feed)
app.command("gate", hidden=True)(gate.gate)  # hidden until it does something
app.add_typer(db.app, name="db")
app.command("demo")(demo.demo)
app.add_typer(postal_codes.app, name="postal-codes")
app.command("audit")(audit.audit)
app.command("doctor")(doctor.doctor)
app.add_typer(jobs.app, name="jobs")
app.add_typer(line.app, name="line")
app.command("mint")(mint.mint)
app.command("psp-sim")(psp_sim.psp_sim)
app.add_typer(bench.app, name="bench")


@app.callback(invoke_without_command=True)
def without_command(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Frontrow: ticketing that survives the on-sale."""
    if version:
        say(f"frontrow {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(context.get_help())


def main() -> int:
    """Run one command. A Halt becomes one line on standard error and exit code 1."""
    try:
        app()
    except Halt as halt:
        print(f"frontrow: {halt}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
