"""Content encodings: which one a client takes, and bodies in it.

A body that changes with a sale is compressed quickly, one that lasts for ever as well as can be.
"""

import zlib
from enum import Enum
from functools import lru_cache
from typing import Final, cast

import brotli  # pyright: ignore[reportMissingTypeStubs] -- it has none
from starlette.types import Scope

from frontrow.web import reading
from frontrow.web.answers import Header

BYTES_MIN: Final = 1_000  # less fits into one packet as it is
VARY: Final[Header] = (b"vary", b"accept-encoding")

# Of brotli, 4 is both quicker and smaller on snapshots than 5: they are tables of few symbols, and hardly repeat.
_QUICK_BROTLI: Final = 4
_QUICK_GZIP: Final = 1
_BEST_BROTLI: Final = 11
_BEST_GZIP: Final = 9
_GZIP_FORM: Final = 31  # zlib's way to say: with gzip's head, and no time in it
_HEADERS_KNOWN: Final = 64  # spellings of Accept-Encoding; browsers have a handful


class Encoding(Enum):
    """In the order of our liking."""

    BROTLI = b"br"
    GZIP = b"gzip"
    PLAIN = b"identity"


def wanted(scope: Scope) -> Encoding:
    """The best encoding that this client takes."""
    said = reading.header(scope, b"accept-encoding")
    return Encoding.PLAIN if said is None else _wanted(said)


def quickly(body: bytes, encoding: Encoding) -> bytes:
    """In a fraction of a millisecond."""
    return _compressed(body, encoding, brotli_quality=_QUICK_BROTLI, gzip_level=_QUICK_GZIP)


def best(body: bytes, encoding: Encoding) -> bytes:
    """In up to a second: call it in a thread. Others work meanwhile."""
    return _compressed(body, encoding, brotli_quality=_BEST_BROTLI, gzip_level=_BEST_GZIP)


def _compressed(body: bytes, encoding: Encoding, *, brotli_quality: int, gzip_level: int) -> bytes:
    match encoding:
        case Encoding.BROTLI:
            compress = brotli.compress  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] -- as above
            return cast("bytes", compress(body, quality=brotli_quality))
        case Encoding.GZIP:
            return zlib.compress(body, gzip_level, wbits=_GZIP_FORM)
        case Encoding.PLAIN:
            return body


@lru_cache(maxsize=_HEADERS_KNOWN)
def _wanted(said: bytes) -> Encoding:
    weights = dict(map(_weight, said.lower().split(b",")))
    rest = weights.get(b"*", 0.0)
    for encoding in (Encoding.BROTLI, Encoding.GZIP):
        if weights.get(encoding.value, rest) > 0:
            return encoding
    return Encoding.PLAIN  # also for who refuses that: the alternative would be no answer


def _weight(choice: bytes) -> tuple[bytes, float]:
    name, _, parameter = choice.partition(b";")
    key, _, value = parameter.partition(b"=")
    try:
        weight = float(value) if key.strip() == b"q" else 1.0
    except ValueError:
        weight = 0.0
    return name.strip(), weight
