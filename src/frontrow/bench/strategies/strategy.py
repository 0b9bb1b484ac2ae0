"""What a strategy is to the laboratory: what it is given, what it says of itself, and how it is asked."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import LiteralString

from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest
from frontrow.core.seat_maps import SeatMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What a strategy is given to work with."""

    database_url: str  # a database with nothing in it
    valkey_url: str
    prefix: str  # of its keys in Valkey: others have keys there too
    hall: SeatMap  # of every event
    tuned: bool  # work as well as we know how to, and not as published


async def _at_rest() -> None:
    return


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """A strategy at work."""

    put_on_sale: Callable[[], Awaitable[EventId]]  # one event more, all of its seats free
    hold: Callable[[EventId, HoldRequest], Awaitable[bool]]  # False: somebody has one of the seats, none was held
    settle: Callable[[], Awaitable[None]] = _at_rest  # returns when what was acknowledged is in PostgreSQL


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """One way of holding seats."""

    name: str
    title: str
    durable: bool  # an acknowledged hold survives the power cut of the next millisecond
    stored: LiteralString  # a query for who has which seat now: event_id, seat_no, hold_id
    audited: bool = False  # its database has Frontrow's schema, and so the invariants that `frontrow audit` asks
    at_work: Callable[[Workbench], AbstractAsyncContextManager[AtWork]]
