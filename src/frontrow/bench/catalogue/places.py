"""Where a large catalogue takes place: the cities of cities.tsv, towns invented around them, and their venues."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Final

from frontrow.bench.catalogue.words import HOUSES, LANGUAGES, WORDS
from frontrow.core.catalogue import Place

TOWN_WEIGHT: Final = 2
TOWN_DEGREES_MAX: Final = 1.2  # an hour's drive from the city it belongs to
VENUE_DEGREES_MAX: Final = 0.08  # the edge of a city
WEIGHT_PER_HOUSE: Final = {"cinema": 16, "theatre": 12, "club": 10, "arena": 40}
HALLS: Final = {"cinema": 3, "theatre": 1, "club": 1, "arena": 1}


@dataclass(frozen=True, slots=True)
class Town:
    """A city, and how much is on there."""

    name: str
    country: str
    time_zone: str
    place: Place
    weight: int
    also_known_as: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        return LANGUAGES.get(self.country, "en")


@dataclass(frozen=True, slots=True)
class House:
    """A venue of one kind: cinema, theatre, club or arena."""

    town: Town
    kind: str
    name: str
    place: Place
    halls: int


def towns(count: int, chance: Random) -> list[Town]:
    """So many: the large ones first."""
    known = list(_known())
    found = known[:count]
    names = {town.name for town in found}
    while len(found) < count:
        near = chance.choices(known, [town.weight for town in known])[0]
        town = _invented(near, chance)
        if town.name not in names:
            names.add(town.name)
            found.append(town)
    return found


def houses(places: Sequence[Town], chance: Random) -> list[House]:
    """The venues of all of them. No two in one town have the same name."""
    return [house for town in places for house in _of_town(town, chance)]


def _lines(name: str) -> Iterator[list[str]]:
    for line in (files("frontrow.bench.catalogue") / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def _known() -> Iterator[Town]:
    for name, country, time_zone, latitude, longitude, weight, others in _lines("cities.tsv"):
        also_known_as = tuple(other for other in others.split(",") if other)
        yield Town(name, country, time_zone, Place(float(latitude), float(longitude)), int(weight), also_known_as)


def _invented(near: Town, chance: Random) -> Town:
    name = chance.choice(WORDS[f"town beginnings {near.language}"]) + chance.choice(WORDS[f"town ends {near.language}"])
    return Town(name, near.country, near.time_zone, _beside(near.place, TOWN_DEGREES_MAX, chance), TOWN_WEIGHT)


def _of_town(town: Town, chance: Random) -> Iterator[House]:
    there = [(kind, name) for city, kind, name in _lines("venues.tsv") if city == town.name]
    for kind, weight in WEIGHT_PER_HOUSE.items():
        patterns = HOUSES[town.language][kind]
        count = round(town.weight / weight) or int(kind in {"cinema", "theatre"})
        while sum(other == kind for other, _ in there) < count:
            name = chance.choice(patterns).format(chance.choice(WORDS["proper names"]))
            if name not in {other for _, other in there}:
                there.append((kind, name))
    for kind, name in there:
        yield House(town, kind, name, _beside(town.place, VENUE_DEGREES_MAX, chance), HALLS[kind])


def _beside(place: Place, degrees_max: float, chance: Random) -> Place:
    return Place(
        round(place.latitude + chance.uniform(-degrees_max, degrees_max), 4),
        round(place.longitude + chance.uniform(-degrees_max, degrees_max), 4),
    )
