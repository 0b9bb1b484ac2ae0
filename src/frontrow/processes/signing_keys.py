"""The secrets that everything is signed with which Frontrow gives out: named in the settings, or made once and kept.

What signs one kind of thing (sessions, fans' tokens, sign-in codes, tickets) opens no other: each derives its own key
of them.

One that is made lies in the data folder, for our eyes only, so that every process of this machine has the same one.
"""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from frontrow.core.sessions import KEY_BYTES_MIN, SessionKeys
from frontrow.core.tickets import TicketSigner
from frontrow.engines.home import make_data_dir, writing_to
from frontrow.halt import Halt
from frontrow.settings import Settings

FILE: Final = "signing.key"


def signing_keys(settings: Settings) -> SessionKeys:
    """What sessions are sealed with."""
    return SessionKeys(signing_secrets(settings))


def ticket_signer(settings: Settings) -> TicketSigner:
    """What tickets are signed with."""
    signer = TicketSigner(signing_secrets(settings))
    if signer.is_ambiguous:  # once in four thousand times that a key is added
        raise Halt("two of the signing keys sign tickets under one name; draw another key in place of the new one")
    return signer


def signing_secrets(settings: Settings) -> Sequence[bytes]:
    """Those of the settings, or the one of the data folder. It is made there if there is none. The first one signs."""
    named = settings.signing_keys
    if named is not None:
        return [key.strip().encode() for key in named.split(",")]
    path = settings.data_dir / FILE
    make_data_dir(settings.data_dir)
    with writing_to(path):
        if not path.exists():
            _make(path)
        key = path.read_bytes().strip()
    if len(key) < KEY_BYTES_MIN:
        raise Halt(f"{path} is no key; remove it, and a new one is made: fans then sign in again")
    return [key]


def _make(path: Path) -> None:
    """Whole or not at all: written beside it, then linked into place. Of two at once, the first one's counts."""
    draft = path.with_name(f"{FILE}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(KEY_BYTES_MIN) + "\n")
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)
