"""`frontrow mint`: session tokens for load tests."""

from typing import Annotated

import typer

from frontrow.cli.saying import say
from frontrow.core.catalogue import EventId
from frontrow.processes.clock import now
from frontrow.processes.minting import mint as run_mint
from frontrow.settings import Settings

EVENT_ID_MAX = 10**18 - 1


def mint(
    *,
    event: Annotated[int, typer.Option(min=1, max=EVENT_ID_MAX, help="The event whose sessions they are.")],
    count: Annotated[int, typer.Option(min=1, max=10_000_000, help="How many.")] = 1,
) -> None:
    """Make session tokens for load tests.

    Prints one a line, each of a fan of its own. Needs the signing key of the service under test: the same data folder,
    or the same FRONTROW_SIGNING_KEYS.
    """
    for token in run_mint(Settings.read(), EventId(event), count, now=now()):
        say(token)
