"""Telling somebody of events: the signature, and when to try again. No clock and no network is in here."""

from collections.abc import Sequence
from hashlib import sha256
from hmac import digest
from typing import Final

GIVEN_UP_SECONDS: Final = 3 * 86_400  # as Stripe does
WAIT_SECONDS_FIRST: Final = 10.0
WAIT_SECONDS_MAX: Final = 4 * 3600.0
WAIT_GROWS: Final = 3  # times, with each attempt


def signature(body: bytes, secrets: Sequence[str], *, at: int) -> str:
    """The header `Stripe-Signature`: one `v1` for each secret that is good now, and a `v0` that is none."""
    signed = b"%d.%s" % (at, body)
    good = [digest(secret.encode(), signed, sha256).hex() for secret in secrets]
    return ",".join([f"t={at}", *(f"v1={one}" for one in good), f"v0={sha256(signed).hexdigest()}"])


def next_due(*, began: float, attempts: int, now: float) -> float | None:
    """When to try again after so many attempts, or None: it has been tried for three days."""
    wait = min(WAIT_SECONDS_FIRST * WAIT_GROWS ** min(attempts - 1, 20), WAIT_SECONDS_MAX)
    due = now + wait
    return due if due - began <= GIVEN_UP_SECONDS else None
