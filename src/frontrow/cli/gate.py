"""`frontrow gate`: the waiting room's door."""

import socket
from typing import Annotated

import typer

from frontrow.processes.gate import opened
from frontrow.processes.listening import listen
from frontrow.processes.serving import answer
from frontrow.processes.whereabouts import valkey_of
from frontrow.settings import Settings


def gate(
    *,
    listening: Annotated[int | None, typer.Option(hidden=True, help="An open socket, to serve on that.")] = None,
) -> None:
    """Run a door of waiting rooms by itself. It needs Valkey, and goes on while PostgreSQL is away."""
    settings = Settings.read()
    socket_ = listen(settings) if listening is None else socket.socket(fileno=listening)
    answer(opened(settings, valkey_of(settings)), socket_, settings)
