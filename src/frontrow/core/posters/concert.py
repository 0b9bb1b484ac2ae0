"""Posters for music: light through haze, sound made visible."""

from math import exp, sin
from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import (
    HEIGHT,
    WIDTH,
    Point,
    Scene,
    around,
    disc,
    dusk,
    fade,
    glow,
    polygon,
    rect,
    ring,
    stroke,
    veil,
)
from frontrow.core.posters.lettering import GIG, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "LIVE"


def beams(palette: Palette, dice: Dice) -> Scene:
    """Lamps above, beams crossing in haze, heads below."""
    count = dice.whole(5, 7)
    lamps = [WIDTH * (i + 0.5) / count for i in range(count)]
    lean = dice.between(-60, 60)
    shapes = [
        *dusk(palette),
        fade("beam", (0, palette.spark, 0.85), (0.25, palette.glow, 0.5), (1, palette.mid, 0)),
        glow("haze", palette.mid, 0.9),
        disc(WIDTH / 2, 380, 260, "url(#haze)"),
    ]
    for lamp in lamps:
        foot, spread = lamp + (WIDTH / 2 - lamp) * 1.7 + lean, dice.between(34, 72)
        shapes.append(
            polygon([(lamp - 4, 34), (lamp + 4, 34), (foot + spread, 450), (foot - spread, 450)], "url(#beam)")
        )
    shapes += [rect(0, 22, WIDTH, 5, palette.night), *(disc(lamp, 34, 6, palette.spark) for lamp in lamps)]
    shapes += _heads(palette, dice)
    return Scene(
        (*shapes, *veil(palette, 400)), Lettering(GIG, palette.paper, CAPTION, palette.spark, y=390, height=178)
    )


def _heads(palette: Palette, dice: Dice) -> list[str]:
    """Two rows of people seen from behind."""
    far = [disc(x, 428 + dice.between(0, 14), 13, palette.deep) for x in range(-6, WIDTH + 20, 25)]
    near = [disc(x, 456 + dice.between(0, 18), 20, palette.night) for x in range(0, WIDTH + 30, 37)]
    return [*far, rect(0, 440, WIDTH, 40, palette.deep), *near, rect(0, 466, WIDTH, 140, palette.night)]


def waves(palette: Palette, dice: Dice) -> Scene:
    """One chord, drawn as many lines, before a low sun."""
    pitch, second = dice.between(0.014, 0.024), dice.between(0.05, 0.08)
    sun = dice.between(120, 280)
    shapes = [
        *dusk(palette),
        fade("sun", (0, palette.spark, 1), (1, palette.glow, 1)),
        glow("halo", palette.glow, 0.6),
        disc(sun, 190, 210, "url(#halo)"),
        disc(sun, 190, 92, "url(#sun)"),
    ]
    for i in range(16):
        height, phase = 10 + 34 * exp(-((i - 6) ** 2) / 18), i * dice.between(0.24, 0.3)
        points = [(x, 170 + i * 15 + _swing(x, pitch, second, phase) * height) for x in range(-8, WIDTH + 9, 8)]
        colour = (palette.spark, *[palette.glow] * 2, palette.mid)[i // 4]
        shapes.append(polygon([*points, (WIDTH + 8, HEIGHT), (-8, HEIGHT)], palette.night, fill_opacity=0.5))
        shapes.append(stroke(points, colour, 2.2))
    return Scene(
        (*shapes, *veil(palette, 350)), Lettering(GIG, palette.paper, CAPTION, palette.spark, y=400, height=168)
    )


def _swing(x: float, pitch: float, second: float, phase: float) -> float:
    envelope = exp(-(((x - WIDTH / 2) / 150) ** 2))
    return envelope * (sin(x * pitch + phase) + 0.45 * sin(x * second - phase))


def grooves(palette: Palette, dice: Dice) -> Scene:
    """A record, half out of the frame, its grooves lit from one side."""
    x, y = dice.pick((40.0, 360.0)), dice.between(160, 220)
    shapes = [rect(0, 0, WIDTH, HEIGHT, dice.pick((palette.glow, palette.spark))), disc(x, y, 330, palette.night)]
    for i in range(17):
        radius, start, sweep = 318 - i * 12, dice.between(0, 360), dice.between(40, 150)
        shapes.append(ring(x, y, radius, palette.deep, 1.4))
        shapes.append(stroke(_arc((x, y), radius, start, sweep), dice.pick((palette.mid, palette.glow)), 3.2))
    shapes += [
        disc(x, y, 96, palette.mid),
        ring(x, y, 78, palette.night, 1.5),
        disc(x, y, 58, palette.spark),
        disc(x, y, 9, palette.night),
    ]
    return Scene(
        (*shapes, *veil(palette, 330)), Lettering(GIG, palette.paper, CAPTION, palette.spark, y=390, height=178)
    )


def _arc(centre: Point, radius: float, start: float, sweep: float) -> list[Point]:
    steps = int(sweep / 6) + 1
    return [around(*centre, radius, start + sweep * i / steps) for i in range(steps + 1)]


def skyline(palette: Palette, dice: Dice) -> Scene:
    """An equalizer that is also a city, under a moon, its light on water."""
    moon = dice.between(90, 310)
    shapes = [
        *dusk(palette),
        glow("moonlight", palette.spark, 0.5),
        disc(moon, 130, 190, "url(#moonlight)"),
        disc(moon, 130, 58, palette.spark),
        fade("bar", (0, palette.glow, 1), (1, palette.mid, 1)),
        fade("water", (0, palette.mid, 0.5), (1, palette.mid, 0)),
    ]
    for i in range(17):
        tall = 60 + 190 * abs(sin(i * dice.between(0.5, 0.62) + 0.6)) * dice.between(0.5, 1)
        left = 14 + i * 22
        shapes.append(rect(left, 392 - tall, 16, tall, "url(#bar)", rx=3))
        shapes.append(rect(left, 400, 16, tall * 0.6, "url(#water)", rx=3))
        shapes.append(rect(left, 392 - tall - 12, 16, 5, palette.spark, rx=2))
    return Scene(
        (*shapes, *veil(palette, 396)), Lettering(GIG, palette.paper, CAPTION, palette.spark, y=424, height=144)
    )


SCENES: Final = (beams, waves, grooves, skyline)
