"""The executable itself: help, version, words nobody knows, output nobody takes."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.processes.copies import FRONTROW, Copy

import frontrow


@pytest.mark.slow
def test_without_words_it_helps(copy: Copy) -> None:
    said = copy.says()
    assert (said.status, said.err) == (0, "")
    commands = said.out.partition("Commands:")[2].split()
    assert {"up", "api", "sweeper", "demo", "audit", "doctor", "db", "feed", "gate", "line", "mint", "bench"} <= set(
        commands
    )


@pytest.mark.slow
def test_version(copy: Copy) -> None:
    assert copy.says("--version").out == f"frontrow {frontrow.__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize("words", [("nonsense",), ("up", "--nonsense"), ("db", "nonsense"), ("demo", "twice")])
def test_nonsense(copy: Copy, words: tuple[str, ...]) -> None:
    said = copy.says(*words)
    assert (said.status, said.out) == (2, "")
    assert words[-1] in said.err.splitlines()[-1]
    assert "Traceback" not in said.err


@pytest.mark.slow
def test_the_executable_is_the_module(copy: Copy) -> None:
    executable = Path(sys.executable).with_name("frontrow")
    told = subprocess.run([executable, "--version"], env=copy.environment, capture_output=True, text=True, check=True)
    assert told.stdout == copy.says("--version").out


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--version",), ("doctor",)])
def test_output_that_nobody_takes(copy: Copy, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*FRONTROW, *words], env=copy.environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr == "frontrow: standard output takes no more: No space left on device\n"


def test_a_reader_that_leaves(copy: Copy) -> None:
    with subprocess.Popen(
        [*FRONTROW, "doctor"], env=copy.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as writing:
        assert writing.stdout is not None
        assert writing.stderr is not None
        writing.stdout.close()
        assert writing.stderr.read() == "frontrow: standard output takes no more: Broken pipe\n"
    assert writing.returncode == 1
