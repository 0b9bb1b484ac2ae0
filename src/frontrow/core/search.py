"""What a search is: what somebody wishes for, the orders of the answer, a place in it, and how all of it is spread.

What typed words mean is in meaning.py. Nothing here knows how events are found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from frontrow.core.catalogue import Category, CityId, EventId, Listing, Place, ProductionId, Venue, VenueId
from frontrow.core.cursors import Value
from frontrow.core.meaning import WORDS_MAX

EVENT_LENGTH_MAX: Final = timedelta(days=31)  # by a constraint of the database: what began before that has ended
DAY_REACHES: Final = timedelta(hours=14)  # the first clock that shows a day does so this long before UTC's
FIRST_TIME: Final = datetime.min.replace(tzinfo=UTC)
LAST_TIME: Final = datetime.max.replace(tzinfo=UTC)
POPULARITY_MAX: Final = 2.0  # more than any production has
CURSOR_AGE_MAX: Final = timedelta(hours=1)  # who comes back later searches anew
NUMBER_MAX: Final = 2**62  # of what PostgreSQL has room for
CLOCKS_APART_MAX: Final = timedelta(minutes=1)  # between machines that answer one search

_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Sort(StrEnum):
    """What comes first. Where two are equal in it, the sooner one; then the one with the lower id."""

    RELEVANCE = "relevance"  # what has the words, is popular, and is soon; without words: what is popular
    DATE = "date"
    PRICE = "price"
    DISTANCE = "distance"
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class Near:
    """Not further from a place than that."""

    place: Place
    metres: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What an event must be to be found. None: it may be anything. Days are those of the venue's calendar."""

    words: str = ""
    near: Near | None = None
    production_id: ProductionId | None = None
    venue_id: VenueId | None = None
    city_id: CityId | None = None
    category: Category | None = None
    genre: str | None = None
    from_at: datetime | None = None
    to_at: datetime | None = None
    from_on: date | None = None
    to_on: date | None = None
    price_min: int | None = None  # all-in, in minor units of whichever currency the event has
    price_max: int | None = None
    currency: str | None = None
    with_seats: bool = False
    with_past: bool = False  # what is over too, where a time to begin with is given

    def ends_after(self, now: datetime) -> datetime | None:
        """What has ended by then is not looked for."""
        return None if self.with_past and (self.from_at or self.from_on) else now

    def starts_within(self, now: datetime) -> tuple[datetime, datetime]:
        """When such events start, at the widest: an index by time is entered there."""
        earliest = [FIRST_TIME]
        if self.ends_after(now):
            earliest.append(now - EVENT_LENGTH_MAX)
        if self.from_at:
            earliest.append(self.from_at)
        if self.from_on:
            earliest.append(_midnight(self.from_on, -DAY_REACHES))
        latest = [LAST_TIME]
        if self.to_at:
            latest.append(self.to_at)
        if self.to_on:
            latest.append(_midnight(self.to_on, timedelta(days=1) + DAY_REACHES))
        return max(earliest), min(latest)

    @property
    def is_of_few_days(self) -> bool:
        """So few that the events of those days are quickly looked at, all of them."""
        return self.from_on is not None and self.to_on is not None and self.to_on - self.from_on <= timedelta(days=1)


@dataclass(frozen=True, slots=True)
class CityFound:
    """A city where something is on."""

    city_id: CityId
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the answer to a search: after this event.

    What came before it stays before it, as the clock stands still at the time of the first page.
    """

    as_of: datetime
    words_left_out: int  # of those that were sought: events with fewer words stand for events with all of them
    place: int
    starts_at: datetime
    event_id: EventId

    @classmethod
    def first(cls, now: datetime) -> Self:
        """Before everything, where a search begins."""
        return cls(now, 0, -NUMBER_MAX, FIRST_TIME, EventId(0))

    def values(self) -> list[Value]:
        return [_micros(self.as_of), self.words_left_out, self.place, _micros(self.starts_at), self.event_id]

    @classmethod
    def of(cls, values: Sequence[Value], *, now: datetime) -> Self | None:
        """The position that was written so, or None: it is none, or it is too old."""
        match values:
            case [int(as_of), int(left_out), int(place), int(starts_at), int(event_id)]:
                is_recent = -CLOCKS_APART_MAX <= now - _time(as_of) <= CURSOR_AGE_MAX
                if is_recent and 0 <= left_out < WORDS_MAX and max(abs(place), abs(event_id)) < NUMBER_MAX:
                    return cls(_time(as_of), left_out, place, _time(starts_at), EventId(event_id))
            case _:
                pass
        return None


@dataclass(frozen=True, slots=True)
class Spread:
    """How all events that were found are spread, the most first."""

    events: int = 0
    categories: Mapping[Category, int] = field(default_factory=dict[Category, int])
    genres: Mapping[str, int] = field(default_factory=dict[str, int])
    cities: Mapping[CityFound, int] = field(default_factory=dict[CityFound, int])
    months: Mapping[str, int] = field(default_factory=dict[str, int])  # "2027-03", in order


@dataclass(frozen=True, slots=True)
class Found:
    """One event of an answer."""

    listing: Listing
    metres: int | None  # how far it is, where that was asked


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A part of an answer, and where the next one begins."""

    found: Sequence[Found]
    spread: Spread
    next: Position | None


class NameKind(StrEnum):
    """What has a name that people type."""

    PRODUCTION = "production"
    ARTIST = "artist"
    VENUE = "venue"
    CITY = "city"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that somebody may be typing."""

    text: str
    kind: NameKind
    of_id: int  # of an artist: that of a production


@dataclass(frozen=True, slots=True)
class ProductionsAsked:
    """Which productions, after which in the order of their popularity."""

    city_id: CityId | None
    category: Category | None
    after_popularity: float = POPULARITY_MAX
    after_id: int = 0


@dataclass(frozen=True, slots=True)
class VenuesAsked:
    """Which venues, after which in the order of their names."""

    city_id: CityId | None
    production_id: ProductionId | None
    after_name: str = ""
    after_id: int = 0


@dataclass(frozen=True, slots=True)
class VenueInCity:
    """A venue, and where it is."""

    venue: Venue
    city: CityFound


def _midnight(day: date, later: timedelta) -> datetime:
    """That much after a day begins in UTC; the first or last time there is where the calendar ends."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if later > LAST_TIME - midnight:
        return LAST_TIME
    return midnight + max(later, FIRST_TIME - midnight)


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def _time(micros: int) -> datetime:
    """The time of so many microseconds; one that no calendar has is as good as the first there is."""
    earliest, latest = _micros(FIRST_TIME), _micros(LAST_TIME)
    return _EPOCH + min(max(micros, earliest), latest) * _MICROSECOND
