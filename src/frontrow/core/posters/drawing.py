"""The few strokes all scenes are made of, as SVG text."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from frontrow.core.posters.lettering import Lettering
from frontrow.core.posters.palettes import Palette

WIDTH: Final = 400
HEIGHT: Final = 600

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """A painted poster without its name, and how the name is to be set."""

    shapes: tuple[str, ...]
    lettering: Lettering
    daylight: bool = False  # painted on paper, not on night


def tag(name: str, /, *children: str, **attributes: str | float) -> str:
    """One element. An underscore in an attribute's name stands for a hyphen."""
    written = "".join(f' {key.replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def rect(x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def disc(x: float, y: float, radius: float, fill: str, **more: str | float) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def ring(x: float, y: float, radius: float, stroke: str, width: float, **more: str | float) -> str:
    return disc(x, y, radius, "none", stroke=stroke, stroke_width=width, **more)


def polygon(points: Iterable[Point], fill: str, **more: str | float) -> str:
    return tag("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), fill=fill, **more)


def stroke(points: Iterable[Point], colour: str, width: float, **more: str | float) -> str:
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return tag("polyline", points=written, fill="none", stroke=colour, stroke_width=width, **more)


def path(d: str, fill: str, **more: str | float) -> str:
    return tag("path", d=d, fill=fill, **more)


def around(x: float, y: float, radius: float, degrees: float) -> Point:
    """The point at an angle from a centre; 0 is right, 90 is down."""
    return x + radius * cos(radians(degrees)), y + radius * sin(radians(degrees))


def fade(key: str, *stops: tuple[float, str, float], across: bool = False) -> str:
    """A gradient from top to bottom, or from left to right: (offset, colour, opacity) each. Paint with `url(#key)`."""
    end: dict[str, str | float] = {"x2": 1, "y2": 0} if across else {"x2": 0, "y2": 1}
    return tag("linearGradient", *(_stop(*s) for s in stops), id=key, x1=0, y1=0, **end)


def glow(key: str, colour: str, strength: float = 1) -> str:
    """A soft light that ends at the edge of what it is painted on."""
    return tag(
        "radialGradient", _stop(0, colour, strength), _stop(0.4, colour, strength * 0.4), _stop(1, colour, 0), id=key
    )


def _stop(offset: float, colour: str, opacity: float) -> str:
    return tag("stop", offset=f"{offset:.2f}", stop_color=colour, stop_opacity=f"{opacity:.2f}")


def dusk(palette: Palette) -> tuple[str, str]:
    """The sky most dark scenes begin with."""
    return (
        fade("dusk", (0, palette.night, 1), (0.55, palette.deep, 1), (1, palette.night, 1)),
        rect(0, 0, WIDTH, HEIGHT, "url(#dusk)"),
    )


def veil(palette: Palette, top: float) -> tuple[str, str]:
    """Darkness rising from the foot of the poster, so that a name can be read on anything."""
    return (
        fade("veil", (0, palette.night, 0), (0.45, palette.night, 0.86), (1, palette.night, 1)),
        rect(0, top, WIDTH, HEIGHT - top, "url(#veil)"),
    )
