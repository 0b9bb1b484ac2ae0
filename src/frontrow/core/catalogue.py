"""What can be visited: cities, venues, halls, productions, events and their prices.

A production is what is shown (a tour, a film, a play, a fixture); an event is one showing of it: one production,
one hall, one time, one on-sale time. Organizers own both. Seat maps have their own file; an event names its map by
the hash of its content, so a map that is in use never changes.

The status people see is never stored: `status_of` derives it from what the organizer decided, the clock and the
seats left, so it cannot be stale.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, NewType

from frontrow.core.money import Money

CityId = NewType("CityId", int)
VenueId = NewType("VenueId", int)
HallId = NewType("HallId", int)
OrganizerId = NewType("OrganizerId", int)
ProductionId = NewType("ProductionId", int)
EventId = NewType("EventId", int)
SeatMapSha = NewType("SeatMapSha", str)  # SHA-256 of the canonical form, 64 hex digits

HOLD_SECONDS: Final = 480  # long enough for a bank's second step on a slow phone
SEATS_PER_HOLD_MAX: Final = 10  # the most any of the designs allows in one go; an event may allow fewer
TICKETS_PER_FAN_MAX: Final = 10  # per event, held and bought together


class Category(StrEnum):
    """The shelves of the shop."""

    CONCERT = "concert"
    FILM = "film"
    THEATRE = "theatre"
    SPORT = "sport"
    COMEDY = "comedy"
    FAMILY = "family"


class Publication(StrEnum):
    """What the organizer decided about an event."""

    DRAFT = "draft"  # only its organizer sees it
    ANNOUNCED = "announced"  # everybody sees it; from its on-sale time on it sells
    CANCELLED = "cancelled"  # everybody sees that it does not take place


class EventStatus(StrEnum):
    """What everybody sees of an event."""

    DRAFT = "draft"
    ANNOUNCED = "announced"
    ON_SALE = "on_sale"
    SOLD_OUT = "sold_out"
    ENDED = "ended"
    CANCELLED = "cancelled"


def status_of(
    publication: Publication, *, on_sale_at: datetime, ends_at: datetime, seats_left: int, now: datetime
) -> EventStatus:
    """The status of an event at `now`. In order of precedence: the first that applies is the answer."""
    if publication is Publication.DRAFT:
        return EventStatus.DRAFT
    if publication is Publication.CANCELLED:
        return EventStatus.CANCELLED
    if now >= ends_at:
        return EventStatus.ENDED
    if now < on_sale_at:
        return EventStatus.ANNOUNCED
    if seats_left == 0:
        return EventStatus.SOLD_OUT
    return EventStatus.ON_SALE


@dataclass(frozen=True, slots=True)
class Place:
    """A point on the earth, in degrees."""

    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        assert -90 <= self.latitude <= 90, self.latitude  # noqa: PLR2004 -- the poles
        assert -180 <= self.longitude <= 180, self.longitude  # noqa: PLR2004 -- the date line


@dataclass(frozen=True, slots=True)
class City:
    """Where people live and go out. Its time zone is that of its venues."""

    city_id: CityId
    name: str
    country: str  # ISO 3166-1, two letters
    time_zone: str  # IANA name
    place: Place
    also_known_as: tuple[str, ...] = ()  # in other languages, or as people say it


@dataclass(frozen=True, slots=True)
class Venue:
    """A building with at least one hall."""

    venue_id: VenueId
    city_id: CityId
    name: str
    street: str
    postal_code: str
    place: Place


@dataclass(frozen=True, slots=True)
class Hall:
    """A room or ground with seats. Its seat maps are versioned; each event keeps the one it was made with."""

    hall_id: HallId
    venue_id: VenueId
    name: str


@dataclass(frozen=True, slots=True)
class Organizer:
    """Who puts on events, and is paid for them."""

    organizer_id: OrganizerId
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Production:
    """What is shown, wherever and whenever: a tour, a film, a play, a fixture."""

    production_id: ProductionId
    organizer_id: OrganizerId
    name: str
    performers: tuple[str, ...]
    category: Category
    genre: str
    about: str
    minutes: int
    popularity: float  # 0 to 1; orders search results that match equally well
    rating: float | None  # 0 to 5, or not rated yet
    also_known_as: tuple[str, ...] = ()  # in other languages, or as people say it


@dataclass(frozen=True, slots=True)
class PriceLevel:
    """What a seat of one level costs at one event. The seat map says which seats are of which level."""

    level: str  # as the seat map names it
    name: str
    price: Money
    fee: Money  # ours, on top: shown all-in from the first page on

    @property
    def all_in(self) -> Money:
        return self.price + self.fee


@dataclass(frozen=True, slots=True)
class Event:
    """One showing: one production, one hall, one time, one on-sale time."""

    event_id: EventId
    production_id: ProductionId
    hall_id: HallId
    seat_map: SeatMapSha
    name: str
    publication: Publication
    on_sale_at: datetime
    starts_at: datetime
    ends_at: datetime
    price_levels: tuple[PriceLevel, ...]
    waiting_room: bool = False
    hold_seconds: int = HOLD_SECONDS
    seats_per_hold_max: int = SEATS_PER_HOLD_MAX
    tickets_per_fan_max: int = TICKETS_PER_FAN_MAX
    codes_until: datetime | None = None  # a presale: until then fans with an access code alone may enter
    all_in: Mapping[str, Money] = field(init=False, repr=False, compare=False)  # what a seat of each level costs

    def __post_init__(self) -> None:
        assert self.on_sale_at < self.ends_at, "an event ends after its sale begins"
        assert self.starts_at < self.ends_at, "an event ends after it starts"
        assert self.price_levels, "an event has prices"
        object.__setattr__(self, "all_in", {level.level: level.all_in for level in self.price_levels})


@dataclass(frozen=True, slots=True)
class Listing:
    """An event as lists show it: what, who, where, when, from how much, and how much is left."""

    event_id: EventId
    name: str
    production_id: ProductionId
    production: str
    performers: tuple[str, ...]
    category: Category
    genre: str
    venue_id: VenueId
    venue: str
    hall: str
    city_id: CityId
    city: str
    country: str
    time_zone: str
    publication: Publication
    on_sale_at: datetime
    starts_at: datetime
    ends_at: datetime
    waiting_room: bool
    price_from: Money  # all-in, of the cheapest seat that is left; when none is, of the cheapest there was
    seats: int
    seats_left: int
    rating: float | None = None  # of the production

    def status(self, now: datetime) -> EventStatus:
        return status_of(
            self.publication, on_sale_at=self.on_sale_at, ends_at=self.ends_at, seats_left=self.seats_left, now=now
        )
