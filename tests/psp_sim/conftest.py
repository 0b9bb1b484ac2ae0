"""psp-sim for tests: in this process with a clock of the test's, or as the real program in one of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.psp_sim.program import Program
from tests.psp_sim.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.close()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    program.start()
    yield program
    program.end()
