"""Seats as people say them: `Stalls centre, row F, seats 12 and 13`. For pages, and for who listens to them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from frontrow.core.catalogue import PriceLevel
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatPlace
from frontrow.core.seats import SeatNo
from frontrow.core.wording import notes, places
from frontrow.flows.at_hand import EventAtHand
from frontrow.web.pages.what_is_left import price_levels


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat that a fan picked or holds."""

    seat_no: SeatNo
    place: SeatPlace
    price: PriceLevel

    @property
    def notes(self) -> Sequence[str]:
        return notes(self.place.flags)

    @property
    def short(self) -> str:
        """`F 12`; in a standing area the name of the area."""
        place = self.place
        return f"{place.row.label} {place.number}" if place.row else place.section.label


@dataclass(frozen=True, slots=True)
class Group:
    """Seats of one row, or places of one standing area."""

    seats: Sequence[Seat]  # never empty

    @property
    def first(self) -> Seat:
        return self.seats[0]

    @property
    def words(self) -> str:
        [words] = places([seat.place for seat in self.seats])
        return words

    @property
    def total(self) -> Money:
        return total(self.seats)


def seats_of(at_hand: EventAtHand, seat_nos: Iterable[SeatNo]) -> Sequence[Seat]:
    prices = price_levels(at_hand.event)
    places = [(seat_no, at_hand.seat_map.place(seat_no)) for seat_no in sorted(seat_nos)]
    return [Seat(seat_no, place, prices[place.price_level]) for seat_no, place in places]


def groups(seats: Sequence[Seat]) -> Sequence[Group]:
    """Row by row, as one finds them in the hall."""
    return [Group(list(group)) for _, group in groupby(seats, key=_row)]


def words(seats: Sequence[Seat]) -> str:
    return "; ".join(group.words for group in groups(seats))


def total(seats: Sequence[Seat]) -> Money:
    """All-in. There is at least one seat."""
    first, *others = (seat.price.all_in for seat in seats)
    return sum(others, start=first)


def _row(seat: Seat) -> tuple[int, str | None]:
    place = seat.place
    return place.section.section_no, place.row.label if place.row else None
