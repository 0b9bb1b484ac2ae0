"""Cursors: where the next page of a list begins, as text that nobody else needs to read.

A cursor belongs to the question that it was made for, and says so: what was cut, changed, made up or taken from another
list is told apart from one of ours. It opens no door that is not open already, so that needs no key.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeAlias, cast

Value: TypeAlias = int | float | str

CURSOR_CHARS_MAX: Final = 2_000  # a name of 200 letters, each of several bytes, and some numbers
SEAL_BYTES: Final = 6


def cursor(values: Sequence[Value], *, question: str) -> str:
    """The values as text."""
    told = json.dumps(values, separators=(",", ":"), ensure_ascii=False).encode()
    return _text(_seal(told, question) + told)


def values_of(text: str, *, question: str) -> Sequence[Value] | None:
    """The values of a cursor that was made for this question, or None."""
    if len(text) > CURSOR_CHARS_MAX or not text.isascii():
        return None
    try:
        sealed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    seal, told = sealed[:SEAL_BYTES], sealed[SEAL_BYTES:]
    if seal != _seal(told, question) or _text(sealed) != text:
        return None
    try:
        values = json.loads(told)
    except (ValueError, RecursionError):  # sealed by somebody else
        return None
    return cast("list[Value]", values) if isinstance(values, list) else None


def _text(sealed: bytes) -> str:
    return urlsafe_b64encode(sealed).decode().rstrip("=")


def _seal(told: bytes, question: str) -> bytes:
    return sha256(question.encode("utf-8", "surrogatepass") + b"\0" + told).digest()[:SEAL_BYTES]
