"""A fan's token: a JWT (RFC 7519) of one fixed form, by which a fan is known for half a year.

Any program can read it as a JWT. We recognise ours instead of parsing it: the header of each key is one text, so no
algorithm is negotiated, nothing of a token is interpreted before its seal is known to be ours, and reading one costs a
few microseconds. Tokens of an identity service come in all forms and are read by a library, in `adapters/identity`.

Time is in seconds since 1970, and arrives as an argument.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from frontrow.core.holds import FanId

FAN_TOKEN_SECONDS: Final = 15_552_000  # half a year: whoever comes back for the next tour is known again
ISSUER: Final = "frontrow"
AUDIENCE: Final = "frontrow-fan"

TOKEN_BYTES_MAX: Final = 512  # ours have 280


class _Header(msgspec.Struct, frozen=True):
    alg: str
    kid: str
    typ: str


class _Claims(msgspec.Struct, frozen=True):
    iss: str
    aud: str
    sub: str
    iat: int
    exp: int


class FanKeys:
    """Makes and reads fans' tokens. The first key signs; those of all keys are read, so that keys can be changed."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The secrets that sessions are sealed with: what signs here is derived from them, and opens nothing there."""
        assert secrets, "there is a key to sign with"
        keys = [hmac.digest(secret, b"frontrow fan token", "sha256") for secret in secrets]
        self._by_header = {_header(key): key for key in keys}
        self._signing = _header(keys[0])

    def token(self, fan_id: FanId, *, now: float) -> str:
        begun = int(now)
        claims = _Claims(ISSUER, AUDIENCE, str(fan_id), iat=begun, exp=begun + FAN_TOKEN_SECONDS)
        signed = self._signing + b"." + _base64(msgspec.json.encode(claims))
        return (signed + b"." + self._seal(self._signing, signed)).decode()

    def fan(self, token: bytes, *, now: float) -> FanId | None:
        """Whose token it is, or None: it is not ours, it was altered, or its time is over."""
        claims = self._claims(token, now=now)
        return FanId(UUID(claims.sub)) if claims else None

    def made_at(self, token: bytes, *, now: float) -> float | None:
        """When it was made, in seconds since 1970; None: it is not ours, or its time is over."""
        claims = self._claims(token, now=now)
        return claims.iat if claims else None

    def _claims(self, token: bytes, *, now: float) -> _Claims | None:
        if len(token) > TOKEN_BYTES_MAX:
            return None
        signed, _, seal = token.rpartition(b".")
        header, _, said = signed.partition(b".")
        if header not in self._by_header or not hmac.compare_digest(seal, self._seal(header, signed)):
            return None
        claims = _READ.decode(urlsafe_b64decode(said + b"=" * (-len(said) % 4)))
        assert (claims.iss, claims.aud) == (ISSUER, AUDIENCE), "this key signs nothing else"
        return claims if now < claims.exp else None

    def _seal(self, header: bytes, signed: bytes) -> bytes:
        return _base64(hmac.digest(self._by_header[header], signed, "sha256"))


def _header(key: bytes) -> bytes:
    """The header of all tokens that a key signs. It names the key without giving away anything of it."""
    return _base64(msgspec.json.encode(_Header("HS256", sha256(b"frontrow key" + key).hexdigest()[:8], "JWT")))


def _base64(content: bytes) -> bytes:
    return urlsafe_b64encode(content).rstrip(b"=")


_READ: Final = msgspec.json.Decoder(_Claims)
