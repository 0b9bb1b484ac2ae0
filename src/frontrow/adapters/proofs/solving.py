"""Doing the work of a challenge, for programs that join as fans do: rehearsals, load tests, clients in Python.

Pages have `static/proof.js`, which does the same.
"""

import base64
import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

TRIES_MAX: Final = 1_000_000  # no challenge of ours takes more than 32,000


class _Parameters(msgspec.Struct, frozen=True, rename="camel"):
    nonce: str
    salt: str
    cost: int
    key_length: int
    key_prefix: str


class _Challenge(msgspec.Struct, frozen=True):
    parameters: _Parameters


def solved(challenge: Mapping[str, object]) -> str:
    """The proof, as `POST …/enter` takes it. It takes as long as it takes: never on an event loop."""
    asked = msgspec.convert(challenge, _Challenge).parameters
    nonce, salt, prefix = (bytes.fromhex(text) for text in (asked.nonce, asked.salt, asked.key_prefix))
    for counter in range(TRIES_MAX):
        password = nonce + counter.to_bytes(4, "big")
        key = hashlib.pbkdf2_hmac("sha256", password, salt, asked.cost, asked.key_length)
        if key.startswith(prefix):
            return _proof(challenge, {"counter": counter, "derivedKey": key.hex()})
    raise ValueError("nothing solves this challenge")


def waited(challenge: Mapping[str, object]) -> str:
    """The proof of who does not work, and waits as long as the challenge says."""
    return _proof(challenge, None)


def _proof(challenge: Mapping[str, object], solution: Mapping[str, object] | None) -> str:
    return base64.b64encode(msgspec.json.encode({"challenge": challenge, "solution": solution})).decode()
