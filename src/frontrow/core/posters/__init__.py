"""A poster for every production, drawn from its name and category alone.

The same name gives the same SVG, byte for byte, for ever: no clock, no chance, no picture files. A poster names no
venue and no date, so one serves a whole tour, the ticket and the PDF. How it comes about: `dice` turns the name into
choices, a scene of the category (`concert`, `film`, …) paints with one of the `palettes`, and `lettering` sets the
name into the room the scene left for it.

Every colour and size is a presentation attribute: the files work under a policy that allows no inline style.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from frontrow.core.catalogue import Category
from frontrow.core.posters import comedy, concert, family, film, sport, theatre
from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import HEIGHT, WIDTH, Scene, rect, tag
from frontrow.core.posters.lettering import lettered
from frontrow.core.posters.palettes import PALETTES, Palette

POSTERS_REMEMBERED_MAX: Final = 2048  # 4 kB each: every production of a large city

SCENES: Final[Mapping[Category, tuple[Callable[[Palette, Dice], Scene], ...]]] = MappingProxyType(
    {
        Category.CONCERT: concert.SCENES,
        Category.FILM: film.SCENES,
        Category.THEATRE: theatre.SCENES,
        Category.SPORT: sport.SCENES,
        Category.COMEDY: comedy.SCENES,
        Category.FAMILY: family.SCENES,
    }
)


@dataclass(frozen=True, slots=True)
class Artwork:
    """A poster without its name, for who sets the name in type of their own: paper beside it, night below it."""

    svg: str
    palette: Palette


@lru_cache(maxsize=POSTERS_REMEMBERED_MAX)
def poster(name: str, category: Category) -> str:
    """The poster as an SVG document, two wide to three high."""
    palette, scene = _painted(name, category)
    return _framed(palette, scene, *lettered(name, scene.lettering))


def artwork(name: str, category: Category) -> Artwork:
    """The picture of the same poster."""
    palette, scene = _painted(name, category)
    return Artwork(_framed(palette, scene), palette)


def _painted(name: str, category: Category) -> tuple[Palette, Scene]:
    dice = Dice(f"{category}:{name}")
    palette = dice.pick(PALETTES)
    return palette, dice.pick(SCENES[category])(palette, dice)


def _framed(palette: Palette, scene: Scene, *lettering: str) -> str:
    return tag(
        "svg",
        rect(0, 0, WIDTH, HEIGHT, palette.paper if scene.daylight else palette.night),
        *scene.shapes,
        *lettering,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )
