"""Seals: tokens of a fixed form that nobody but us can make, and that any of our processes can check by itself.

A token is base64 of what it says, then an HMAC over it. It begins with its kind, so a token of one kind is never taken
for another, and with the name of its key. Keys are rotated by adding a new one in front: the first seals, all open.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from string import ascii_letters, digits
from struct import Struct
from typing import Any, Final

KEY_BYTES_MIN: Final = 32  # as many as the hash gives out
NAME_BYTES: Final = 4

_MAC_BYTES: Final = 18
_HEAD: Final = 1 + NAME_BYTES  # the kind, then the name of the key
_LETTERS: Final = (ascii_letters + digits + "-_").encode()  # Python's decoder also takes others, or passes over them


class Seal:
    """Makes and opens tokens of one kind. Their form begins with `B4s`: the kind, and the name of the key."""

    def __init__(self, secrets: Sequence[bytes], form: Struct, *, kind: int) -> None:
        """The first secret seals. Each is random and of KEY_BYTES_MIN bytes or more."""
        assert secrets, "there is a key to seal with"
        assert all(len(secret) >= KEY_BYTES_MIN for secret in secrets), f"keys have {KEY_BYTES_MIN} bytes or more"
        assert (form.size + _MAC_BYTES) % 3 == 0, "base64 without padding: every character counts"
        named = [(_name(secret), hmac.new(secret, digestmod="sha256")) for secret in secrets]
        self._name, self._sealing = named[0]
        self._accepted = dict(named)
        self._form = form
        self._kind = kind
        self._chars = (form.size + _MAC_BYTES) * 4 // 3

    def token(self, *says: object) -> str:
        said = self._form.pack(self._kind, self._name, *says)
        return urlsafe_b64encode(said + _mac(self._sealing, said)).decode()

    def opened(self, token: bytes) -> tuple[Any, ...] | None:
        """What a token says, or None: none of our keys has sealed it as this kind."""
        if len(token) != self._chars or token.translate(None, _LETTERS):
            return None
        sealed = urlsafe_b64decode(token)
        if sealed[0] != self._kind:
            return None
        said = sealed[: self._form.size]
        key = self._accepted.get(said[1:_HEAD])
        if key is None or not hmac.compare_digest(sealed[self._form.size :], _mac(key, said)):
            return None
        return self._form.unpack(said)[2:]


def _name(secret: bytes) -> bytes:
    """By which a token says with which key it was sealed."""
    return sha256(b"frontrow key" + secret).digest()[:NAME_BYTES]


def _mac(key: hmac.HMAC, said: bytes) -> bytes:
    """`key` has been taken in already: to begin anew with each token would take twice as long."""
    whole = key.copy()
    whole.update(said)
    return whole.digest()[:_MAC_BYTES]
