"""Posters for the stage: curtains, masks, an arch within an arch."""

from math import pi, sin
from typing import Final

from frontrow.core.posters.dice import Dice
from frontrow.core.posters.drawing import HEIGHT, WIDTH, Scene, disc, fade, glow, path, polygon, rect, tag, veil
from frontrow.core.posters.lettering import PLAYBILL, Lettering
from frontrow.core.posters.palettes import Palette

CAPTION: Final = "ON STAGE"
FOLDS: Final = 7  # of one half of the curtain


def curtain(palette: Palette, dice: Dice) -> Scene:
    """The curtain parts; the stage behind it is already lit."""
    gap = dice.between(56, 96)
    shapes = [
        fade("back", (0, palette.mid, 1), (0.6, palette.glow, 1), (1, palette.spark, 1)),
        rect(0, 0, WIDTH, HEIGHT, "url(#back)"),
        disc(WIDTH / 2, 300, dice.between(36, 52), palette.paper),
        fade(
            "fold",
            (0, palette.night, 1),
            (0.55, palette.mid, 1),
            (0.75, palette.deep, 1),
            (1, palette.night, 1),
            across=True,
        ),
    ]
    for i in range(FOLDS):
        near, far = i / FOLDS, (i + 1) / FOLDS
        fold = _fold(near * (200 - gap), far * (200 - gap), near * 112, far * 112)
        shapes += [path(fold, "url(#fold)"), path(fold, "url(#fold)", transform=f"translate({WIDTH} 0) scale(-1 1)")]
    shapes += [path(_pelmet(), palette.deep), path(_pelmet(-14), palette.mid)]
    return Scene((*shapes, *veil(palette, 350)), _bill(palette))


def _fold(top_left: float, top_right: float, waist_left: float, waist_right: float) -> str:
    """One fold, gathered at the height of a hand and falling free below it."""
    wide = 26
    return (
        f"M{top_left:.1f},0 L{top_right + wide:.1f},0"
        f" C{top_right + wide:.1f},190 {waist_right + wide:.1f},260 {waist_right:.1f},350 L{waist_right * 1.2:.1f},600"
        f" L{waist_left * 1.2:.1f},600 L{waist_left:.1f},350 C{waist_left + wide:.1f},260"
        f" {top_left:.1f},190 {top_left:.1f},0 Z"
    )


def _pelmet(lift: float = 0) -> str:
    scallops = "".join(f"Q{x - 25},{76 + lift} {x - 50},{44 + lift} " for x in range(WIDTH, 0, -50))
    return f"M0,0 L{WIDTH},0 L{WIDTH},{44 + lift} {scallops}Z"


def masks(palette: Palette, dice: Dice) -> Scene:
    """Two faces, one in the light: abstract enough to be anybody."""
    bow = dice.pick((-1, 1))
    shapes = [
        glow("lit", palette.mid, 0.9),
        disc(210, 210, 290, "url(#lit)"),
        tag(
            "g",
            *_face(palette.deep, palette.glow, smile=-1),
            transform=f"rotate({10 * bow} 200 200) translate({46 * bow} 26)",
        ),
        tag(
            "g",
            *_face(palette.paper, palette.night, smile=1),
            transform=f"rotate({-8 * bow} 200 200) translate({-42 * bow} -22)",
        ),
    ]
    return Scene((*shapes, *veil(palette, 360)), _bill(palette))


def _face(skin: str, features: str, *, smile: int) -> tuple[str, ...]:
    corner, middle = 250 - 6 * smile, 250 + 44 * smile
    return (
        path("M110,108 Q200,70 290,108 Q300,240 200,330 Q100,240 110,108 Z", skin),
        path("M134,168 Q156,140 182,168 Q156,186 134,168 Z", features),
        path("M218,168 Q244,140 266,168 Q244,186 218,168 Z", features),
        path(f"M158,{corner} Q200,{middle} 242,{corner} Q200,{middle - 22 * smile} 158,{corner} Z", features),
        path("M200,172 L190,222 L204,224", "none", stroke=features, stroke_width=4, stroke_linejoin="round"),
    )


def arches(palette: Palette, dice: Dice) -> Scene:
    """One proscenium within the next, and a figure where all lines meet."""
    ways = ((palette.deep, palette.mid, palette.glow), (palette.mid, palette.deep, palette.spark))
    colours = dice.pick(ways)
    foot = 420.0
    shapes = [rect(0, 0, WIDTH, HEIGHT, palette.night)]
    for i in range(6):
        half, top = 176 - i * 29, 40 + i * 40
        left, right, spring = 200 - half, 200 + half, top + half
        d = f"M{left},{foot} L{left},{spring} A{half},{half} 0 0 1 {right},{spring} L{right},{foot} Z"
        shapes.append(path(d, (*colours, *colours[:2], palette.paper)[i]))
    shapes += [
        polygon([(169, foot), (231, foot), (330, HEIGHT), (70, HEIGHT)], palette.paper, opacity=0.55),
        rect(192, 372, 16, 52, palette.night, rx=7),
        disc(200, 362, 9, palette.night),
    ]
    return Scene((*shapes, *veil(palette, 396)), _bill(palette, y=438, height=132))


def pages(palette: Palette, dice: Dice) -> Scene:
    """Leaves of the play, falling; on paper."""
    shapes = [rect(0, 0, WIDTH, HEIGHT, palette.paper), disc(200, 214, 168, palette.glow)]
    for i in range(9):
        x, y = 200 + 120 * sin(i * 2.1 + dice.between(0, 1)), 62 + i * 32 + dice.between(-8, 8)
        turn, colour = dice.between(-70, 70), (palette.night, palette.paper, palette.mid)[i % 3]
        leaf = rect(-34, -46, 68, 92, colour, stroke=palette.night, stroke_width=2)
        written = palette.paper if i % 3 != 1 else palette.night
        words = [rect(-24, -34 + k * 13, 48 * abs(sin(k + i + pi / 4)), 4, written, opacity=0.75) for k in range(6)]
        shapes.append(tag("g", leaf, *words, transform=f"translate({x:.1f} {y:.1f}) rotate({turn:.1f})"))
    shapes.append(rect(0, 404, WIDTH, 200, palette.paper))
    style = Lettering(PLAYBILL, palette.night, CAPTION, palette.night, y=412, height=156)
    return Scene(tuple(shapes), style, daylight=True)


def _bill(palette: Palette, *, y: float = 396, height: float = 172) -> Lettering:
    return Lettering(PLAYBILL, palette.paper, CAPTION, palette.spark, y=y, height=height, centred=True)


SCENES: Final = (curtain, masks, arches, pages)
