"""Sessions: an admitted fan's shopping time at one event, as a token that cannot be forged.

A token is 63 bytes in base64: what it says, then an HMAC over it. Nothing is stored, so any process can check one in a
few microseconds. Keys are rotated by adding a new one in front: the first signs, all of them are accepted.

Time is that of PostgreSQL's clock, in seconds since 1970, and arrives as an argument.
"""

import hmac
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_letters, digits
from typing import Final
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId

SESSION_SECONDS: Final = 3600  # where no waiting room meters them: long enough to choose in peace, and entering is free
KEY_BYTES_MIN: Final = 32  # as many as the hash gives out

_SESSION: Final = struct.Struct(">B4sQ16sQQ")  # kind, key, event, fan, number, end
_SESSION_KIND: Final = 1
_MAC_BYTES: Final = 18  # a token is then a multiple of 3 bytes: base64 without padding, every character counts
_KEY_NAME_BYTES: Final = 4
_LETTERS: Final = (ascii_letters + digits + "-_").encode()  # Python's decoder also takes others, or passes over them


@dataclass(frozen=True, slots=True)
class Session:
    """A fan may choose seats of this event until the session ends."""

    event_id: EventId
    fan_id: FanId
    number: int  # tells a fan's sessions apart
    ends_at: int


class SessionKeys:
    """Makes and reads tokens of sessions."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The first secret signs. Each is random and of KEY_BYTES_MIN bytes or more."""
        assert secrets, "there is a key to sign with"
        assert all(len(secret) >= KEY_BYTES_MIN for secret in secrets), f"keys have {KEY_BYTES_MIN} bytes or more"
        named = [(_name(secret), hmac.new(secret, digestmod="sha256")) for secret in secrets]
        self._signing, self._seal = named[0]
        self._accepted = dict(named)

    def token(self, session: Session) -> str:
        return self._sealed(
            _SESSION.pack(
                _SESSION_KIND, self._signing, session.event_id, session.fan_id.bytes, session.number, session.ends_at
            )
        )

    def session(self, token: bytes, *, now: float) -> Session | None:
        """What the token says, or None: it is not ours, it was altered, or its time is over."""
        says = self._opened(token, _SESSION, _SESSION_KIND)
        if says is None:
            return None
        _, _, event, fan, number, ends_at = _SESSION.unpack(says)
        return Session(EventId(event), FanId(UUID(bytes=fan)), number, ends_at) if now < ends_at else None

    def _sealed(self, says: bytes) -> str:
        return urlsafe_b64encode(says + _mac(self._seal, says)).decode()

    def _opened(self, token: bytes, form: struct.Struct, kind: int) -> bytes | None:
        """What a token of this kind says, if one of our keys has sealed it."""
        if len(token) * 3 != (form.size + _MAC_BYTES) * 4 or token.translate(None, _LETTERS):
            return None
        sealed = urlsafe_b64decode(token)
        if sealed[0] != kind:
            return None
        says = sealed[: form.size]
        seal = self._accepted.get(says[1 : 1 + _KEY_NAME_BYTES])
        if seal is None or not hmac.compare_digest(sealed[form.size :], _mac(seal, says)):
            return None
        return says


def _name(secret: bytes) -> bytes:
    """By which a token says with which key it was sealed."""
    return sha256(b"frontrow key" + secret).digest()[:_KEY_NAME_BYTES]


def _mac(seal: hmac.HMAC, says: bytes) -> bytes:
    """`seal` has the key in it already: to begin anew with each token would take twice as long."""
    whole = seal.copy()
    whole.update(says)
    return whole.digest()[:_MAC_BYTES]
