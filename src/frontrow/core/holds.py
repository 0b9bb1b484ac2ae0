"""Holds: seats that one fan has for a time, all of a request or none; and every way a request for them is answered.

The rules for a whole event are in ledger.py; what happens to a single seat is in seats.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NewType, TypeAlias
from uuid import UUID

from frontrow.core.seats import SeatNo

HoldId = NewType("HoldId", UUID)  # made by the fan's device: asking again with the same one gets the same answer
FanId = NewType("FanId", UUID)


class HoldState(StrEnum):
    """What has become of a hold."""

    HELD = "held"
    CHECKOUT = "checkout"  # being paid: no clock ends it
    SOLD = "sold"
    RELEASED = "released"
    EXPIRED = "expired"
    RETURNED = "returned"  # it was sold, and all of its seats came back


class HoldChange(StrEnum):
    """What may happen to a hold."""

    RELEASE = "release"
    EXPIRE = "expire"
    BEGIN_CHECKOUT = "begin checkout"
    SELL = "sell"
    SELL_AGAIN = "sell again"  # money that came late bought the same seats
    RETURN_ALL = "return all"


LIVE: Final = frozenset({HoldState.HELD, HoldState.CHECKOUT})  # a fan has at most one such hold per event

TRANSITIONS: Final[Mapping[tuple[HoldState, HoldChange], HoldState]] = MappingProxyType(
    {
        (HoldState.HELD, HoldChange.RELEASE): HoldState.RELEASED,
        (HoldState.HELD, HoldChange.EXPIRE): HoldState.EXPIRED,
        (HoldState.HELD, HoldChange.BEGIN_CHECKOUT): HoldState.CHECKOUT,
        (HoldState.CHECKOUT, HoldChange.SELL): HoldState.SOLD,
        (HoldState.CHECKOUT, HoldChange.RELEASE): HoldState.RELEASED,
        (HoldState.CHECKOUT, HoldChange.EXPIRE): HoldState.EXPIRED,
        (HoldState.EXPIRED, HoldChange.SELL_AGAIN): HoldState.SOLD,
        (HoldState.SOLD, HoldChange.RETURN_ALL): HoldState.RETURNED,
    }
)


@dataclass(frozen=True, slots=True)
class Hold:
    """Seats held together, as whoever asks about them sees it. The seats are in the order of their numbers."""

    hold_id: HoldId
    state: HoldState
    seats: tuple[SeatNo, ...]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """A fan wants these seats, all of them or none."""

    hold_id: HoldId
    fan_id: FanId
    seats: tuple[SeatNo, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The seats are held from now on."""

    hold: Hold


@dataclass(frozen=True, slots=True)
class Known:
    """This hold was placed before; here is what has become of it."""

    hold: Hold


@dataclass(frozen=True, slots=True)
class SeatsTaken:
    """Somebody was faster. At least these seats are taken, and none were held."""

    taken: tuple[SeatNo, ...]


class Refusal(StrEnum):
    """A no that needs no further words. In order of precedence: where two apply, the first is the answer."""

    FOREIGN = "foreign"  # another fan has a hold of this id
    NOT_ON_SALE = "not-on-sale"
    NO_SEATS = "no-seats"
    TOO_MANY_SEATS = "too-many-seats"
    UNKNOWN_SEAT = "unknown-seat"
    SEAT_TWICE = "seat-twice"
    HOLD_EXISTS = "hold-exists"  # the fan has a live hold already
    LIMIT_REACHED = "limit-reached"  # held and bought together
    UNKNOWN = "unknown"  # there is no such hold


@dataclass(frozen=True, slots=True)
class Deferred:
    """Undecided: an earlier request of the same batch is in the way. Ask again in the next one."""


DEFERRED: Final = Deferred()

HoldAnswer: TypeAlias = Placed | Known | SeatsTaken | Refusal
