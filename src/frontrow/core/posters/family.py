"""Posters for families: a big top, hills and balloons, a night full of stars."""

from math import hypot, sin
from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import HEIGHT, WIDTH, Scene, around, disc, dusk, glow, path, polygon, rect, tag, veil
from frontrow.core.posters.lettering import ROUND, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "FOR EVERYONE"
MOON_CLEAR: Final = 134  # no star touches the moon, or shines through its dark side


def big_top(palette: Palette, dice: Dice) -> Scene:
    """The tent is up."""
    stripes = dice.pick((7, 9))
    step = 320 / stripes
    roof = [
        polygon([(200, 96), (40 + i * step, 250), (40 + (i + 1) * step, 250)], (palette.mid, palette.paper)[i % 2])
        for i in range(stripes)
    ]
    walls = [rect(40 + i * step, 250, step, 150, (palette.paper, palette.mid)[i % 2]) for i in range(stripes)]
    frill = [disc(40 + (i + 0.5) * step, 250, step / 2, (palette.mid, palette.paper)[i % 2]) for i in range(stripes)]
    shapes = [
        rect(0, 0, WIDTH, HEIGHT, palette.spark),
        *(
            polygon([(200, 250), around(200, 250, 600, a - 6), around(200, 250, 600, a + 6)], palette.glow)
            for a in range(6, 360, 24)
        ),
        *walls,
        *roof,
        *frill,
        path("M170,400 Q176,330 200,306 Q224,330 230,400 Z", palette.night),
        rect(197, 56, 6, 44, palette.night),
        polygon([(203, 56), (246, 68), (203, 82)], palette.mid),
    ]  # fmt: skip -- the parts of the tent, one below the other
    return Scene((*shapes, *_ground(palette)), _sign(palette), daylight=True)


def balloons(palette: Palette, dice: Dice) -> Scene:
    """Balloons over hills, on a day without wind."""
    shapes = [rect(0, 0, WIDTH, HEIGHT, palette.paper), disc(dice.pick((80, 320)), 90, 46, palette.spark)]
    for x, size in ((110, 40), (286, 56), (204, 30)):
        shapes += _balloon(x + dice.between(-20, 20), dice.between(110, 230), size, palette)
    for i, colour in enumerate((palette.glow, palette.mid, palette.deep)):
        shift, pace = dice.between(0, 6), dice.between(0.01, 0.018)
        edge = [(x, 330 + i * 28 + 22 * sin(x * pace + shift)) for x in range(0, WIDTH + 1, 10)]
        shapes.append(polygon([*edge, (WIDTH, HEIGHT), (0, HEIGHT)], colour))
    return Scene((*shapes, *_ground(palette)), _sign(palette), daylight=True)


def _balloon(x: float, y: float, size: float, palette: Palette) -> list[str]:
    silk = path("M-45,-89 Q-70,0 0,150 Q70,0 45,-89 Z", palette.spark)
    skirt = polygon([(-86, 50), (86, 50), (20, 140), (-20, 140)], palette.mid)
    basket = rect(-20, 150, 40, 32, palette.night, rx=8)
    whole = (disc(0, 0, 100, palette.mid), skirt, silk, basket)
    return [tag("g", *whole, transform=f"translate({x:.1f} {y:.1f}) scale({size / 100:.2f})")]


def night_sky(palette: Palette, dice: Dice) -> Scene:
    """A moon to sit on, and stars for everyone."""
    shapes = [*dusk(palette), glow("near", palette.mid, 0.7), disc(200, 210, 230, "url(#near)")]
    for _ in range(26):
        x, y, size = dice.between(14, 386), dice.between(14, 390), dice.between(2.5, 11)
        colour = dice.pick((palette.spark, palette.paper, palette.glow))
        if hypot(x - 200, y - 210) > MOON_CLEAR:
            shapes.append(polygon(_star(x, y, size), colour))
    side = dice.pick((-1, 1))
    shapes += [
        path(
            "M200,92 A118,118 0 1 0 318,210 A92,92 0 1 1 200,92 Z",
            palette.spark,
            transform=f"rotate({12 * side} 200 210)",
        ),
    ]
    return Scene(
        (*shapes, *veil(palette, 380)), Lettering(ROUND, palette.paper, CAPTION, palette.spark, y=410, height=158)
    )


def _star(x: float, y: float, size: float) -> list[tuple[float, float]]:
    return [around(x, y, size if i % 2 == 0 else size * 0.38, i * 45 - 90) for i in range(8)]


def _ground(palette: Palette) -> tuple[str, ...]:
    return (rect(0, 404, WIDTH, 196, palette.night),)


def _sign(palette: Palette) -> Lettering:
    return Lettering(ROUND, palette.paper, CAPTION, palette.spark, y=424, height=148, rests_on="middle")


SCENES: Final = (big_top, balloons, night_sky)
