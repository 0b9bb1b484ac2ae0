"""`frontrow gate`: the waiting room's door."""

from frontrow.processes.gate import opened
from frontrow.processes.listening import listen
from frontrow.processes.serving import answer
from frontrow.processes.whereabouts import valkey_of
from frontrow.settings import Settings


def gate() -> None:
    """Run a door of waiting rooms by itself. It needs Valkey, and goes on while PostgreSQL is away."""
    settings = Settings.read()
    answer(opened(settings, valkey_of(settings)), listen(settings), settings)
