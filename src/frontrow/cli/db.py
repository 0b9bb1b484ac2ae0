"""`frontrow db migrate` and `frontrow db status`: the schema."""

from typing import Final

import typer

from frontrow.cli.saying import say
from frontrow.processes.preparing import migrate as run_migrations
from frontrow.processes.preparing import schema
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings

app: Final = typer.Typer(help="The schema of the database.", no_args_is_help=True, rich_markup_mode=None)


@app.command()
def migrate() -> None:
    """Bring the schema up to this Frontrow. A second time changes nothing."""
    ran = with_database(Settings.read(), "frontrow db migrate", run_migrations)
    for name in ran:
        say(f"ran {name}")
    if not ran:
        say("nothing to run: the schema is up to date")


@app.command()
def status() -> None:
    """Say which migrations ran and which have to; exit code 1 where this Frontrow cannot work with the database."""
    state = with_database(Settings.read(), "frontrow db status", schema)
    say(f"PostgreSQL {state.server}")
    for applied in state.applied:
        say(f"{applied.name}  ran {applied.applied_at:%Y-%m-%d %H:%M} UTC")
    for name in state.pending:
        say(f"{name}  to run")
    if state.misunderstanding:
        say(state.misunderstanding)
        raise typer.Exit(1)
