"""`frontrow up`: everything on one machine."""

from typing import Annotated

import typer

from frontrow.cli.demo import plant
from frontrow.cli.saying import progress
from frontrow.processes.up import Plan
from frontrow.processes.up import up as run_up
from frontrow.settings import Settings


def up(
    *,
    with_parent: Annotated[
        bool, typer.Option("--with-parent", help="Stop when the program that started this ends.")
    ] = False,
    no_demo: Annotated[bool, typer.Option("--no-demo", help="Begin with an empty catalogue.")] = False,
) -> None:
    """Run all of Frontrow on this machine.

    The embedded database gets a demo, so that there is something to look at.
    A PostgreSQL that FRONTROW_DATABASE_URL names gets the schema but no demo; `frontrow demo` plants it there.
    """
    settings = Settings.read()
    with_demo = not no_demo and settings.database_url is None
    run_up(Plan(settings, plant=plant if with_demo else None, with_parent=with_parent), say=progress)
