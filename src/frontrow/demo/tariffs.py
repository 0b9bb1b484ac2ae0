"""What seats cost in the demo: for each price level of a plan, the dearest first, a name and a price in euros.

In a city that pays in something else the same seats cost about as much, in round figures of its own money.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import Final

from frontrow.core.catalogue import PriceLevel
from frontrow.core.money import Money

PER_EURO: Final[Mapping[str, float]] = MappingProxyType({"EUR": 1.0, "GBP": 0.86})
PRICE_STEP_MINOR: Final = 50  # prices end in 00 or 50
FEE_SHARE: Final = 0.08
FEE_STEP_MINOR: Final = 10
FEE_MINOR_MIN: Final = 90  # what a payment costs us, however cheap the seat

CINEMA: Final = ("Premium", "Standard", "Front rows")
THEATRE: Final = ("Premium", "Band A", "Band B", "Band C", "Band D")
END_STAGE: Final = ("Front standing", "Seats by the stage", "Standing", "Category 1", "Category 2", "Category 3")
IN_THE_ROUND: Final = ("Floor", "Category 1", "Category 2", "Category 3", "Category 4", "Category 5")
STADIUM: Final = ("Category 1", "Category 2", "Category 3", "Category 4", "Category 5", "Category 6")


@dataclass(frozen=True, slots=True)
class Tariff:
    names: tuple[str, ...]
    euros: tuple[float, ...]

    def price_levels(self, currency: str) -> Iterator[PriceLevel]:
        """The prices in a currency. The demo's plans call their levels P1, P2 and so on."""
        for place, (name, euros) in enumerate(zip(self.names, self.euros, strict=True), start=1):
            price = round(euros * 100 * PER_EURO[currency] / PRICE_STEP_MINOR) * PRICE_STEP_MINOR
            yield PriceLevel(f"P{place}", name, Money(price, currency), Money(_fee(price), currency))


def _fee(price: int) -> int:
    return max(FEE_MINOR_MIN, ceil(price * FEE_SHARE / FEE_STEP_MINOR) * FEE_STEP_MINOR)


AFTERNOON_FILM: Final = Tariff(CINEMA, (13, 10.5, 8.5))
EVENING_FILM: Final = Tariff(CINEMA, (16.5, 13.5, 10.5))
PLAY: Final = Tariff(THEATRE, (78, 62, 46, 32, 18))
COMEDIAN: Final = Tariff(THEATRE, (54, 46, 38, 29, 21))
PUPPETS: Final = Tariff(THEATRE, (26, 22, 18, 14, 10))
TOUR: Final = Tariff(END_STAGE, (109, 98, 79, 72, 56, 42))
DANCE_TOUR: Final = Tariff(END_STAGE, (94, 84, 68, 62, 49, 36))
FESTIVAL: Final = Tariff(END_STAGE, (74, 69, 52, 48, 39, 29))
HOMECOMING: Final = Tariff(IN_THE_ROUND, (245, 190, 150, 115, 85, 60))
MATCH: Final = Tariff(STADIUM, (110, 88, 70, 54, 40, 28))
