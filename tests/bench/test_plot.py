"""The picture: well-formed, complete, and with colours for light and for dark."""

import xml.etree.ElementTree as ET

import pytest

from frontrow.bench.figures import Latency
from frontrow.bench.lab import Cell, Examined
from frontrow.bench.plot import plot
from frontrow.bench.proof import Proof
from frontrow.bench.strategies import STRATEGIES
from frontrow.bench.tables import lab_table

SVG = "{http://www.w3.org/2000/svg}"
TRUE = Proof(0, 0, 0, 0)


def examined(holds_per_s: float = 1_000.0) -> list[Examined]:
    return [
        Examined(
            strategy,
            [
                Cell(load, clients, holds_per_s * place, 10.0, Latency(1.0, 2.0, 3.0))
                for load in ("spread", "contended")
                for clients in (64, 1024)
            ],
            TRUE,
        )
        for place, strategy in enumerate(STRATEGIES.values())
    ]


@pytest.mark.parametrize("holds_per_s", [0.0, 1_000.0])
def test_every_cell_has_a_bar_within_the_picture(holds_per_s: float):
    drawn = ET.fromstring(plot(examined(holds_per_s)))  # noqa: S314 -- our own text
    bars = [bar for bar in drawn.iter(f"{SVG}rect") if bar.get("class") != "ground"]
    assert len(bars) == len(STRATEGIES) * 4
    for bar in bars:
        assert float(bar.attrib["width"]) >= 1
        assert float(bar.attrib["x"]) + float(bar.attrib["width"]) <= float(drawn.attrib["width"])
        assert float(bar.attrib["y"]) + float(bar.attrib["height"]) <= float(drawn.attrib["height"])
    assert [bar.get("class") for bar in bars].count("volatile") == 4, "of the one that is not durable"


def test_names_and_figures_are_written_in_it():
    texts = [text.text for text in ET.fromstring(plot(examined())).iter(f"{SVG}text")]  # noqa: S314 -- ours
    for strategy in STRATEGIES.values():
        assert texts.count(strategy.title) == 2
    assert "5,010/s, p99 2 ms" in texts
    assert "1,024" in texts


def test_it_has_colours_for_light_and_for_dark():
    assert "@media (prefers-color-scheme: dark)" in plot(examined())


def test_the_table_has_a_line_for_each_cell():
    head, *lines = lab_table(examined())
    assert len(lines) == len(STRATEGIES) * 4
    assert all(len(line) == len(head) for line in lines), "columns are below their names"
