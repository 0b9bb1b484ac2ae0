"""Webhooks of Stripe, and of psp-sim: whether one is genuine, and which payment it tells news of.

What it says beyond that is not looked at: the payment itself is asked for.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import stripe

from frontrow.core.news import News

AGE_SECONDS_MAX: Final = 300  # as Stripe's own libraries have it
AHEAD_SECONDS_MAX: Final = 300  # of a clock that is wrong; a signature for tomorrow is a replay in waiting


class _Metadata(msgspec.Struct):
    attempt_id: str | None = None


class _Object(msgspec.Struct):
    id: str
    object: str
    payment_intent: str | None = None  # of a refund, or a charge
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Data(msgspec.Struct):
    object: _Object


class _Message(msgspec.Struct):
    id: str
    type: str
    data: _Data


_MESSAGE: Final = msgspec.json.Decoder(_Message)


class StripeNews:
    """Reads webhooks of one provider. Several secrets are good while one takes over from another."""

    def __init__(self, secrets: Sequence[str]) -> None:
        assert secrets, "without a secret everything would be genuine"
        self._secrets = secrets

    def read(self, body: bytes, signature: str, *, now: float) -> News | None:
        """What a webhook tells. None: it is not genuine, too old or too new, or no webhook at all."""
        if not any(self._is_genuine(body, signature, secret, now=now) for secret in self._secrets):
            return None
        try:
            message = _MESSAGE.decode(body)
        except msgspec.DecodeError:
            return None
        about = message.data.object
        ref = about.id if about.object == "payment_intent" else about.payment_intent
        return News(message.id, message.type, ref, about.metadata.attempt_id)

    def _is_genuine(self, body: bytes, signature: str, secret: str, *, now: float) -> bool:
        try:
            stripe.WebhookSignature.verify_header(body.decode(), signature, secret)  # pyright: ignore[reportUnknownMemberType] -- one of its words has no type
        except (stripe.SignatureVerificationError, UnicodeDecodeError, ValueError):
            return False
        signed_at = _signed_at(signature)
        return signed_at is not None and -AGE_SECONDS_MAX <= signed_at - now <= AHEAD_SECONDS_MAX


def _signed_at(signature: str) -> int | None:
    """When. Stripe's client would tell what is too old, by a clock of its own; of what is too new it knows nothing."""
    for part in signature.split(","):
        name, _, value = part.partition("=")
        if name == "t":
            return int(value) if value.isascii() and value.isdigit() else None
    return None
