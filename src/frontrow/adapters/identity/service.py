"""Tokens of an identity service: read by the keys that it publishes, which are fetched beforehand and kept.

No request waits for a fetch. Keys are fetched at the start, once an hour, and when a token names one that we do not
know, at most once a minute. While the service cannot be reached, the keys that we have go on.

Only signatures with a public key are read, and each key with the one algorithm that it is for. What a token says of
time is compared with `now`, which is an argument.
"""

import asyncio
from contextlib import suppress
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

import jwt
import msgspec
import structlog

from frontrow.core.fans import foreign_fan
from frontrow.core.holds import FanId

ALGORITHMS: Final = frozenset({"RS256", "PS256", "ES256", "ES384", "EdDSA"})
FETCH_AGAIN_SECONDS_MIN: Final = 60.0  # tokens that name no key of ours must not make us knock all the time
FETCH_AGAIN_SECONDS_MAX: Final = 3_600.0  # so long a key that was taken away is still good
FETCH_SECONDS_MAX: Final = 3.0
KEYS_BYTES_MAX: Final = 262_144  # a service with a hundred keys needs a quarter of it
TOKEN_BYTES_MAX: Final = 8_192  # with every group that somebody is in
SUBJECT_CHARS_MAX: Final = 255  # OpenID Connect's own
SKEW_SECONDS: Final = 30.0  # by which their clock and ours may differ
TOKENS_REMEMBERED_MAX: Final = 10_000  # checking a signature takes a hundred times as long as finding it here

_log = structlog.stdlib.get_logger(__name__)


class IdentityService:
    """Who somebody is, as the service says."""

    def __init__(self, url: str, *, issuer: str, audience: str) -> None:
        """`url`: where the keys are. `issuer`, `audience`: what a token has to say about who made it, and for whom."""
        self._url = url
        self._issuer = issuer
        self._audience = audience
        self._reader = jwt.PyJWT(
            {
                "require": ["exp", "iss", "aud", "sub"],
                "verify_exp": False,  # below, with our own clock
                "verify_nbf": False,
                "verify_iat": False,
                "enforce_minimum_key_length": True,
            }
        )
        self._keys: dict[str, jwt.PyJWK] = {}
        self._remembered: dict[bytes, tuple[FanId, float, float]] = {}
        self._is_key_missed = asyncio.Event()

    def fan(self, token: bytes, *, now: float) -> FanId | None:
        """Whose token it is, or None: it is not of this service, not for us, was altered, or its time is over."""
        read = self._remembered.get(token) or self._read(token)
        if read is None:
            return None
        fan_id, begins, ends = read
        return fan_id if begins - SKEW_SECONDS <= now < ends + SKEW_SECONDS else None

    async def follow(self) -> None:
        """Keep the keys fresh for ever."""
        is_fresh = await self.look()
        while True:
            await asyncio.sleep(FETCH_AGAIN_SECONDS_MIN)
            if is_fresh:
                with suppress(TimeoutError):
                    await asyncio.wait_for(
                        self._is_key_missed.wait(), FETCH_AGAIN_SECONDS_MAX - FETCH_AGAIN_SECONDS_MIN
                    )
            is_fresh = await self.look()

    async def look(self) -> bool:
        """Fetch the keys. False: there is nothing new, and those that we have go on."""
        try:
            async with asyncio.timeout(2 * FETCH_SECONDS_MAX):
                document = await asyncio.to_thread(_fetched, self._url)
            keys = _keys_in(document)
        except (OSError, URLError, ValueError, msgspec.DecodeError) as error:
            _log.warning("identity_keys.not_fetched", why=str(error) or type(error).__name__, keys=len(self._keys))
            return False
        self._is_key_missed.clear()
        self._keys = keys
        self._remembered.clear()  # what a key has signed that is gone by now counts no more
        return True

    def _read(self, token: bytes) -> tuple[FanId, float, float] | None:
        """The fan, and from when to when the token is good; None: it is no good token."""
        if len(token) > TOKEN_BYTES_MAX:
            return None
        try:
            claims = self._claims(token)
            begins, ends = float(claims.get("nbf", 0)), float(claims["exp"])
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError):
            return None
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= SUBJECT_CHARS_MAX:
            return None
        if len(self._remembered) >= TOKENS_REMEMBERED_MAX:
            self._remembered.clear()
        read = foreign_fan(self._issuer, subject), begins, ends
        self._remembered[token] = read
        return read

    def _claims(self, token: bytes) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        name = header.get("kid")
        key = self._keys.get(name) if isinstance(name, str) else None
        if key is None:
            self._is_key_missed.set()
            raise jwt.InvalidKeyError
        return self._reader.decode(
            token, key, algorithms=[key.algorithm_name], audience=self._audience, issuer=self._issuer
        )


def _fetched(url: str) -> bytes:
    """The document there. It is small, or it is not what we came for."""
    with urlopen(url, timeout=FETCH_SECONDS_MAX) as answer:  # noqa: S310 -- the settings allow https, and http to this machine
        document: bytes = answer.read(KEYS_BYTES_MAX + 1)
    if len(document) > KEYS_BYTES_MAX:
        raise ValueError(f"more than {KEYS_BYTES_MAX} bytes")
    return document


class _Document(msgspec.Struct):
    """A JSON Web Key Set (RFC 7517)."""

    keys: list[dict[str, Any]]


def _keys_in(document: bytes) -> dict[str, jwt.PyJWK]:
    """Those that tokens of fans may be signed with, by name."""
    found: dict[str, jwt.PyJWK] = {}
    for told in msgspec.json.decode(document, type=_Document).keys:
        with suppress(jwt.PyJWTError, ValueError, TypeError):  # a kind of key that we do not know is none for us
            key = jwt.PyJWK.from_dict(told)
            is_public = "d" not in told and told.get("use", "sig") == "sig"
            if is_public and key.algorithm_name in ALGORITHMS and isinstance(key.key_id, str):
                found[key.key_id] = key
    if not found:
        raise ValueError("it names no key that can be used")
    return found
