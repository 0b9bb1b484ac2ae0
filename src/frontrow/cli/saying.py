"""What a command says, on standard output. Faults and logs go to standard error."""

import os
import sys
from contextlib import suppress

from frontrow.halt import Halt


def say(line: str) -> None:
    """A line of the result. Nobody there to take it (`frontrow doctor | head -1`) ends the command."""
    try:
        print(line, flush=True)
    except OSError as error:
        _give_up_output()
        raise Halt(f"standard output takes no more: {error.strerror}") from error


def progress(piece: str) -> None:
    """A piece of a line about how it goes. A service goes on when nobody listens any more."""
    try:
        print(piece, end="", flush=True)
    except OSError:
        _give_up_output()


def _give_up_output() -> None:
    """Whatever is said from here on goes nowhere; what waits in the buffer too, or the interpreter would complain."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
