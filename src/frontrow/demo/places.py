"""Where the demo takes place: real cities; venues that do not exist, at addresses where they could.

Every hall of a venue has the same plan, unless an event asks for another. What is on, and when, is in season.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from frontrow.core.catalogue import Place
from frontrow.core.seat_maps import SeatMap
from frontrow.demo.plans.arena import arena
from frontrow.demo.plans.cinema import cinema
from frontrow.demo.plans.stadium import stadium
from frontrow.demo.plans.theatre import theatre

Plan = Callable[[], SeatMap]


@dataclass(frozen=True, slots=True)
class City:
    name: str
    country: str
    time_zone: str
    currency: str
    place: Place
    also_known_as: tuple[str, ...] = ()

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


@dataclass(frozen=True, slots=True)
class Venue:
    city: City
    name: str
    street: str
    postal_code: str
    place: Place
    plan: Plan
    hall_names: tuple[str, ...]

    @property
    def halls(self) -> tuple["Hall", ...]:
        return tuple(Hall(self, name) for name in self.hall_names)

    @property
    def hall(self) -> "Hall":
        """The only hall there is."""
        (only,) = self.halls
        return only


@dataclass(frozen=True, slots=True)
class Hall:
    venue: Venue
    name: str


BERLIN: Final = City("Berlin", "DE", "Europe/Berlin", "EUR", Place(52.5200, 13.4050), ("Berlim", "Berlín"))
LONDON: Final = City("London", "GB", "Europe/London", "GBP", Place(51.5072, -0.1276), ("Londres", "Londra"))
LISBON: Final = City(
    "Lisbon", "PT", "Europe/Lisbon", "EUR", Place(38.7223, -9.1393), ("Lisboa", "Lissabon", "Lisbonne")
)

LUMEN_BERLIN: Final = Venue(
    BERLIN,
    "Lumen Neukölln",
    "Karl-Marx-Straße 84",
    "12043",
    Place(52.4806, 13.4357),
    cinema,
    ("Saal 1", "Saal 2", "Saal 3"),
)
LUMEN_LONDON: Final = Venue(
    LONDON,
    "Lumen Peckham",
    "48 Rye Lane",
    "SE15 5BY",
    Place(51.4716, -0.0690),
    cinema,
    ("Screen 1", "Screen 2"),
)
LUMEN_LISBON: Final = Venue(
    LISBON,
    "Lumen Anjos",
    "Avenida Almirante Reis 113",
    "1150-014",
    Place(38.7283, -9.1350),
    cinema,
    ("Sala 1", "Sala 2"),
)
LUMENS: Final = (LUMEN_BERLIN, LUMEN_LONDON, LUMEN_LISBON)

NORDLICHT_ARENA: Final = Venue(
    BERLIN, "Nordlicht Arena", "Eldenaer Straße 40", "10247", Place(52.5201, 13.4672), arena, ("Arena",)
)
TIDEWAY_ARENA: Final = Venue(
    LONDON, "Tideway Arena", "Dockside Road", "E16 2QT", Place(51.5087, 0.0476), arena, ("Arena",)
)
ARENA_DO_ESTUARIO: Final = Venue(
    LISBON, "Arena do Estuário", "Alameda dos Oceanos 61", "1990-203", Place(38.7681, -9.0948), arena, ("Arena",)
)

LARKSPUR_THEATRE: Final = Venue(
    LONDON, "Larkspur Theatre", "214 Upper Street", "N1 1RL", Place(51.5436, -0.1027), theatre, ("Main house",)
)
THEATER_MORGENROT: Final = Venue(
    BERLIN, "Theater Morgenrot", "Hauptstraße 31", "10827", Place(52.4869, 13.3563), theatre, ("Großes Haus",)
)
TEATRO_DAS_MARES: Final = Venue(
    LISBON, "Teatro das Marés", "Rua da Escola Politécnica 58", "1250-102", Place(38.7176, -9.1497), theatre, ("Sala",)
)

MERIDIAN_STADIUM: Final = Venue(
    LONDON, "Meridian Stadium", "Tunnel Avenue", "SE10 0QE", Place(51.4935, 0.0077), stadium, ("Stadium",)
)
