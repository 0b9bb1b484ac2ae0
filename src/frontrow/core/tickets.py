"""A ticket's code: what its QR says, signed with Ed25519, so that a door without a network can tell ours from others.

It names the event, the seat and the ticket's number, and nobody: whose ticket it is, is not in it. Whoever has the
secret makes the code of a ticket anew whenever it is shown, the same each time; whoever has the public keys can check
one, and make none. That each ticket is let in once is not in the code: the door remembers numbers.

The form, 80 bytes: four bits of version and twelve that name the key, the event in 5 bytes, the seat in 3, the number
in 6, then 64 bytes of signature. Written in base 41, two bytes in three characters, since a QR code has room for 45
different characters at 5.5 bits each, and of those 41 pass every shell, form and address as they are.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final, NewType, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from frontrow.core.catalogue import EventId
from frontrow.core.seats import SeatNo

TicketSerial = NewType("TicketSerial", int)  # a ticket's number, unlike that of any other ticket
TicketKeyId = NewType("TicketKeyId", int)

VERSION: Final = 1
CODE_CHARS: Final = 120  # in a QR code of 37 by 37 squares with a reserve of 15 %; two bytes more would be one of 41

_KEY_BITS: Final = 12
_EVENT_BYTES: Final = 5
_SEAT_BYTES: Final = 3
_SERIAL_BYTES: Final = 6
_SAYS_BYTES: Final = 2 + _EVENT_BYTES + _SEAT_BYTES + _SERIAL_BYTES
_SIGNATURE_BYTES: Final = 64
_PUBLIC_KEY_BYTES: Final = 32

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-./:"
_BASE: Final = len(_DIGITS)
_VALUE_OF: Final[Mapping[str, int]] = {digit: value for value, digit in enumerate(_DIGITS)}
_PAIR_CHARS: Final = 3
assert _BASE**_PAIR_CHARS >= 1 << 16 > _BASE ** (_PAIR_CHARS - 1), "three characters for two bytes, and no fewer"


@dataclass(frozen=True, slots=True)
class TicketFacts:
    """All that a code says."""

    event_id: EventId
    seat_no: SeatNo
    serial: TicketSerial
    key_id: TicketKeyId  # with which the ticket was signed


class CodeRefused(StrEnum):
    """Why a text is no ticket of ours. In order of precedence."""

    NO_CODE = "no code"  # another text, or not whole
    UNKNOWN_VERSION = "unknown version"  # made by a Frontrow that knows more than this one
    UNKNOWN_KEY = "unknown key"  # of another copy of Frontrow, or of a key that was added or taken away meanwhile
    FORGED = "forged"  # whoever made or altered it has not our key


# Public keys by their ids, 32 bytes each: all that a door needs.
PublicKeys: TypeAlias = Mapping[TicketKeyId, bytes]


class TicketSigner:
    """Makes codes. The first secret signs new tickets; those of all secrets are made, so that keys can be changed."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The secrets that sessions are sealed with: what signs here is derived from them, and opens nothing there."""
        assert secrets, "there is a key to sign with"
        keys = [Ed25519PrivateKey.from_private_bytes(_seed(secret)) for secret in secrets]
        ids = [key_id_of(key.public_key().public_bytes_raw()) for key in keys]
        self.key_id: Final = ids[0]
        self._keys = dict(zip(reversed(ids), reversed(keys), strict=True))
        self.is_ambiguous: Final = len(self._keys) < len(set(secrets))  # two keys happen to have one id

    def code(self, facts: TicketFacts) -> str:
        """The code of a ticket. One whose key was taken away is signed anew: with the key, its old code went out."""
        key_id = facts.key_id if facts.key_id in self._keys else self.key_id
        says = _said(facts, key_id)
        return _written(says + self._keys[key_id].sign(says))

    @property
    def public_keys(self) -> PublicKeys:
        return {key_id: key.public_key().public_bytes_raw() for key_id, key in self._keys.items()}


def read_code(code: str, keys: PublicKeys) -> TicketFacts | CodeRefused:
    """What a code says, if one of the keys has signed it. There is one way to write each code."""
    content = _read(code) if len(code) == CODE_CHARS else None
    if content is None:
        return CodeRefused.NO_CODE
    says, signature = content[:_SAYS_BYTES], content[_SAYS_BYTES:]
    head = int.from_bytes(says[:2])
    if head >> _KEY_BITS != VERSION:
        return CodeRefused.UNKNOWN_VERSION
    key_id = TicketKeyId(head & ((1 << _KEY_BITS) - 1))
    if key_id not in keys:
        return CodeRefused.UNKNOWN_KEY
    try:
        Ed25519PublicKey.from_public_bytes(keys[key_id]).verify(signature, says)
    except InvalidSignature:
        return CodeRefused.FORGED
    return _facts(says, key_id)


def key_id_of(public_key: bytes) -> TicketKeyId:
    """By which a code says with which key it was signed."""
    assert len(public_key) == _PUBLIC_KEY_BYTES
    return TicketKeyId(int.from_bytes(sha256(public_key).digest()[:2]) >> (16 - _KEY_BITS))


def written_keys(keys: PublicKeys) -> Sequence[str]:
    """Public keys as people pass them on: a line each, its id and its 32 bytes in base64."""
    return [f"{key_id} {urlsafe_b64encode(key).decode()}" for key_id, key in keys.items()]


def read_keys(lines: Iterable[str]) -> PublicKeys | None:
    """The keys of such lines; None: one of them is no key, or has another's id."""
    keys: dict[TicketKeyId, bytes] = {}
    for line in filter(None, map(str.strip, lines)):
        named, _, text = line.partition(" ")
        try:
            key = urlsafe_b64decode(text)
        except (Base64Error, ValueError):
            return None
        if len(key) != _PUBLIC_KEY_BYTES or named != str(key_id_of(key)):
            return None
        keys[key_id_of(key)] = key
    return keys


def _seed(secret: bytes) -> bytes:
    return hmac.digest(secret, b"frontrow ticket", "sha256")


def _said(facts: TicketFacts, key_id: TicketKeyId) -> bytes:
    """Ids are counted up by the database, and none comes near these bounds."""
    return (
        (VERSION << _KEY_BITS | key_id).to_bytes(2)
        + facts.event_id.to_bytes(_EVENT_BYTES)
        + facts.seat_no.to_bytes(_SEAT_BYTES)
        + facts.serial.to_bytes(_SERIAL_BYTES)
    )


def _facts(says: bytes, key_id: TicketKeyId) -> TicketFacts:
    event, seat = 2 + _EVENT_BYTES, 2 + _EVENT_BYTES + _SEAT_BYTES
    return TicketFacts(
        EventId(int.from_bytes(says[2:event])),
        SeatNo(int.from_bytes(says[event:seat])),
        TicketSerial(int.from_bytes(says[seat:])),
        key_id,
    )


def _written(content: bytes) -> str:
    pairs = (int.from_bytes(content[place : place + 2]) for place in range(0, len(content), 2))
    return "".join(_DIGITS[pair // _BASE**2] + _DIGITS[pair // _BASE % _BASE] + _DIGITS[pair % _BASE] for pair in pairs)


def _read(code: str) -> bytes | None:
    """The bytes of a code, or None where a character is none of ours, or three of them are more than two bytes."""
    values = [_VALUE_OF.get(character) for character in code]
    content = bytearray()
    for place in range(0, len(values), _PAIR_CHARS):
        high, middle, low = values[place : place + _PAIR_CHARS]
        if high is None or middle is None or low is None:
            return None
        pair = (high * _BASE + middle) * _BASE + low
        if pair >= 1 << 16:
            return None
        content += pair.to_bytes(2)
    return bytes(content)


assert (_SAYS_BYTES + _SIGNATURE_BYTES) * _PAIR_CHARS == CODE_CHARS * 2
