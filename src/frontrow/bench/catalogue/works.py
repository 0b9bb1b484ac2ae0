"""What is put on in a large catalogue: the works of repertoire.tsv, and many more that are invented."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Final

from frontrow.bench.catalogue.words import (
    CONCERT_GENRES,
    FAMILY_GENRES,
    FILM_GENRES,
    SPORTS,
    STAGE_GENRES,
    WORDS,
)
from frontrow.core.catalogue import Category

ANYWHERE: Final = "any"
RATED_SHARE: Final = 0.6
MINUTES: Final = {
    Category.CONCERT: 150,
    Category.FILM: 112,
    Category.THEATRE: 140,
    Category.SPORT: 110,
    Category.COMEDY: 95,
    Category.FAMILY: 70,
}


@dataclass(frozen=True, slots=True)
class Work:
    """A production, before it has an id."""

    name: str
    category: Category
    genre: str
    performers: tuple[str, ...]
    popularity: float
    rating: float | None
    also_known_as: tuple[str, ...] = ()
    towns: tuple[str, ...] = ()  # where it is on; none: wherever it falls


def repertoire(chance: Random) -> Iterator[Work]:
    """The works that the test set asks for."""
    for line in (files("frontrow.bench.catalogue") / "repertoire.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, category, genre, performers, others, popularity, where = line.split("\t")
            yield Work(
                name=name,
                category=Category(category),
                genre=genre,
                performers=tuple(performer for performer in performers.split(",") if performer),
                popularity=float(popularity),
                rating=_rating(chance),
                also_known_as=tuple(other for other in others.split("|") if other),
                towns=() if where == ANYWHERE else tuple(where.split(",")),
            )


def invented(category: Category, town: str, chance: Random) -> Work:
    """One more of this category. A team plays for a town."""
    match category:
        case Category.FILM:
            name, performers, genre = _title(chance), _cast(chance, 3), chance.choice(FILM_GENRES)
        case Category.CONCERT:
            act = _band(chance) if chance.random() < 0.5 else _person(chance)  # noqa: PLR2004 -- as many of each
            title = _title(chance)
            name, performers, genre = f"{act}: {title}", (act,), chance.choice(CONCERT_GENRES)
        case Category.THEATRE:
            name, performers, genre = _title(chance), _cast(chance, 2), chance.choice(STAGE_GENRES)
        case Category.SPORT:
            home, away = (
                f"{place} {chance.choice(WORDS['team suffixes'])}"
                for place in (town, chance.choice(WORDS["last names"]))
            )
            name, performers, genre = f"{home} v {away}", (home, away), chance.choice(SPORTS)
        case Category.COMEDY:
            comedian = _person(chance)
            name, performers, genre = f"{comedian}: {_title(chance)}", (comedian,), "Stand-up"
        case Category.FAMILY:
            name, performers, genre = f"The {_title(chance)}", (_band(chance),), chance.choice(FAMILY_GENRES)
    popularity = round(chance.betavariate(2, 4), 3)  # few are known to everybody
    return Work(name, category, genre, performers, popularity, _rating(chance))


def _rating(chance: Random) -> float | None:
    return round(chance.uniform(2.5, 5.0), 1) if chance.random() < RATED_SHARE else None


def _person(chance: Random) -> str:
    return f"{chance.choice(WORDS['first names'])} {chance.choice(WORDS['last names'])}"


def _cast(chance: Random, size: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_person(chance) for _ in range(size)))


def _band(chance: Random) -> str:
    adjective, noun, other = (
        chance.choice(WORDS["adjectives"]),
        chance.choice(WORDS["nouns"]),
        chance.choice(WORDS["nouns"]),
    )
    return chance.choice(
        (f"The {adjective} {noun}s", f"{noun} {other}", f"{adjective} {noun}", f"{noun} & the {other}s")
    )


def _title(chance: Random) -> str:
    adjective, noun, other = (
        chance.choice(WORDS["adjectives"]),
        chance.choice(WORDS["nouns"]),
        chance.choice(WORDS["nouns"]),
    )
    patterns = (
        f"{adjective} {noun}",
        f"The {noun} of {other}",
        f"{adjective} {noun}, {adjective} {other}",
        f"A {noun} for {chance.choice(WORDS['first names'])}",
        f"{noun} and {other}",
        f"The {adjective} {noun}",
        f"{chance.choice(WORDS['first names'])}'s {noun}",
    )
    return chance.choice(patterns)
