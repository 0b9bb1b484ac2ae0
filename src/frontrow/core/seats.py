"""The life of one seat at one event.

Every rule about what may happen to a seat is in this file, and nothing else is: no database, no clock, no log. The
diagram in docs/states.md is printed from the table below. How seats are held together has its own file, holds.py.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType

SeatNo = NewType("SeatNo", int)  # dense, 0 to seats - 1 of the event's seat map


class SeatState(StrEnum):
    """What everybody may know of a seat."""

    AVAILABLE = "available"
    HELD = "held"
    SOLD = "sold"
    BLOCKED = "blocked"  # by the organizer: a camera stands there

    @property
    def letter(self) -> str:
        """As the journal writes it."""
        return self.value[0]


class SeatChange(StrEnum):
    """What may happen to a seat."""

    HOLD = "hold"
    RELEASE = "release"  # the fan gives it back
    EXPIRE = "expire"  # the clock does
    SELL = "sell"
    SELL_AGAIN = "sell again"  # money that came late bought it
    RETURN = "return"  # an order was cancelled
    BLOCK = "block"
    UNBLOCK = "unblock"


TRANSITIONS: Final[Mapping[tuple[SeatState, SeatChange], SeatState]] = MappingProxyType(
    {
        (SeatState.AVAILABLE, SeatChange.HOLD): SeatState.HELD,
        (SeatState.HELD, SeatChange.RELEASE): SeatState.AVAILABLE,
        (SeatState.HELD, SeatChange.EXPIRE): SeatState.AVAILABLE,
        (SeatState.HELD, SeatChange.SELL): SeatState.SOLD,
        (SeatState.AVAILABLE, SeatChange.SELL_AGAIN): SeatState.SOLD,
        (SeatState.SOLD, SeatChange.RETURN): SeatState.AVAILABLE,
        (SeatState.AVAILABLE, SeatChange.BLOCK): SeatState.BLOCKED,
        (SeatState.BLOCKED, SeatChange.UNBLOCK): SeatState.AVAILABLE,
    }
)

OF_LETTER: Final[Mapping[str, SeatState]] = MappingProxyType({state.letter: state for state in SeatState})
assert len(OF_LETTER) == len(SeatState), "two states begin with one letter"
