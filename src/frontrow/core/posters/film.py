"""Posters for films: a horizon, a lit door, frames of a strip, the lamp of the projector."""

from math import sin
from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import (
    HEIGHT,
    WIDTH,
    Scene,
    disc,
    fade,
    glow,
    polygon,
    rect,
    tag,
    veil,
)
from frontrow.core.posters.lettering import GROTESK, TITLES, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "A FILM"


def horizon(palette: Palette, dice: Dice) -> Scene:
    """A great moon, ridges before it, somebody very small."""
    moon, across = dice.between(200, 260), dice.between(110, 290)
    shapes = [
        fade("sky", (0, palette.night, 1), (0.35, palette.deep, 1), (0.62, palette.mid, 1), (0.75, palette.glow, 1)),
        rect(0, 0, WIDTH, HEIGHT, "url(#sky)"),
        fade("moon", (0, palette.paper, 1), (0.6, palette.spark, 1), (1, palette.glow, 1)),
        disc(across, moon, dice.between(88, 128), "url(#moon)"),
    ]
    for i, colour in enumerate((palette.mid, palette.deep, palette.night)):
        shapes.append(polygon(_ridge(330 + i * 36, 34 - i * 8, dice), colour, fill_opacity=0.82 + i * 0.09))
    where = dice.between(90, 310)
    shapes += [rect(where - 3, 376, 6, 24, palette.night, rx=3), disc(where, 372, 4.5, palette.night)]
    return Scene((*shapes, *veil(palette, 390)), _titles(palette))


def _ridge(height: float, rise: float, dice: Dice) -> list[tuple[float, float]]:
    first, second = dice.between(0.012, 0.02), dice.between(0.035, 0.06)
    shift = dice.between(0, 6)
    edge = [(x, height - rise * (sin(x * first + shift) + 0.4 * sin(x * second))) for x in range(0, WIDTH + 1, 10)]
    return [*edge, (WIDTH, HEIGHT), (0, HEIGHT)]


def doorway(palette: Palette, dice: Dice) -> Scene:
    """Somebody stands in a lit door; the light reaches for us."""
    x, half = dice.between(140, 260), dice.between(34, 46)
    top, sill = 120.0, 340.0
    lean = (x - WIDTH / 2) * 1.4
    shapes = [
        glow("spill", palette.glow, 0.75),
        disc(x, 250, 250, "url(#spill)"),
        fade("floor", (0, palette.spark, 0.9), (1, palette.mid, 0)),
        polygon([(x - half, sill), (x + half, sill), (x + 150 + lean, 560), (x - 150 + lean, 560)], "url(#floor)"),
        fade("door", (0, palette.paper, 1), (1, palette.spark, 1)),
        rect(x - half, top, half * 2, sill - top, "url(#door)"),
        polygon(
            [(x - 9, sill), (x + 9, sill), (x + 34 + lean, 560), (x - 34 + lean, 560)], palette.night, opacity=0.85
        ),
        rect(x - 10, 262, 20, 80, palette.night, rx=9),
        disc(x, 248, 11, palette.night),
    ]
    return Scene((*shapes, *veil(palette, 360)), _titles(palette))


def frames(palette: Palette, dice: Dice) -> Scene:
    """A strip of film laid across the poster, three moments on it."""
    turn = dice.pick((-14, -9, 9, 14))
    strip = [rect(90, -80, 220, 800, palette.night)]
    for i in range(26):
        strip += [rect(x, -70 + i * 30, 12, 17, palette.glow, rx=3) for x in (98, 290)]
    for i, (sky, sun) in enumerate(
        ((palette.deep, palette.glow), (palette.mid, palette.spark), (palette.glow, palette.paper))
    ):
        top, ball = -6 + i * 150, dice.between(150, 250)
        strip += [
            rect(120, top, 160, 132, sky, rx=4),
            disc(ball, top + 66, dice.between(22, 40), sun),
            polygon(
                [
                    (120, top + 132),
                    (120, top + 104),
                    (dice.between(150, 250), top + 84),
                    (280, top + 110),
                    (280, top + 132),
                ],
                palette.night,
            ),
        ]
    shapes = [
        fade("wall", (0, palette.mid, 1), (1, palette.deep, 1)),
        rect(0, 0, WIDTH, HEIGHT, "url(#wall)"),
        tag("g", *strip, transform=f"rotate({turn} 200 300)"),
    ]
    return Scene((*shapes, *veil(palette, 340)), _titles(palette))


def projector(palette: Palette, dice: Dice) -> Scene:
    """The lamp in the dark, dust in its cone."""
    mirror = {"transform": f"translate({WIDTH} 0) scale(-1 1)"} if dice.pick((True, False)) else {}
    beam = [
        polygon([(46, 92), (WIDTH + 40, 120), (WIDTH + 40, 420), (46, 100)], "url(#cone)"),
        disc(46, 96, 74, "url(#lamp)"),
        disc(46, 96, 15, palette.paper),
    ]
    for _ in range(44):
        along = dice.between(0.12, 1)
        dust = (46 + along * (WIDTH - 6), 96 + along * dice.between(10, 300))
        beam.append(disc(*dust, dice.between(0.8, 3.4), palette.paper, opacity=dice.between(0.3, 0.9)))
    shapes = [
        fade("cone", (0, palette.spark, 0.95), (1, palette.mid, 0.2), across=True),
        glow("lamp", palette.paper, 1),
        tag("g", *beam, **mirror),
    ]
    for row in range(3):
        shapes += [_chair(24 + i * 44 + row * 22, 372 + row * 34, palette, row) for i in range(-1, 9)]
    return Scene((*shapes, *veil(palette, 396)), _titles(palette, y=430, height=138))


def _chair(x: float, y: float, palette: Palette, row: int) -> str:
    return rect(
        x, y, 36, 46, (palette.deep, palette.deep, palette.night)[row], rx=9, stroke=palette.night, stroke_width=2
    )


def circles(palette: Palette, dice: Dice) -> Scene:
    """Two discs that meet: what they share has the brightest colour."""
    apart, tilt, size = dice.between(50, 70), dice.between(-50, 50), 114.0
    left, right, y = 200 - apart, 200 + apart, 230.0
    shapes = [
        rect(0, 0, WIDTH, HEIGHT, palette.paper),
        disc(left, y - tilt / 2, size, palette.glow),
        disc(right, y + tilt / 2, size, palette.night),
        tag("clipPath", disc(left, y - tilt / 2, size, palette.glow), id="shared"),
        tag("g", disc(right, y + tilt / 2, size, palette.mid), clip_path="url(#shared)"),
    ]
    style = Lettering(GROTESK, palette.night, CAPTION, palette.night, y=396, height=172)
    return Scene(tuple(shapes), style, daylight=True)


def _titles(palette: Palette, *, y: float = 400, height: float = 164) -> Lettering:
    return Lettering(TITLES, palette.paper, CAPTION, palette.spark, y=y, height=height, centred=True)


SCENES: Final = (horizon, doorway, frames, projector, circles)
