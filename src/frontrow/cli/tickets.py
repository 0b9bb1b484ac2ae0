"""`frontrow tickets keys | verify | specimen`: what a door needs to tell our tickets from others, with no network."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer

from frontrow.cli.saying import say
from frontrow.core.tickets import CodeRefused, PublicKeys, read_code, read_keys, written_keys
from frontrow.halt import Halt
from frontrow.processes.clock import now
from frontrow.processes.signing_keys import ticket_signer
from frontrow.processes.specimens import specimen as draw_specimen
from frontrow.settings import Settings

app: Final = typer.Typer(
    help="Codes of tickets, checked without a network.", no_args_is_help=True, rich_markup_mode=None
)

_REFUSED: Final = {
    CodeRefused.NO_CODE: "this is no ticket's code: another text, or a part of one",
    CodeRefused.UNKNOWN_VERSION: "a newer Frontrow made this code; check it with that one",
    CodeRefused.UNKNOWN_KEY: "none of the keys has the name that the code says; are these all `frontrow tickets keys`?",
    CodeRefused.FORGED: "this code is forged or altered: the key that it names has not signed it",
}


@app.command()
def keys() -> None:
    """Print the public keys that tickets are signed with.

    A line each, the id and the key, the one that signs new tickets first. They are no secret: whoever has them can
    check tickets, and make none.
    """
    signer = ticket_signer(Settings.read())
    public = signer.public_keys
    for line in written_keys({signer.key_id: public[signer.key_id]} | dict(public)):
        say(line)


@app.command()
def verify(
    code: Annotated[str, typer.Argument(help="The code, as the QR says it.")],
    *,
    keys: Annotated[
        Path | None, typer.Option(help="A file with public keys, as `frontrow tickets keys` prints them.")
    ] = None,
) -> None:
    """Tell whether a code is one of our tickets, and of which seat.

    Asks nobody. It cannot know that a ticket was cancelled, or used before.
    """
    public = ticket_signer(Settings.read()).public_keys if keys is None else _in(keys)
    facts = read_code(code, public)
    if isinstance(facts, CodeRefused):
        raise Halt(_REFUSED[facts])
    say(f"event {facts.event_id}, seat {facts.seat_no}, ticket {facts.serial}, key {facts.key_id}")


@app.command()
def specimen(
    file: Annotated[Path, typer.Argument(help="Where to write the PDF.")],
) -> None:
    """Print a ticket that lets nobody in, to try printers and scanners with.

    It looks like all others and is signed like them; its code says event 0 and ticket 0, which no door knows.
    """
    content = asyncio.run(draw_specimen(Settings.read(), now=now()))
    try:
        file.write_bytes(content)
    except OSError as error:
        raise Halt(f"{file} cannot be written: {error.strerror}") from error
    say(f"wrote {file}")


def _in(file: Path) -> PublicKeys:
    try:
        keys = read_keys(file.read_text(encoding="ascii").splitlines())
    except (OSError, ValueError) as error:
        raise Halt(f"{file} cannot be read: {error}") from error
    if not keys:
        raise Halt(f"{file} has no keys as `frontrow tickets keys` prints them")
    return keys
