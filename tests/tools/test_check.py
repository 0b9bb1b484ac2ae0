"""tools/check: it runs every check, shows what the failing ones say, and fails with them."""

from pathlib import Path

import pytest
from tests.tools.scripts import copy, run, write_script

TOOLS = ("ruff", "pyright", "lint-imports", "python", "squawk")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    checkout = copy(tmp_path / "a checkout", "tools/check", "src/frontrow/sql/migrations")
    for tool in TOOLS:
        write_script(checkout / ".venv/bin" / tool, f"echo {tool} was here")
    write_script(checkout / "tools/types-of-scripts", "echo the types were here")
    return checkout


def test_all_is_well_in_few_words(checkout: Path):
    ended = run(checkout / "tools/check")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("make check: all is well\n")
    assert "was here" not in ended.stdout


@pytest.mark.parametrize("tool", TOOLS)
def test_one_that_fails_is_shown_and_named(checkout: Path, tool: str):
    write_script(checkout / ".venv/bin" / tool, f"echo {tool} found something >&2; exit 3")
    ended = run(checkout / "tools/check")
    assert ended.returncode == 1
    assert f"{tool} found something" in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("make check: failed: ")


def test_a_script_that_does_not_parse_is_found(checkout: Path):
    write_script(checkout / "tools/broken", "if true; then")
    ended = run(checkout / "tools/check")
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (1, "make check: failed: shell")


def test_without_the_tools_it_says_how_to_get_them(checkout: Path):
    (checkout / ".venv/bin/ruff").unlink()
    ended = run(checkout / "tools/check")
    assert (ended.returncode, ended.stderr.count("\n"), "run `make check`" in ended.stderr) == (1, 1, True)
