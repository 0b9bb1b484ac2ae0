"""The books: where every cent of an order is. Whatever happens is written as amounts that add up to nothing.

What is owed to us, or lies with a provider, is positive; what we owe, to organizers and for fees, is negative.
PostgreSQL writes the same (sql/schema/9_orders_functions.sql); a test compares the two.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Account(StrEnum):
    """Whose money it is, or where it lies."""

    FAN = "fan"  # what fans owe
    PROVIDER = "provider"  # what lies there
    ORGANIZER = "organizer"
    FEES = "fees"


Entry = Mapping[Account, int]  # minor units; accounts that it does not touch are not in it


def sold(*, price: int, fee: int) -> Entry:
    """Seats are sold: the fan owes their price and fee."""
    return _entry({Account.FAN: price + fee, Account.ORGANIZER: -price, Account.FEES: -fee})


def captured(amount: int) -> Entry:
    """The fan has paid: it lies with the provider."""
    return _entry({Account.PROVIDER: amount, Account.FAN: -amount})


def returned(*, price: int, fee: int) -> Entry:
    """Tickets are cancelled: nobody owes anything for them, and what was paid is owed to the fan."""
    return _entry({account: -amount for account, amount in sold(price=price, fee=fee).items()})


def refunded(amount: int) -> Entry:
    """The fan has it back."""
    return _entry({account: -minor for account, minor in captured(amount).items()})


def _entry(amounts: Mapping[Account, int]) -> Entry:
    assert sum(amounts.values()) == 0, amounts
    return MappingProxyType({account: amount for account, amount in amounts.items() if amount})
