"""Papers: what stands on the tickets of one order, whether they are drawn on a page, printed or mailed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NewType, Self
from uuid import UUID

from frontrow.core import wording
from frontrow.core.catalogue import Listing, Venue
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatPlace
from frontrow.core.tickets import TicketSerial

TicketId = NewType("TicketId", UUID)


@dataclass(frozen=True, slots=True)
class Paper:
    """One ticket."""

    ticket_id: TicketId
    serial: TicketSerial
    code: str
    number: int  # 1 to `of`, in the order of the seats
    of: int
    place: SeatPlace
    level: str
    price: Money  # all-in

    @property
    def seat(self) -> str:
        """`Stalls centre, row F, seat 12`."""
        [words] = wording.places([self.place])
        return words

    @property
    def fields(self) -> Sequence[tuple[str, str]]:
        """The same in the fields of a form: `Section`, `Row` and `Seat`."""
        place = self.place
        if place.row is None:
            return [("Area", place.section.label), ("Place", "Standing")]
        return [("Section", place.section.label), ("Row", place.row.label), ("Seat", place.number or "")]

    @property
    def notes(self) -> Sequence[str]:
        return wording.notes(self.place.flags)


@dataclass(frozen=True, slots=True)
class Papers:
    """Those tickets of an order that are good, and what they are for."""

    order_id: UUID
    paid_at: datetime
    listing: Listing
    venue: Venue
    papers: tuple[Paper, ...]

    def only(self, ticket_id: TicketId) -> Self:
        """With one ticket alone; with none, if it is not among them."""
        return replace(self, papers=tuple(paper for paper in self.papers if paper.ticket_id == ticket_id))

    @property
    def seats(self) -> Sequence[str]:
        """Row by row: `Stalls centre, row F, seats 12 and 13`."""
        return wording.places([paper.place for paper in self.papers])

    @property
    def number(self) -> str:
        """The order's id, as far as people read it to each other."""
        return order_number(self.order_id)


def order_number(order_id: UUID) -> str:
    """`7F3C-91AB`: enough to find one order among those of a fan, or of an evening."""
    digits = order_id.hex[:8].upper()
    return f"{digits[:4]}-{digits[4:]}"
