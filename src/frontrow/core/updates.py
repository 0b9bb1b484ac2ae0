"""Updates: the numbered changes of an event's seats, as the journal has them and as all others follow them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Generic, TypeVar

from frontrow.core.holds import HoldId
from frontrow.core.seats import SeatNo

HOLDER_BYTES: Final = 8
NOBODY: Final = bytes(HOLDER_BYTES)

NEVER: Final = datetime.max.replace(tzinfo=UTC)  # PostgreSQL's infinity: no clock ends it

Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Update:
    """One numbered change, as the journal has it. An update of no seats is none: its number is that of the last one."""

    update_no: int
    at: datetime
    seats: tuple[SeatNo, ...]
    states: str  # a letter for each seat
    holders: bytes  # HOLDER_BYTES for each seat: whose it is now
    expires_at: datetime | None  # when the held ones end; NEVER: not by the clock


@dataclass(frozen=True, slots=True)
class Batch(Generic[Answer_co]):
    """What a batch did, and the answer to each of its requests in order."""

    update: Update
    answers: tuple[Answer_co, ...]


def holder(hold_id: HoldId | None) -> bytes:
    """Whose a seat is, as updates say it: enough of the id to tell one's own hold from all others'."""
    return hold_id.bytes[:HOLDER_BYTES] if hold_id else NOBODY
