"""The executable `frontrow`: words in, words out. Each command is a file; what it does lies in the layers below.

Only the file of the command that is asked for is read, with all that it stands on: most of the time that a short
command takes is spent on that.
"""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from frontrow import __version__
from frontrow.cli.saying import say
from frontrow.halt import Halt

INTERRUPTED: Final = 130  # what shells call an end by Ctrl-C

# As help lists them. The file of a command has its name, and in it a function of that name or, for a group, an `app`.
COMMANDS: Final = (
    "up",
    "api",
    "sweeper",
    "feed",
    "gate",
    "db",
    "demo",
    "postal-codes",
    "audit",
    "doctor",
    "jobs",
    "line",
    "codes",
    "mint",
    "reconcile",
    "tickets",
    "psp-sim",
    "bench",
)


def app(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands in it."""
    made = typer.Typer(
        help="Frontrow: ticketing that survives the on-sale.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback(invoke_without_command=True)(_without_command)
    for name in commands:
        found = _found(name)
        if isinstance(found, typer.Typer):
            made.add_typer(found, name=name)
        else:
            made.command(name)(found)
    return made


def main() -> int:
    """Run one command. A Halt becomes one line on standard error and exit code 1."""
    try:
        app(_asked_for(sys.argv[1:]))()
    except Halt as halt:
        print(f"frontrow: {halt}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _asked_for(words: Sequence[str]) -> Iterable[str]:
    """The command that the words begin with; all of them where there is none, for help and for a word amiss."""
    return [words[0]] if words and words[0] in COMMANDS else COMMANDS


def _found(name: str) -> Any:  # noqa: ANN401 -- typer takes functions of every shape
    module_name = name.replace("-", "_")
    module = import_module(f"frontrow.cli.{module_name}")
    return getattr(module, "app", None) or getattr(module, module_name)


def _without_command(
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
