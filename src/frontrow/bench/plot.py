"""The laboratory's figures as a picture: bars in SVG, readable in light and in dark, without a library."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from frontrow.bench.lab import Cell, Examined

WIDTH: Final = 880
TITLES: Final = 262  # room for the names on the left
FIGURES: Final = 210  # and for what is written behind the longest bar
BAR: Final = 13
BASELINE: Final = 11  # of its text
GAP: Final = 3  # between two bars
GROUP_GAP: Final = 17  # between two strategies
PANEL_HEAD: Final = 56
MARGIN: Final = 16

HEADS: Final = {
    "spread": "Every fan wants other seats: holds a second",
    "contended": "All want the same seats: answers a second, most of them no",
}

LEGEND: Final = "Clients at once on the left of each bar. Dashed: not durable when the fan is told yes."

STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.ground { fill: #ffffff }
.head { font-size: 15px; font-weight: 600 }
.name { font-weight: 600 }
.small { fill: #57606a }
.end { text-anchor: end }
.bar { fill: #6e7781 }
.ours { fill: #1a7f37 }
.volatile { fill: none; stroke: #6e7781; stroke-width: 1.5; stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .ground { fill: #0d1117 }
  .small { fill: #9198a1 }
  .bar { fill: #9198a1 }
  .ours { fill: #3fb950 }
  .volatile { stroke: #9198a1 }
}
"""


def plot(examined: Sequence[Examined]) -> str:
    """The whole picture: a panel for each load."""
    loads = list(dict.fromkeys(cell.load for each in examined for cell in each.cells))
    body: list[str] = []
    y = MARGIN
    for load in loads:
        body += _panel(examined, load, y)
        y += _panel_height(examined, load)
    bars, title = "".join(body), "Ways of holding seats, measured side by side"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" role="img">'
        f"<title>{title}</title><style>{STYLE}</style>"
        f'<rect class="ground" width="{WIDTH}" height="{y}"/>{bars}</svg>\n'
    )


def answers_per_s(cell: Cell) -> float:
    """What a panel's bars are: where everybody wants the same seats, a quick no counts as well."""
    return cell.holds_per_s + cell.refusals_per_s


def _panel(examined: Sequence[Examined], load: str, top: int) -> Iterator[str]:
    most = max(answers_per_s(cell) for each in examined for cell in _cells(each, load)) or 1.0
    yield _text(MARGIN, top + 16, HEADS.get(load, load), "head")
    yield _text(MARGIN, top + 36, LEGEND, "small")
    y = top + PANEL_HEAD
    for each in examined:
        yield _text(MARGIN, y + BASELINE, each.strategy.title, "name")
        for cell in _cells(each, load):
            yield from _bar(each, cell, y, answers_per_s(cell) / most)
            y += BAR + GAP
        y += GROUP_GAP


def _bar(examined: Examined, cell: Cell, y: int, share: float) -> Iterator[str]:
    kind = "ours" if examined.strategy.audited else "bar" if examined.strategy.durable else "volatile"
    length = max(round(share * (WIDTH - TITLES - FIGURES)), 1)
    yield _text(TITLES - 8, y + BASELINE, f"{cell.clients:,}", "small end")
    yield f'<rect class="{kind}" x="{TITLES}" y="{y}" width="{length}" height="{BAR}"/>'
    figures = f"{answers_per_s(cell):,.0f}/s, p99 {cell.latency.p99_ms:,.0f} ms"
    yield _text(TITLES + length + 8, y + BASELINE, figures, "")


def _panel_height(examined: Sequence[Examined], load: str) -> int:
    bars = sum(len(_cells(each, load)) for each in examined)
    return PANEL_HEAD + bars * (BAR + GAP) + len(examined) * GROUP_GAP + MARGIN


def _cells(examined: Examined, load: str) -> Sequence[Cell]:
    return [cell for cell in examined.cells if cell.load == load]


def _text(x: int, y: int, said: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(said)}</text>'
