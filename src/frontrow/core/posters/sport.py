"""Posters for sport: lines on the ground, the bend of a track, two sides."""

from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import (
    HEIGHT,
    WIDTH,
    Point,
    Scene,
    around,
    disc,
    fade,
    glow,
    path,
    polygon,
    rect,
    ring,
    stroke,
    tag,
    veil,
)
from frontrow.core.posters.lettering import GIG, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "MATCH DAY"
CREST: Final = "M-88,-92 Q0,-124 88,-92 L88,20 Q80,88 0,124 Q-80,88 -88,20 Z"


def pitch(palette: Palette, dice: Dice) -> Scene:
    """The pitch from high in the stand, mown in stripes, under a floodlight."""
    shapes = [fade("turf", (0, palette.deep, 1), (1, palette.mid, 1)), rect(0, 0, WIDTH, HEIGHT, "url(#turf)")]
    stripes = [rect(-300, -140 + i * 120, 1000, 60, palette.night, opacity=0.22) for i in range(8)]
    lines = [
        ring(200, 250, 118, palette.paper, 6),
        rect(-300, 247, 1000, 6, palette.paper),
        disc(200, 250, 9, palette.paper),
        rect(-60, -200, 520, 900, "none", stroke=palette.paper, stroke_width=6),
    ]
    turn = dice.pick((-24, -16, 16, 24))
    shapes.append(tag("g", *stripes, *lines, transform=f"rotate({turn} 200 250)"))
    ball, height = dice.between(110, 290), dice.between(110, 190)
    shapes += [
        glow("flood", palette.spark, 0.55),
        disc(dice.pick((20, 380)), 0, 260, "url(#flood)"),
        disc(ball + 26, height + 96, 24, palette.night, opacity=0.4),
        *_ball(ball, height, 44, dice.between(0, 72), palette),
    ]
    return Scene((*shapes, *veil(palette, 340)), _board(palette))


def _ball(x: float, y: float, size: float, turn: float, palette: Palette) -> list[str]:
    """A football: one patch towards us, five at the rim, seams between."""
    angles = [turn + i * 72 for i in range(5)]
    patches = [polygon([around(x, y, size * 0.36, angle) for angle in angles], palette.night)]
    for angle in angles:
        inner, outer = around(x, y, size * 0.36, angle), around(x, y, size * 0.74, angle)
        patches.append(stroke([inner, outer], palette.night, size * 0.07))
        corners = ((angle, 0.7), (angle + 17, 0.84), (angle + 15, 1.1), (angle - 15, 1.1), (angle - 17, 0.84))
        patches.append(polygon([around(x, y, size * reach, a) for a, reach in corners], palette.night))
    clip = tag("clipPath", disc(x, y, size, palette.spark), id="ball")
    return [disc(x, y, size, palette.spark), clip, tag("g", *patches, clip_path="url(#ball)")]


def lanes(palette: Palette, dice: Dice) -> Scene:
    """The bend of a track, seen from above."""
    x, y = dice.pick((-40.0, 440.0)), dice.between(380, 440)
    colours = (palette.mid, palette.glow)
    shapes = [rect(0, 0, WIDTH, HEIGHT, palette.deep)]
    for i in range(9):
        shapes.append(disc(x, y, 460 - i * 44, colours[i % 2]))
        shapes.append(ring(x, y, 460 - i * 44, palette.paper, 3))
    shapes.append(disc(x, y, 64, palette.deep))
    radius, start = 460 - dice.whole(1, 4) * 44 - 22, 290 if x < 0 else 215
    run = [around(x, y, radius, start + i * 2) for i in range(16)]
    shapes.append(stroke(run, palette.night, 16, stroke_linecap="round"))
    shapes.append(disc(*run[-1 if x < 0 else 0], 17, palette.spark))
    return Scene((*shapes, *veil(palette, 340)), _board(palette))


def sides(palette: Palette, dice: Dice) -> Scene:
    """Two sides, their colours, and what they meet over."""
    tilt = dice.between(40, 110)
    scarves = [rect(i * 44 - 200, -100, 22, 800, (palette.mid, palette.night)[i // 9], opacity=0.5) for i in range(18)]
    shapes = [
        rect(0, 0, WIDTH, HEIGHT, palette.deep),
        polygon([(200 + tilt, 0), (WIDTH, 0), (WIDTH, HEIGHT), (200 - tilt, HEIGHT)], palette.glow),
        tag("g", *scarves, transform=f"rotate({tilt / 5:.1f} 200 300)"),
        polygon([(196 + tilt, 0), (208 + tilt, 0), (208 - tilt, HEIGHT), (196 - tilt, HEIGHT)], palette.paper),
        path(CREST, palette.night, transform="translate(200 216) scale(1.12)"),
        path(CREST, palette.spark, transform="translate(200 216)"),
        tag("clipPath", path(CREST, palette.mid), id="crest"),
        tag(
            "g",
            rect(-100, -120, 100, 250, palette.mid, clip_path="url(#crest)"),
            transform="translate(200 216) scale(.88)",
        ),
        polygon(_star(200, 204, 54), palette.night),
    ]
    return Scene((*shapes, *veil(palette, 330)), _board(palette))


def _star(x: float, y: float, size: float) -> list[Point]:
    return [around(x, y, size if i % 2 == 0 else size * 0.4, i * 36 - 90) for i in range(10)]


def _board(palette: Palette) -> Lettering:
    return Lettering(GIG, palette.paper, CAPTION, palette.spark, y=396, height=172)


SCENES: Final = (pitch, lanes, sides)
