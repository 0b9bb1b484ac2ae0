"""What the home page, or the page of a city, lists and in which order: listings arranged, without words and HTML.

A production stands once in each part of the page, with those of its events that belong there: a film with ninety
showings is one entry.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from frontrow.core.catalogue import Category, CityId, EventStatus, Listing, ProductionId
from frontrow.web.pages.words import zone

WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Day:
    """One day in one city."""

    listings: tuple[Listing, ...]  # soonest first, never empty

    @property
    def first(self) -> Listing:
        return self.listings[0]


@dataclass(frozen=True, slots=True)
class Entry:
    """One production with some of its events."""

    listings: tuple[Listing, ...]  # soonest first, never empty

    @property
    def first(self) -> Listing:
        return self.listings[0]

    def by_city(self) -> Iterator[tuple[Day, ...]]:
        """The days of each city; cities by name."""
        for _, group in groupby(sorted(self.listings, key=_city_and_day), key=_city):
            yield tuple(Day(tuple(listings)) for _, listings in groupby(group, key=_city_and_day))


@dataclass(frozen=True, slots=True)
class Programme:
    """The page, part by part. No event is in two parts."""

    lead: Listing | None  # the next big on-sale
    soon: tuple[Entry, ...]  # not on sale yet, the soonest on-sale first
    week: tuple[Entry, ...]  # on within seven days, with all that comes after
    films: tuple[Entry, ...]  # the most popular first
    later: tuple[Entry, ...]

    @property
    def is_empty(self) -> bool:
        return self.lead is None and not (self.soon or self.week or self.films or self.later)


def arrange(listings: Sequence[Listing], *, now: datetime) -> Programme:
    """Listings as the page has them. They come by their productions, the most popular ones first."""
    here = sorted(listings, key=_start)
    lead = _lead(here, now)
    rest = [listing for listing in here if listing is not lead]
    soon = [listing for listing in rest if _is_announced(listing, now)]
    others = [listing for listing in rest if not _is_announced(listing, now)]
    live = _entries(listing for listing in others if listing.category is not Category.FILM)
    on = {listing.event_id for listing in others if listing.category is Category.FILM}
    return Programme(
        lead=lead,
        soon=_entries(sorted(soon, key=lambda listing: (listing.on_sale_at, listing.starts_at))),
        week=tuple(entry for entry in live if entry.first.starts_at < now + WEEK),
        films=_entries(listing for listing in listings if listing.event_id in on),
        later=tuple(entry for entry in live if entry.first.starts_at >= now + WEEK),
    )


def _lead(listings: Iterable[Listing], now: datetime) -> Listing | None:
    """The next on-sale with a waiting room: its organizer expects a crowd. Once it has begun, the latest that has."""
    awaited = [listing for listing in listings if listing.waiting_room]
    ahead = [listing for listing in awaited if _is_announced(listing, now)]
    if ahead:
        return min(ahead, key=lambda listing: (listing.on_sale_at, listing.event_id))
    begun = [listing for listing in awaited if listing.status(now) is EventStatus.ON_SALE]
    return max(begun, key=lambda listing: (listing.on_sale_at, listing.event_id), default=None)


def _is_announced(listing: Listing, now: datetime) -> bool:
    return listing.status(now) is EventStatus.ANNOUNCED


def _entries(listings: Iterable[Listing]) -> tuple[Entry, ...]:
    """One entry for each production, in the order in which the productions come up."""
    of: dict[ProductionId, list[Listing]] = {}
    for listing in listings:
        of.setdefault(listing.production_id, []).append(listing)
    return tuple(Entry(tuple(sorted(events, key=_start))) for events in of.values())


def _start(listing: Listing) -> tuple[datetime, int]:
    return listing.starts_at, listing.event_id


def _city(listing: Listing) -> tuple[str, CityId]:
    return listing.city, listing.city_id


def _city_and_day(listing: Listing) -> tuple[str, CityId, int]:
    """Sorting by it leaves the order within a day as it was."""
    return *_city(listing), listing.starts_at.astimezone(zone(listing.time_zone)).toordinal()
