"""Money: whole minor units and a currency, never a float."""

from dataclasses import dataclass
from typing import Final, Self

AMOUNT_MINOR_MAX: Final = 100_000_000  # a million euros: far above any ticket, far below an overflow anywhere


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An amount in minor units (cents, pence) of one currency (ISO 4217)."""

    amount: int
    currency: str

    def __post_init__(self) -> None:
        assert len(self.currency) == len("EUR"), self.currency
        assert self.currency.isupper(), self.currency

    def __add__(self, other: Self) -> Self:
        assert self.currency == other.currency, f"{self.currency} + {other.currency}"
        return type(self)(self.amount + other.amount, self.currency)

    def times(self, count: int) -> Self:
        return type(self)(self.amount * count, self.currency)
