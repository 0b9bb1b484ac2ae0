"""What a fan is looking for: how many together, up to which price, where, and which seats are picked already.

It travels in addresses and forms, so that every page of the way to held seats works without a script, can be gone back
to, and forgets nothing. What makes no sense is left out, here; what is then asked of the ledger is its to refuse.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from frontrow.core.catalogue import SEATS_PER_HOLD_MAX, Event
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatMap, Section
from frontrow.core.seats import SeatNo

PARTY: Final = 2  # how most people go out
DIGITS_MAX: Final = 12  # of any number here

Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Wishes:
    """Everything but the event itself."""

    party: int = PARTY
    price_max: int | None = None  # all-in, minor units, for one seat
    section: Section | None = None
    accessible: bool = False
    seats: tuple[SeatNo, ...] = ()  # picked, in the order of their numbers

    def afford(self, price: Money) -> bool:
        return self.price_max is None or price.amount <= self.price_max

    def query(self, **more: object) -> str:
        """As an address carries it: `?party=2&seat=12&row=A`; nothing where it says nothing."""
        fields: list[tuple[str, object]] = [
            ("party", self.party if self.party != PARTY else None),
            ("price_max", self.price_max),
            ("accessible", "1" if self.accessible else None),
            ("section", self.section.label if self.section else None),
            *(("seat", seat) for seat in self.seats),
            *more.items(),
        ]
        said = urlencode([(name, value) for name, value in fields if value is not None])
        return f"?{said}" if said else ""

    def within(self, section: Section | None) -> "Wishes":
        return replace(self, section=section)

    def without(self, seat: int) -> "Wishes":
        return replace(self, seats=tuple(other for other in self.seats if other != seat))


def party_max(event: Event) -> int:
    """How many one fan can hold at once."""
    return min(event.seats_per_hold_max, event.tickets_per_fan_max, SEATS_PER_HOLD_MAX)


def wishes_in(fields: Fields, event: Event, seat_map: SeatMap) -> Wishes:
    """The wishes in an address or a form."""
    party = number(last(fields, "party"))
    return Wishes(
        party=min(party or PARTY, party_max(event)),
        price_max=number(last(fields, "price_max")),
        section=seat_map.section(last(fields, "section")),
        accessible=last(fields, "accessible") == "1",
        seats=tuple(sorted({SeatNo(seat) for seat in _numbers(fields.get("seat", ())) if seat in seat_map})),
    )


def last(fields: Fields, name: str) -> str:
    """The last value of this name counts, as browsers send the newest last. Empty: there is none."""
    values = fields.get(name, ())
    return values[-1] if values else ""


def number(text: str) -> int | None:
    """A whole number as we write it, or None."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX else None


def _numbers(texts: Iterable[str]) -> list[int]:
    return [found for found in map(number, texts) if found is not None]
