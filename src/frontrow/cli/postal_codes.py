"""`frontrow postal-codes import FILE`: where letters are brought, for people who search near their postal code."""

from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from frontrow.cli.saying import say
from frontrow.processes.postal_codes import import_file
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings

app: Final = typer.Typer(help="Postal codes that can be searched near.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    """One command for now; without this, typer would make it the group itself."""


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file as GeoNames has them: tabs between fields, UTF-8.")],
) -> None:
    """Add the postal codes of a country.

    All lines or none. Those that are there already are moved to where the file has them.
    """
    imported = with_database(Settings.read(), "frontrow postal-codes import", partial(import_file, path=file))
    say(f"imported {imported:,} lines")
