"""The commands, run as people run them, in a small hall: what they print, and that they leave nothing behind."""

import json
import signal
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from tests.processes.copies import FRONTROW, new_copy
from typer.testing import CliRunner

from frontrow.bench import lab
from frontrow.bench.strategies import STRATEGIES, AtWork, Strategy, Workbench
from frontrow.bench.strategies.group_commit import GROUP_COMMIT
from frontrow.cli import app
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest

BENCH_SECONDS_MAX: Final = 300.0  # a net below the tests, not a promise
SMALL: Final = ("--hall", "cinema", "--seconds", "0.2")
PROMISED: Final = {  # by the HTTP contract, to whoever checks us
    "holds_per_s",
    "p50_ms",
    "p99_ms",
    "ratio_to_database",
    "ratio_to_redis_lock",
    "refusals_per_s",
    "violations",
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the command keeps what is temporary. The engines' account gets into it."""
    with tempfile.TemporaryDirectory(prefix="frontrow-tests-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


def environment(folder: Path) -> dict[str, str]:
    with new_copy() as copy:
        return copy.environment | {"TMPDIR": str(folder)}


def left_in(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


@pytest.mark.slow
def test_bench_holds_tells_the_truth_and_leaves_nothing_behind(folder: Path):
    words = ["bench", "holds", "--json", "--crowd", "500", *SMALL]
    ended = subprocess.run(
        [*FRONTROW, *words],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=BENCH_SECONDS_MAX,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    figures = json.loads(ended.stdout)
    assert figures.keys() >= PROMISED
    assert figures["violations"] == figures["unanswered"] == figures["refused_otherwise"] == 0
    assert figures["winners"] == figures["winners_possible"] == 25
    assert figures["acknowledged"] > 100
    assert all(figures[name] > 0 for name in PROMISED - {"violations"})
    assert left_in(folder) == []


@pytest.mark.slow
def test_bench_strategies_tries_all_and_draws_them(folder: Path):
    picture = folder / "lab.svg"
    words = ["bench", "strategies", "--json", "--plot", str(picture), "--clients", "4", *SMALL]
    ended = subprocess.run(
        [*FRONTROW, *words],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=BENCH_SECONDS_MAX,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["violations"] == 0
    assert [strategy["strategy"] for strategy in told["strategies"]] == list(STRATEGIES)
    for strategy in told["strategies"]:
        assert [(cell["load"], cell["clients"]) for cell in strategy["cells"]] == [("spread", 4), ("contended", 4)]
        assert all(cell["holds_per_s"] > 0 and cell["p99_ms"] > 0 for cell in strategy["cells"])
    ET.parse(picture)  # noqa: S314 -- our own
    assert left_in(folder) == [picture.name]


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_behind(folder: Path):
    started = subprocess.Popen(
        [*FRONTROW, "bench", "holds", *SMALL], env=environment(folder), stderr=subprocess.PIPE, text=True
    )
    assert started.stderr is not None
    told = started.stderr.read(len("PostgreSQL"))
    while "hot" not in told:  # engines and service run
        piece = started.stderr.readline()
        assert piece, told
        told += piece
    started.send_signal(signal.SIGINT)
    _, rest = started.communicate(timeout=BENCH_SECONDS_MAX)
    assert started.returncode == 1
    assert "given up (SIGINT)" in rest
    assert left_in(folder) == []


class _Liar:
    """Says yes to everybody, and stores nothing."""

    @asynccontextmanager
    async def at_work(self, bench: Workbench) -> AsyncGenerator[AtWork]:
        async with GROUP_COMMIT.at_work(bench) as honest:

            async def hold(_event_id: EventId, _request: HoldRequest) -> bool:
                return True

            yield AtWork(put_on_sale=honest.put_on_sale, hold=hold)


@pytest.mark.slow
def test_a_lie_ends_with_a_violation_and_exit_code_1(monkeypatch: pytest.MonkeyPatch, folder: Path):
    liar = Strategy(
        name="liar", title="Yes to all", durable=True, stored=GROUP_COMMIT.stored, audited=True, at_work=_Liar().at_work
    )
    monkeypatch.setattr(lab, "STRATEGIES", MappingProxyType({"liar": liar}))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    told = CliRunner().invoke(app(), ["bench", "strategies", "--json", "--clients", "2", *SMALL])
    assert told.exit_code == 1
    assert json.loads(told.stdout)["violations"] > 0


@pytest.mark.slow
def test_bench_pay_tells_the_truth_and_leaves_nothing_behind(folder: Path):
    ended = subprocess.run(
        [*FRONTROW, "bench", "pay", "--json", *SMALL],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=BENCH_SECONDS_MAX,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    figures = json.loads(ended.stdout)
    assert figures.keys() >= {"orders_per_s", "p99_ms", "sells_per_s", "violations"}
    assert figures["violations"] == figures["unpaid"] == figures["money_missing"] == 0
    assert figures["orders_per_s"] > 0 < figures["sells_per_s"]
    assert left_in(folder) == []
