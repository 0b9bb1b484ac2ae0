"""Fans as they sign in: their address in one form, and the code that proves it is theirs.

Everybody who asks gets a code, known to us or not, so nothing tells the one from the other. A code is not stored, not
even as a hash: it follows from a nonce, the address and a key. Who reads the database alone can make none, and whoever
has the key can make it once more, to mail it.

Tokens are in `fan_tokens.py`. The nonce is chance and arrives as an argument.
"""

import hmac
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NewType
from uuid import UUID, uuid5

import idna

from frontrow.core.holds import FanId

EmailAddress = NewType("EmailAddress", str)  # in the one form of `email_address`
Nonce = NewType("Nonce", bytes)  # what a code is made from

EMAIL_BYTES_MAX: Final = 254  # RFC 5321: what fits between < and > in MAIL FROM
LOCAL_BYTES_MAX: Final = 64  # the same, before the @

CODE_DIGITS: Final = 8  # easily typed; at the pace below, an address is guessed open in 300 years as likely as not
CODE_SECONDS: Final = 600  # mail is slow at times
CODE_TRIES: Final = 5  # people mistype
CODES_AT_ONCE: Final = 5  # that an address may ask for one after the other
CODE_AGAIN_SECONDS: Final = 600  # after those, one each ten minutes: no mailbox is flooded through us
NONCE_BYTES: Final = 16

# An unquoted local part, letters of all scripts in it. Quotes, comments and addresses by number are nobody's own.
_ASCII_ATOM: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~")
_LETTERS_MARKS_NUMBERS: Final = ("L", "M", "N")
_DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
_TYPED_BETWEEN: Final = str.maketrans("", "", " -\u00a0")  # people group digits


@dataclass(frozen=True, slots=True)
class Fan:
    """A fan who has an address."""

    fan_id: FanId
    email: EmailAddress


@dataclass(frozen=True, slots=True)
class CodeAsked:
    """A code is on its way, and good until then."""

    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AskLater:
    """This address has asked too often."""

    seconds: int


def email_address(text: str) -> EmailAddress | None:
    """The address in the form in which two are the same when they are equal; None: it is none that mail gets to.

    What is mailed goes to this form and no other, so whoever reads that mail is its owner, whatever letters somebody
    typed instead.
    """
    if len(text) > 2 * EMAIL_BYTES_MAX:  # a look at it takes no longer than this
        return None
    local, at, domain = text.strip().rpartition("@")
    local = unicodedata.normalize("NFC", unicodedata.normalize("NFC", local).lower())
    ascii_domain = _ascii(domain)
    if not at or ascii_domain is None or not _is_local(local):
        return None
    address = f"{local}@{ascii_domain}"
    return EmailAddress(address) if len(address.encode()) <= EMAIL_BYTES_MAX else None


def foreign_fan(issuer: str, subject: str) -> FanId:
    """The fan whom an identity service knows by that name. The same in every process, and nothing is stored for it."""
    return FanId(uuid5(_FOREIGN_FANS, f"{issuer}\n{subject}"))


def is_foreign(fan_id: FanId) -> bool:
    """Whether an identity service knows this fan. Our own ids are drawn, and of another version."""
    return fan_id.version == _FOREIGN_VERSION


class CodeKeys:
    """Makes codes from nonces. The first key makes them; those of all keys are right, so that keys can be changed."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The secrets that tokens are signed with: what codes are made by is derived from them."""
        assert secrets, "there is a key to make codes with"
        self._keys = [hmac.digest(secret, b"frontrow sign-in code", "sha256") for secret in secrets]

    def code(self, email: EmailAddress, nonce: Nonce) -> str:
        return _code(self._keys[0], email, nonce)

    def is_right(self, typed: str, email: EmailAddress, nonce: Nonce) -> bool:
        digits = typed.translate(_TYPED_BETWEEN).encode(errors="replace")
        return any(hmac.compare_digest(digits, _code(key, email, nonce).encode()) for key in self._keys)


def _code(key: bytes, email: EmailAddress, nonce: Nonce) -> str:
    assert len(nonce) == NONCE_BYTES
    number = int.from_bytes(hmac.digest(key, nonce + email.encode(), "sha256")) % 10**CODE_DIGITS
    return f"{number:0{CODE_DIGITS}}"


def _is_local(local: str) -> bool:
    if not 0 < len(local.encode(errors="replace")) <= LOCAL_BYTES_MAX:
        return False
    return all(atom and all(map(_is_of_atom, atom)) for atom in local.split("."))


def _is_of_atom(letter: str) -> bool:
    return letter in _ASCII_ATOM or (not letter.isascii() and unicodedata.category(letter)[0] in _LETTERS_MARKS_NUMBERS)


def _ascii(domain: str) -> str | None:
    """A domain as the network knows it."""
    try:
        encoded = idna.encode(domain, uts46=True, std3_rules=True).decode()
    except (idna.IDNAError, UnicodeError):
        return None
    return encoded if _DOMAIN.fullmatch(encoded) else None


_FOREIGN_VERSION: Final = 5  # of UUIDs that are made from a name
_FOREIGN_FANS: Final = UUID("5e2b7c2c-59a4-4a53-a1b8-1f3b6f6f2d44")  # drawn once; it must never change
