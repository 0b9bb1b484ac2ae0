"""Posters for comedy: flat, bright, on paper."""

from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import HEIGHT, WIDTH, Scene, around, disc, path, polygon, rect, stroke, tag
from frontrow.core.posters.lettering import ROUND, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "STAND-UP"
TEETH: Final = 7
_MESH: Final = tuple((200 + i * 18, 70) for i in range(-9, 10))  # of the microphone: where its wires cross


def microphone(palette: Palette, dice: Dice) -> Scene:
    """A microphone, and what comes back from the room."""
    tilt = dice.pick((-24, -16, 16, 24))
    rays = [
        polygon([(200, 190), around(200, 190, 560, a - 5.5), around(200, 190, 560, a + 5.5)], palette.glow)
        for a in range(0, 360, 24)
    ]
    mesh = " ".join(f"M{x - 90},{y} L{x + 90},{y + 180} M{x + 90},{y} L{x - 90},{y + 180}" for x, y in _MESH)
    head = [
        polygon([(170, 240), (230, 240), (216, 540), (184, 540)], palette.night),
        polygon([(178, 250), (188, 250), (194, 540), (190, 540)], palette.paper, opacity=0.3),
        disc(200, 160, 82, palette.night),
        tag("clipPath", disc(200, 160, 75, palette.night), id="grille"),
        path(mesh, "none", stroke=palette.glow, stroke_width=2.5, opacity=0.7, clip_path="url(#grille)"),
        rect(116, 150, 168, 20, palette.mid, rx=9),
        rect(158, 226, 84, 26, palette.mid, rx=9),
    ]
    shapes = [rect(0, 0, WIDTH, HEIGHT, palette.spark), *rays, tag("g", *head, transform=f"rotate({tilt} 200 190)")]
    return Scene((*shapes, *_label(palette)), _sign(palette), daylight=True)


def laugh(palette: Palette, dice: Dice) -> Scene:
    """One enormous laugh."""
    x, y, size = 200, 150 + dice.between(-16, 16), dice.between(132, 156)
    tooth = size * 2 / TEETH
    teeth = [rect(x - size + (i + 0.08) * tooth, y - 6, tooth * 0.84, 36, palette.paper, rx=6) for i in range(TEETH)]
    mouth = f"M{x - size:.0f},{y:.0f} A{size:.0f},{size:.0f} 0 0 0 {x + size:.0f},{y:.0f} Z"
    shapes = [
        rect(0, 0, WIDTH, HEIGHT, dice.pick((palette.glow, palette.spark))),
        tag("clipPath", path(mouth, palette.night), id="mouth"),
        tag(
            "g",
            path(mouth, palette.night),
            *teeth,
            disc(x, y + size, size * 0.62, palette.mid),
            clip_path="url(#mouth)",
        ),
        stroke([around(x - 84, y - 46, 34, a) for a in range(180, 361, 15)], palette.night, 13, stroke_linecap="round"),
        stroke([around(x + 84, y - 46, 34, a) for a in range(180, 361, 15)], palette.night, 13, stroke_linecap="round"),
    ]
    return Scene((*shapes, *_label(palette)), _sign(palette), daylight=True)


def stool(palette: Palette, dice: Dice) -> Scene:
    """Brick wall, one spot, one stool, one glass of water."""
    courses = [
        rect(-60 + i * 64 + (row % 2) * 32, row * 30, 58, 24, palette.mid, opacity=dice.between(0.45, 0.75), rx=2)
        for row in range(14)
        for i in range(8)
    ]
    shapes = [
        rect(0, 0, WIDTH, HEIGHT, palette.deep),
        *courses,
        disc(200, 206, 176, palette.spark),
        disc(200, 386, 118, palette.night, transform="translate(0 328) scale(1 .15)"),
        *(
            polygon([(a, 262), (a + 12, 262), (b + 9, 396), (b, 396)], palette.night)
            for a, b in ((152, 132), (236, 260), (194, 196))
        ),
        rect(140, 244, 120, 22, palette.night, rx=10),
        polygon([(186, 188), (222, 188), (217, 244), (191, 244)], palette.paper, opacity=0.9),
        polygon([(188, 212), (220, 212), (217, 244), (191, 244)], palette.glow),
    ]
    return Scene((*shapes, *_label(palette)), _sign(palette), daylight=True)


def _label(palette: Palette) -> tuple[str, ...]:
    return (rect(0, 404, WIDTH, 196, palette.paper), rect(0, 398, WIDTH, 8, palette.night))


def _sign(palette: Palette) -> Lettering:
    return Lettering(ROUND, palette.night, CAPTION, palette.night, y=424, height=148, rests_on="middle")


SCENES: Final = (microphone, laugh, stool)
