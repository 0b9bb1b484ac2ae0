"""Orders and tickets as people know them: the event, the places in words, what each costs, and what is printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Self

from frontrow.core import wording
from frontrow.core.catalogue import Listing, Venue
from frontrow.core.money import Money
from frontrow.core.orders import Order, OrderId, SeatOrdered, TicketId
from frontrow.core.seat_maps import SeatPlace
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketSerial


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

    order_id: OrderId
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
    def total(self) -> Money:
        first, *others = (paper.price for paper in self.papers)
        return sum(others, start=first)

    @property
    def number(self) -> str:
        return order_number(self.order_id)


@dataclass(frozen=True, slots=True)
class BillLine:
    """Seats of one row, and what they cost together: all-in."""

    words: str
    about: str  # what each of them is, and costs
    total: Money


@dataclass(frozen=True, slots=True)
class AboutOrder:
    """An order, and what its fan knows it by."""

    order: Order
    listing: Listing
    venue: Venue
    places: Mapping[SeatNo, SeatPlace]  # of all its seats
    level_names: Mapping[str, str]

    @property
    def number(self) -> str:
        return order_number(self.order.order_id)

    @property
    def seats(self) -> Sequence[str]:
        """Row by row: `Stalls centre, row F, seats 12 and 13`."""
        return wording.places([self.places[each.seat] for each in self.order.seats])

    @property
    def lines(self) -> Sequence[BillLine]:
        """Row by row, at the prices of the order."""
        return [self._line(list(seats)) for _, seats in groupby(self.order.seats, key=self._kind)]

    def _kind(self, each: SeatOrdered) -> tuple[int, str | None, Money]:
        place = self.places[each.seat]
        return place.section.section_no, place.row.label if place.row else None, each.price

    def _line(self, seats: Sequence[SeatOrdered]) -> BillLine:
        [words] = wording.places([self.places[each.seat] for each in seats])
        first = seats[0]
        level = self.places[first.seat].price_level
        each = f"{self.level_names.get(level, level)}, {wording.money(first.price)} each"
        return BillLine(words, each, first.price.times(len(seats)))


def order_number(order_id: OrderId) -> str:
    """`7F3C-91AB`: enough to find one order among those of a fan, or of an evening."""
    digits = order_id.hex[:8].upper()
    return f"{digits[:4]}-{digits[4:]}"
