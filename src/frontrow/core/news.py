"""News of a payment, as a provider's webhook brings it: a hint where to look, and nothing more."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class News:
    """Something has happened to a payment."""

    news_id: str  # the provider's own: the same news twice has it twice
    kind: str  # the provider's word for it
    ref: str | None  # the payment, by the provider's name
    attempt_id: str | None  # the same by ours, if the provider was told
