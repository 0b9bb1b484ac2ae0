"""`frontrow codes …`: codes of presales, for organizers."""

import secrets
from datetime import datetime
from typing import Annotated, Final

import typer

from frontrow.cli.saying import say
from frontrow.core.catalogue import EventId
from frontrow.halt import Halt
from frontrow.processes import presales
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings

app: Final = typer.Typer(help="Codes that let fans in before others.", no_args_is_help=True, rich_markup_mode=None)

EVENT_ID_MAX: Final = 10**18 - 1
COUNT_MAX: Final = 10_000_000

OfEvent = Annotated[int, typer.Option("--event", min=1, max=EVENT_ID_MAX, help="The event that they are for.")]


@app.command()
def make(*, event: OfEvent, count: Annotated[int, typer.Option(min=1, max=COUNT_MAX, help="How many.")] = 1) -> None:
    """Make codes, one a line. Each lets in one fan.

    Needs the signing key of the service: the same data folder, or the same FRONTROW_SIGNING_KEYS.
    """
    for code in presales.make(Settings.read(), EventId(event), count, chance=secrets.randbits):
        say(code)


@app.command()
def require(
    *, event: OfEvent, until: Annotated[str, typer.Option(help="A time with its zone: 2027-03-01T10:00:00Z.")]
) -> None:
    """Let in fans with a code alone, until a time. Whoever is inside may stay."""
    at = _time(until)
    with_database(Settings.read(), "codes require", lambda url: presales.ask_until(url, EventId(event), at))
    say(f"event {event}: with a code alone, until {at.isoformat()}")


@app.command()
def free(*, event: OfEvent) -> None:
    """Let everybody in. Codes that were used stay used."""
    was = with_database(Settings.read(), "codes free", lambda url: presales.ask_no_more(url, EventId(event)))
    say(f"event {event}: everybody may enter" + ("" if was else ", as before"))


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Halt(f"--until {text} is no time; write it as 2027-03-01T10:00:00Z") from None
    if at.tzinfo is None:
        raise Halt(f"--until {text} has no zone; add Z for UTC, or +02:00")
    return at
