"""The draw: chance that was promised before anybody joined, and that everybody can check afterwards.

One secret seed for each line. Its hash, the commitment, is public before the line opens; the seed itself is public when
the sale is over. A fan's luck is a pure function of the seed and of who the fan is, so joining again, from another tab,
or faster, draws nothing new; and we could not have chosen a seed for a friend, since the ids of fans came later.
"""

import hmac
from hashlib import sha256
from typing import Final

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId

SEED_BYTES: Final = 32  # as many as the hash gives out

_COMMITMENT: Final = b"frontrow line seed"
_TRANCHE: Final = b"frontrow line tranche"
_FRACTION_BITS: Final = 53  # what a float holds exactly


def commitment(seed: bytes) -> bytes:
    """What is published before: it fixes the seed and tells nothing of it."""
    assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes"
    return sha256(_COMMITMENT + seed).digest()


def is_promised(seed: bytes, promised: bytes) -> bool:
    """Whether this is the seed that was promised."""
    return len(seed) == SEED_BYTES and hmac.compare_digest(commitment(seed), promised)


def seed_of_tranche(seed: bytes, tranche: int) -> bytes:
    """Each tranche has a draw of its own: whoever was lucky in one is not therefore lucky in the next."""
    return hmac.digest(seed, _TRANCHE + tranche.to_bytes(8, "big"), "sha256")


def draw(seed: bytes, event_id: EventId, fan_id: FanId) -> float:
    """A fan's luck: evenly from 0 up to, and never, 1. The lower, the sooner."""
    digest = hmac.digest(seed, event_id.to_bytes(8, "big") + fan_id.bytes, "sha256")
    return (int.from_bytes(digest[:8], "big") >> (64 - _FRACTION_BITS)) / (1 << _FRACTION_BITS)
