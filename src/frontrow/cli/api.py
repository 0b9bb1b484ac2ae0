"""`frontrow api`: the service alone, beside servers that run already."""

import socket
from pathlib import Path
from typing import Annotated

import typer

from frontrow.cli.saying import progress
from frontrow.processes.api import opened
from frontrow.processes.listening import listen
from frontrow.processes.serving import answer
from frontrow.processes.workers import supervise
from frontrow.settings import Settings


def api(
    *,
    listening: Annotated[int | None, typer.Option(hidden=True, help="An open socket: be one worker on it.")] = None,
    numbers: Annotated[Path | None, typer.Option(hidden=True, help="Where the workers of one port count.")] = None,
) -> None:
    """Run the service that people call.

    PostgreSQL and Valkey have to be there: yours, or those of a `frontrow up` in the same data folder.
    """
    settings = Settings.read()
    if listening is not None:
        answer(opened(settings, numbers=numbers), socket.socket(fileno=listening), settings)
    elif settings.workers == 1:
        answer(opened(settings), listen(settings), settings)
    else:
        supervise(settings, say=progress)
