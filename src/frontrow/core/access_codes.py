"""Codes that let a fan in while an event sells to invited fans alone, and the pass that a fan gets for one.

A code is 20 letters that people can type: a number, and a seal over it and the event. Nothing is stored until one is
used; from then on it is the fan's who used it. The pass is sealed too, and says which fan may enter which event: so
whoever lets fans in needs no database to look at one. Keys are changed as those of sessions are.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct
from typing import Final, NewType
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.sealing import Seal

CodeNumber = NewType("CodeNumber", int)

NUMBER_BITS: Final = 40  # a million codes are told apart, and none is guessed
CODE_CHARS_MAX: Final = 64  # with all that people put between the letters

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none looks like another
_LETTER_BITS: Final = 5
_CODE_LETTERS: Final = 20
_GROUP_LETTERS: Final = 5
_LETTER_MASK: Final = (1 << _LETTER_BITS) - 1
_SHIFTS: Final = range((_CODE_LETTERS - 1) * _LETTER_BITS, -1, -_LETTER_BITS)
_SEAL_BITS: Final = _CODE_LETTERS * _LETTER_BITS - NUMBER_BITS
_AS_TYPED: Final = str.maketrans("OIL", "011", " -\u00a0\t")
_PASS: Final = Struct(">B4sQ16sx")  # kind, key, event, fan
_PASS_KIND: Final = 4


class CodeRefused(StrEnum):
    """Why a code lets nobody in."""

    UNKNOWN = "unknown"  # it is none of ours, or of another event
    USED = "used"  # by another fan


@dataclass(frozen=True, slots=True)
class AccessPass:
    """A fan who may enter an event while it sells to invited fans alone."""

    event_id: EventId
    fan_id: FanId


class AccessCodes:
    """Makes and reads codes. The first key makes them; those of all keys are read."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The secrets that sessions are sealed with: what seals here is derived from them, and opens nothing there."""
        assert secrets, "there is a key to make codes with"
        self._keys = [hmac.digest(secret, b"frontrow access code", "sha256") for secret in secrets]

    def code(self, event_id: EventId, number: CodeNumber) -> str:
        """As people are given it: `XXXXX-XXXXX-XXXXX-XXXXX`."""
        assert 0 <= number < 1 << NUMBER_BITS, number
        whole = number << _SEAL_BITS | _seal(self._keys[0], event_id, number)
        letters = "".join(_LETTERS[whole >> shift & _LETTER_MASK] for shift in _SHIFTS)
        return "-".join(letters[at : at + _GROUP_LETTERS] for at in range(0, _CODE_LETTERS, _GROUP_LETTERS))

    def number(self, event_id: EventId, typed: str) -> CodeNumber | None:
        """Which code it is; None: none of ours for this event."""
        letters = typed[:CODE_CHARS_MAX].upper().translate(_AS_TYPED)
        if len(letters) != _CODE_LETTERS or not set(letters) <= set(_LETTERS):
            return None
        whole = 0
        for letter in letters:
            whole = whole << _LETTER_BITS | _LETTERS.index(letter)
        number, seal = CodeNumber(whole >> _SEAL_BITS), whole & (1 << _SEAL_BITS) - 1
        right = [hmac.compare_digest(_bytes(_seal(key, event_id, number)), _bytes(seal)) for key in self._keys]
        return number if any(right) else None


class PassKeys:
    """Makes and reads passes."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The same secrets, and again a key of its own."""
        keys = [hmac.digest(secret, b"frontrow access pass", "sha256") for secret in secrets]
        self._seal = Seal(keys, _PASS, kind=_PASS_KIND)

    def token(self, access: AccessPass) -> str:
        return self._seal.token(access.event_id, access.fan_id.bytes)

    def access(self, token: bytes) -> AccessPass | None:
        """What the pass says, or None: it is not ours, or it was altered."""
        says = self._seal.opened(token)
        return AccessPass(EventId(says[0]), FanId(UUID(bytes=says[1]))) if says else None


def _seal(key: bytes, event_id: EventId, number: CodeNumber) -> int:
    said = event_id.to_bytes(8, "big") + number.to_bytes(8, "big")
    return int.from_bytes(hmac.digest(key, said, "sha256")[:8], "big") >> 64 - _SEAL_BITS


def _bytes(seal: int) -> bytes:
    return seal.to_bytes(8, "big")
