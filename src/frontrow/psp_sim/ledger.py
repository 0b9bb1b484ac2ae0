"""Where the money is: double entry, from the changes of intents and refunds.

Pure. Every move takes an amount out of one account and puts it into another, so the sum over all accounts is nothing
at any time. What `check` compares is not derived from one another: the moves of an intent, added up from the first,
against what the intent and its refunds say of themselves.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from frontrow.psp_sim.intents import Intent, Refund, RefundStatus, refunded


class Account(StrEnum):
    """Whose money it is."""

    BUYER = "buyer"
    KEPT = "kept"  # the buyer's, set aside for us by the bank
    OURS = "ours"
    RETURNING = "returning"  # on its way back to the buyer


class Why(StrEnum):
    """What moved it."""

    AUTHORIZED = "authorized"
    CAPTURED = "captured"
    VOIDED = "voided"
    REFUNDED = "refunded"
    REFUND_ARRIVED = "refund_arrived"
    REFUND_FAILED = "refund_failed"


WAYS: Final = {
    Why.AUTHORIZED: (Account.BUYER, Account.KEPT),
    Why.CAPTURED: (Account.KEPT, Account.OURS),
    Why.VOIDED: (Account.KEPT, Account.BUYER),
    Why.REFUNDED: (Account.OURS, Account.RETURNING),
    Why.REFUND_ARRIVED: (Account.RETURNING, Account.BUYER),
    Why.REFUND_FAILED: (Account.RETURNING, Account.OURS),
}


class Move(msgspec.Struct, frozen=True):
    """One entry of the ledger."""

    why: Why
    amount: int
    source: str  # the charge or the refund it is for


class Unbalanced(Exception):  # noqa: N818 -- it says what is the matter
    """The ledger and an intent tell different stories: a fault of this program. Nothing of the change is kept."""


def moves_of_intent(before: Intent | None, after: Intent) -> list[Move]:
    """What a change of an intent moves."""
    kept_before, kept = (0 if before is None else before.amount_capturable), after.amount_capturable
    taken = after.amount_received - (0 if before is None else before.amount_received)
    source = after.latest_charge or after.id
    moves: list[Move] = []
    if kept > kept_before:
        moves.append(Move(Why.AUTHORIZED, kept - kept_before, source))
    elif taken > 0 and not kept_before:
        moves.append(Move(Why.AUTHORIZED, taken, source))
    if taken > 0:
        moves.append(Move(Why.CAPTURED, taken, source))
    if kept_before > kept + taken:
        moves.append(Move(Why.VOIDED, kept_before - kept - taken, source))
    return moves


def moves_of_refund(before: Refund | None, after: Refund) -> list[Move]:
    """What a new refund, or the end of a pending one, moves."""
    began = [] if before else [Move(Why.REFUNDED, after.amount, after.id)]
    match after.status:
        case RefundStatus.PENDING:
            return began
        case RefundStatus.SUCCEEDED:
            return [*began, Move(Why.REFUND_ARRIVED, after.amount, after.id)]
        case RefundStatus.FAILED:
            return [*began, Move(Why.REFUND_FAILED, after.amount, after.id)]


class Standing(msgspec.Struct):
    """What the moves of one intent come to."""

    authorized: int = 0
    captured: int = 0
    voided: int = 0
    refunded: int = 0
    refund_arrived: int = 0
    refund_failed: int = 0

    def add(self, why: Why, amount: int) -> None:
        setattr(self, why.value, getattr(self, why.value) + amount)

    def balances(self) -> dict[Account, int]:
        """Of every account; together they are nothing."""
        balances = dict.fromkeys(Account, 0)
        for why, (debited, credited) in WAYS.items():
            amount: int = getattr(self, why.value)
            balances[debited] -= amount
            balances[credited] += amount
        return balances


def check(standing: Standing, intent: Intent, refunds: Sequence[Refund]) -> None:
    """Compare the moves of an intent with what it says, and with its refunds. Raises Unbalanced."""
    pending = sum(refund.amount for refund in refunds if refund.status is RefundStatus.PENDING)
    balances = standing.balances()
    told = {
        Account.KEPT: intent.amount_capturable,
        Account.OURS: intent.amount_received - refunded(refunds),
        Account.RETURNING: pending,
    }
    told[Account.BUYER] = -sum(told.values())
    if balances != told or sum(balances.values()) or min(told[Account.KEPT], told[Account.OURS], pending) < 0:
        raise Unbalanced(f"{intent.id}: the ledger says {balances}, the intent {told}")
    if standing.authorized > intent.amount:
        raise Unbalanced(f"{intent.id}: authorized {standing.authorized} of {intent.amount}, so more than once")
