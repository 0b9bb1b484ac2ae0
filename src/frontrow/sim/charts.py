"""Lines over a plane, as SVG that is readable in light and in dark: no library, and the same bytes each time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

WIDTH: Final = 880
HEIGHT: Final = 360
LEFT, RIGHT, TOP, BOTTOM = 72, 190, 48, 44
TICKS: Final = 5
POINTS_MAX: Final = 800  # more than a screen shows

# Okabe and Ito's colours, which people tell apart who see few.
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES: Final = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 2")  # colour is never the only sign

STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.ground { fill: #ffffff }
.head { font-size: 15px; font-weight: 600 }
.small { fill: #57606a }
.grid { stroke: #d0d7de; stroke-width: 1 }
.end { text-anchor: end }
.middle { text-anchor: middle }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .ground { fill: #0d1117 }
  .small { fill: #9198a1 }
  .grid { stroke: #30363d }
}
"""


@dataclass(frozen=True, slots=True)
class Series:
    """One line, and its name."""

    name: str
    points: Sequence[tuple[float, float]]  # in the order of x


@dataclass(frozen=True, slots=True)
class Chart:
    """What is over what."""

    title: str
    x: str
    y: str
    series: Sequence[Series]

    def svg(self) -> str:
        x_max = _round_up(max((x for each in self.series for x, _ in each.points), default=1.0))
        y_max = _round_up(max((y for each in self.series for _, y in each.points), default=1.0))
        body = "".join([*self._plane(x_max, y_max), *self._lines(x_max, y_max)])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' role="img"><title>{escape(self.title)}</title><style>{STYLE}</style>'
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>{body}</svg>\n'
        )

    def _plane(self, x_max: float, y_max: float) -> Iterator[str]:
        yield _text(LEFT, 26, self.title, "head")
        yield _text((LEFT + WIDTH - RIGHT) // 2, HEIGHT - 8, self.x, "small middle")
        yield _text(LEFT, TOP - 8, self.y, "small")
        for tick in range(TICKS + 1):
            share = tick / TICKS
            across, up = _place(share, share)
            yield f'<path class="grid" d="M{LEFT} {up}H{WIDTH - RIGHT}"/>'
            yield _text(LEFT - 8, up + 4, _number(share * y_max), "small end")
            yield _text(across, HEIGHT - BOTTOM + 18, _number(share * x_max), "small middle")

    def _lines(self, x_max: float, y_max: float) -> Iterator[str]:
        for number, each in enumerate(self.series):
            colour, dashes = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
            style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"'
            every = max(1, len(each.points) // POINTS_MAX)
            places = (_place(x / x_max, y / y_max) for x, y in each.points[::every])
            yield f'<path {style} d="M{"L".join(f"{across} {up}" for across, up in places)}"/>'
            up = TOP + 8 + number * 20
            yield f'<path {style} d="M{WIDTH - RIGHT + 14} {up}h26"/>'
            yield _text(WIDTH - RIGHT + 48, up + 4, each.name, "")


def _place(x_share: float, y_share: float) -> tuple[int, int]:
    across = LEFT + x_share * (WIDTH - LEFT - RIGHT)
    up = HEIGHT - BOTTOM - y_share * (HEIGHT - TOP - BOTTOM)
    return round(across), round(up)


def _round_up(value: float) -> float:
    """The next 1, 2 or 5 with zeros."""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next((step * power for step in (1.0, 1.5, 2.0, 3.0, 5.0, 10.0) if step * power >= value), 10 * power)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= TICKS or value == 0 else f"{value:g}"


def _text(x: int, y: int, said: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(said)}</text>'
