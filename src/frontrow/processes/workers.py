"""The processes that answer HTTP for `frontrow api` and `frontrow up`: as many as are set, all on one socket."""

import socket
import tempfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager

from frontrow.engines.children import Say
from frontrow.processes import stopping
from frontrow.processes.listening import listen
from frontrow.processes.supervising import Role, kept, look_after
from frontrow.settings import Settings, handed_down


@contextmanager
def workers(
    settings: Settings, listening: socket.socket, *, environment: Mapping[str, str], say: Say
) -> Generator[list[Role]]:
    """One role for each worker. They have the socket from us, so it stays open while one of them is replaced."""
    words = ["api", "--listening", str(listening.fileno())]
    with ExitStack() as ending:
        if settings.workers > 1:
            words += ["--numbers", ending.enter_context(tempfile.TemporaryDirectory(prefix="frontrow-numbers-"))]
        yield [
            Role(name, words, environment=environment, inherits=[listening.fileno()], say=say)
            for name in _names(settings.workers)
        ]


def supervise(settings: Settings, *, say: Say) -> None:
    """`frontrow api` with several workers, until somebody asks it to stop."""
    with stopping.until_stopped() as pause, listen(settings) as listening, ExitStack() as ending:
        roles = ending.enter_context(workers(settings, listening, environment=handed_down({}), say=say))
        ending.enter_context(kept(roles, stop_seconds_max=settings.stop_seconds_max))
        ending.callback(listening.close)
        while True:
            look_after(roles, pause)


def _names(count: int) -> list[str]:
    return ["api"] if count == 1 else [f"api {number}" for number in range(1, count + 1)]
