"""What is wrong with a seat map document, told so that the person who wrote it can mend it.

A flaw is an ordinary answer to a document, not an exception: `read` returns them, bounded, in document order.
"""

from dataclasses import dataclass
from typing import Final

from frontrow.core.seat_maps.limits import FLAWS_MAX

QUOTED_CHARS_MAX: Final = 40


@dataclass(frozen=True, slots=True)
class MapFlaw:
    """One thing that is wrong: where, in a program's words and in a person's, and what."""

    path: str  # JSON Pointer: "/sections/3/rows/0/curve"
    place: str  # "section 112, row AA"; empty for the map as a whole
    problem: str  # what was found and what was expected

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}" if self.place else self.problem


@dataclass(frozen=True, slots=True)
class MapRefused:
    """The document is not a seat map. There is at least one flaw, and at most FLAWS_MAX are told."""

    flaws: tuple[MapFlaw, ...]

    def __post_init__(self) -> None:
        assert 0 < len(self.flaws) <= FLAWS_MAX, len(self.flaws)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the document, for naming it in a flaw."""

    path: str = ""
    words: str = ""

    def into(self, field: str, index: int, words: str) -> "Spot":
        joined = f"{self.words}, {words}" if self.words else words
        return Spot(f"{self.path}/{field}/{index}", joined)


class Flaws:
    """Collects flaws up to FLAWS_MAX; the rest is noise until the first ones are mended."""

    def __init__(self) -> None:
        self.found: list[MapFlaw] = []

    @property
    def full(self) -> bool:
        return len(self.found) == FLAWS_MAX

    def add(self, spot: Spot, problem: str, *, field: str = "") -> None:
        path = f"{spot.path}/{pointer_token(field)}" if field else spot.path
        if not self.full:
            self.found.append(MapFlaw(path, spot.words, problem))


def pointer_token(field: str) -> str:
    """A field's name inside a JSON Pointer (RFC 6901), cut and made harmless for a terminal."""
    return printable(field).replace("~", "~0").replace("/", "~1")


def printable(text: str) -> str:
    """The text as it may be shown to a person: bounded, and without anything that steers a terminal."""
    cut = text if len(text) <= QUOTED_CHARS_MAX else f"{text[:QUOTED_CHARS_MAX]}…"
    return cut if cut.isprintable() else ascii(cut)[1:-1]


def quoted(text: str) -> str:
    return f'"{printable(text)}"'
