"""What fans search for in a large catalogue: words right and wrong, places, filters; and names letter by letter.

All of it is drawn by chance from a fixed seed, and hardly anything is asked twice: what a service remembers from one
search helps the next one little.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Final
from urllib.parse import urlencode

from frontrow.bench.catalogue.places import House, Town
from frontrow.bench.catalogue.season import Season
from frontrow.bench.catalogue.works import Work
from frontrow.bench.relevance import SEARCH, SUGGEST

SEED: Final = 77
TYPED_CHARS: Final = (1, 14)  # so many letters before somebody picks a suggestion, or has typed all
RADII_KM: Final = (10, 25, 50, 100)
SORTS: Final = ("date", "price", "rating", "relevance")

# How often each kind of search is made, of a hundred.
KINDS: Final = {
    "name": 28,
    "name misspelt": 12,
    "name half typed": 12,
    "name and city": 12,
    "venue": 6,
    "city": 6,
    "category in a city": 10,
    "near": 8,
    "genre or category as a word": 1,
    "category everywhere": 3,
    "days": 2,
}


def searches(season: Season, today: date, count: int) -> Sequence[str]:
    """So many, as addresses."""
    chance = Random(SEED)  # noqa: S311 -- the same each time is what is wanted
    drawing = _Drawing(season, today, chance)
    kinds = chance.choices(list(KINDS), list(KINDS.values()), k=count)
    return [f"{SEARCH}?{urlencode(drawing.of_kind(kind))}" for kind in kinds]


def typed(season: Season, count: int) -> Sequence[str]:
    """Requests for suggestions as they come while names are typed, letter after letter."""
    chance = Random(SEED)  # noqa: S311 -- as above
    return [f"{SUGGEST}?{urlencode({'q': begun})}" for begun in islice(_typing(season, chance), count)]


def _typing(season: Season, chance: Random) -> Iterator[str]:
    while True:
        work, town = chance.choice(season.works), chance.choice(season.towns)
        name = chance.choice((work.name, *work.performers, town.name, chance.choice(season.houses).name))
        if chance.random() < 0.1:  # noqa: PLR2004 -- one in ten is misspelt
            name = misspelt(name, chance)
        for letters in range(TYPED_CHARS[0], min(len(name), chance.randint(*TYPED_CHARS)) + 1):
            yield name[:letters]


def misspelt(name: str, chance: Random) -> str:
    """With one letter wrong, missing, doubled, or exchanged with the next, but not the first."""
    if len(name) < 4:  # noqa: PLR2004 -- what is shorter is another word then
        return name
    at = chance.randrange(1, len(name) - 1)
    before, letter, after = name[:at], name[at], name[at + 1 :]
    return chance.choice(
        (
            before + chance.choice("aeiorstn") + after,
            before + after,
            before + letter + letter + after,
            before + after[0] + letter + after[1:],
        )
    )


class _Drawing:
    """Draws one search after the other."""

    def __init__(self, season: Season, today: date, chance: Random) -> None:
        self._season = season
        self._today = today
        self._chance = chance
        self._towns = {town.name: town for town in season.towns}
        self._weights = [town.weight for town in season.towns]
        self._kinds: dict[str, Callable[[], Mapping[str, object]]] = {
            "name": lambda: {"q": self._name()},
            "name misspelt": lambda: {"q": misspelt(self._name(), chance)},
            "name half typed": self._half_typed,
            "name and city": self._with_city,
            "venue": lambda: {"q": self._house().name},
            "city": lambda: {"q": self._town().name},
            "category in a city": lambda: {"q": self._town().name, "category": self._work().category.value},
            "near": self._near,
            "genre or category as a word": lambda: {
                "q": chance.choice((self._work().genre, self._work().category.value))
            },
            "category everywhere": lambda: {"category": self._work().category.value, "sort": chance.choice(SORTS)},
            "days": self._days,
        }

    def of_kind(self, kind: str) -> Mapping[str, object]:
        return self._kinds[kind]()

    def _work(self) -> Work:
        return self._chance.choice(self._season.works)

    def _town(self) -> Town:
        return self._chance.choices(self._season.towns, self._weights)[0]

    def _house(self) -> House:
        return self._chance.choice(self._season.houses)

    def _name(self) -> str:
        work = self._work()
        return self._chance.choice((work.name, *work.performers, *work.also_known_as))

    def _half_typed(self) -> Mapping[str, object]:
        name = self._name()
        return {"q": name[: self._chance.randint(3, max(3, len(name) - 1))]}

    def _with_city(self) -> Mapping[str, object]:
        night = self._chance.choice(self._season.nights)
        name = self._chance.choice((night.work.name, *night.work.performers))
        return {"q": f"{name} {night.house.town.name}"}

    def _near(self) -> Mapping[str, object]:
        place = self._town().place
        words = {"q": self._work().genre} if self._chance.random() < 0.5 else {}  # noqa: PLR2004 -- every other one
        return {
            **words,
            "near": f"{place.latitude},{place.longitude}",
            "radius_km": self._chance.choice(RADII_KM),
            "sort": "distance",
        }

    def _days(self) -> Mapping[str, object]:
        day = self._today + timedelta(days=self._chance.randint(1, 90))
        return {"from": day, "to": day + timedelta(days=self._chance.randint(0, 7)), "sort": self._chance.choice(SORTS)}
