"""What is on in a large catalogue, where and when: films every day, tours from town to town, plays for some weeks.

Everything follows from the seed and the day it begins: the same catalogue each time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle, islice
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from frontrow.bench.catalogue.places import House, Town, houses, towns
from frontrow.bench.catalogue.works import Work, invented, repertoire
from frontrow.core.catalogue import Category

SEED: Final = 20270301
DAYS: Final = 365  # how far ahead anything is announced
FILM_DAYS: Final = 14
FILMS: Final = 64
SLOTS: Final = (time(14, 30), time(17, 15), time(20), time(22, 30))
EVENING: Final = time(20)

# Of all events that are no films: the share of each category; of one production, about how many towns and days in each.
SHARES: Final = {
    Category.CONCERT: (0.46, 8, 1),
    Category.THEATRE: (0.30, 2, 9),
    Category.SPORT: (0.05, 1, 1),
    Category.COMEDY: (0.10, 7, 1),
    Category.FAMILY: (0.09, 3, 4),
}
FILM_SHARE: Final = 0.4
KINDS: Final = {
    Category.CONCERT: ("club", "arena"),
    Category.FILM: ("cinema",),
    Category.THEATRE: ("theatre",),
    Category.SPORT: ("arena",),
    Category.COMEDY: ("theatre", "club"),
    Category.FAMILY: ("theatre",),
}
CANCELLED_SHARE: Final = 0.01
DRAFT_SHARE: Final = 0.01


@dataclass(frozen=True, slots=True)
class Night:
    """One event, before it has an id."""

    work: Work
    house: House
    hall: int
    starts_at: datetime
    price_minor: int  # of the cheapest level; those above cost more
    publication: str


@dataclass(frozen=True, slots=True)
class Season:
    """The whole of it."""

    towns: Sequence[Town]
    houses: Sequence[House]
    works: Sequence[Work]
    nights: Sequence[Night]


def season(*, events: int, cities: int, today: date) -> Season:
    """So many events in so many cities, from tomorrow on."""
    chance = Random(SEED)  # noqa: S311 -- the same each time is what is wanted
    places = towns(cities, chance)
    stages = _Stages(places, houses(places, chance), today, chance)
    known = list(repertoire(chance))
    nights = [night for work in known if work.towns for night in stages.tour(work, work.towns, days=3)]
    films = [work for work in known if work.category is Category.FILM]
    films += [invented(Category.FILM, "", chance) for _ in range(FILMS - len(films))]
    nights += islice(stages.programme(films), round(events * FILM_SHARE))
    left = events - len(nights)
    for category, (share, count, days) in SHARES.items():
        nights += islice(stages.tours(category, towns=count, days=days), round(left * share))
    nights += islice(stages.programme(films[::-1]), max(0, events - len(nights)))
    del nights[events:]
    return Season(places, stages.houses, list(dict.fromkeys(night.work for night in nights)), nights)


class _Stages:
    """The houses, and how events get into them."""

    def __init__(self, places: Sequence[Town], found: Sequence[House], today: date, chance: Random) -> None:
        self.houses = found
        self._towns = places
        self._today = today
        self._chance = chance
        self._in: dict[str, list[House]] = {}
        for house in found:
            self._in.setdefault(house.town.name, []).append(house)

    def programme(self, films: Sequence[Work]) -> Iterator[Night]:
        """Every cinema, every hall, every day: another film in each slot."""
        films_in_turn = cycle(films)
        for day in range(1, FILM_DAYS + 1):
            for house in self.houses:
                if house.kind == "cinema":
                    for hall in range(house.halls):
                        for slot in self._chance.sample(SLOTS, 2):
                            yield self._night(next(films_in_turn), house, hall, day, slot)

    def tours(self, category: Category, *, towns: int, days: int) -> Iterator[Night]:
        """One invented production after the other, for ever."""
        weights = [town.weight for town in self._towns]
        while True:
            along = self._chance.choices(self._towns, weights, k=self._chance.randint(1, 2 * towns - 1))
            names = tuple(dict.fromkeys(town.name for town in along))
            yield from self.tour(invented(category, names[0], self._chance), names, days=days)

    def tour(self, work: Work, names: Sequence[str], *, days: int) -> Iterator[Night]:
        """One production, town after town."""
        day = self._chance.randint(1, DAYS - 1)
        for name in names:
            house = self._house(work.category, name)
            for _ in range(self._chance.randint(1, 2 * days - 1)):
                if house is not None:
                    yield self._night(work, house, 0, 1 + day % DAYS, EVENING)
                day += 1

    def _house(self, category: Category, name: str) -> House | None:
        there = self._in.get(name, [])
        fitting = [house for house in there if house.kind in KINDS[category]] or there
        return self._chance.choice(fitting) if fitting else None

    def _night(self, work: Work, house: House, hall: int, day: int, at: time) -> Night:
        zone = ZoneInfo(house.town.time_zone)
        starts_at = datetime.combine(self._today + timedelta(days=day), at, zone).astimezone(UTC)
        drawn = self._chance.random()
        publication = "cancelled" if drawn < CANCELLED_SHARE else "draft" if drawn > 1 - DRAFT_SHARE else "announced"
        euros = self._chance.randint(6, 12) if work.category is Category.FILM else self._chance.randint(9, 70)
        return Night(work, house, hall, starts_at, euros * 100, publication)
