"""`frontrow feed`: the live map by itself."""

import socket
from typing import Annotated

import typer

from frontrow.processes.feed import opened
from frontrow.processes.listening import listen
from frontrow.processes.serving import answer
from frontrow.settings import Settings


def feed(
    *,
    listening: Annotated[int | None, typer.Option(hidden=True, help="An open socket, to serve on that.")] = None,
) -> None:
    """Run the live map alone, beside `frontrow api`: seats, snapshots and streams of what changes."""
    settings = Settings.read()
    answer(opened(settings), listen(settings) if listening is None else socket.socket(fileno=listening), settings)
