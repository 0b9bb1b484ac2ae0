"""tools/clean: it removes what the other commands made, names it, and nothing else."""

import fcntl
import os
import secrets
import tempfile
from pathlib import Path

import pytest
from tests.tools.scripts import copy, run

MADE = (
    ".frontrow/postgres/data",
    ".venv/bin",
    ".pytest_cache",
    ".ruff_cache",
    ".import_linter_cache",
    ".hypothesis",
    "src/frontrow/__pycache__",
    "tests/core/__pycache__",
    "build",
    "dist",
)  # fmt: skip -- a list of names


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    checkout = copy(tmp_path / "a checkout", "tools/clean")
    for name in MADE:
        (checkout / name).mkdir(parents=True)
    (checkout / ".setup.lock").touch()
    (checkout / "src/frontrow/mine.py").touch()
    (checkout / ".frontrow/up.lock").write_text("")
    return checkout


def left(checkout: Path) -> set[str]:
    return {str(path.relative_to(checkout)) for path in checkout.rglob("*") if path.is_file()}


def test_it_removes_what_was_made_and_names_it(checkout: Path):
    ended = run(checkout / "tools/clean")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert left(checkout) == {"tools/clean", "src/frontrow/mine.py"}
    assert not [name for name in MADE if (checkout / name).exists()]
    assert {f"  removed {name}" for name in (".frontrow", ".venv", ".pytest_cache", "build")} <= {
        *ended.stdout.splitlines()
    }


def test_the_second_time_there_is_nothing_to_remove(checkout: Path):
    run(checkout / "tools/clean")
    ended = run(checkout / "tools/clean")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "  nothing to remove\n", "")


@pytest.mark.parametrize(
    ("held", "how", "words"),
    [
        (".frontrow/up.lock", fcntl.LOCK_EX, "Frontrow runs from this folder (pid 4711, http://127.0.0.1:8000)"),
        (".setup.lock", fcntl.LOCK_EX, "a set-up is at work in this folder"),
    ],
)
def test_it_refuses_while_somebody_is_at_work_here(checkout: Path, held: str, how: int, words: str):
    with (checkout / held).open("a") as file:
        file.write("4711 http://127.0.0.1:8000\n")
        file.flush()
        fcntl.flock(file, how)
        before = left(checkout)
        ended = run(checkout / "tools/clean")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert words in ended.stderr
    assert left(checkout) == before
    assert run(checkout / "tools/clean").returncode == 0  # the control: it was only that


def test_sockets_elsewhere_go_too(checkout: Path):
    sockets = Path(tempfile.mkdtemp()) / "frontrow-sockets-0123456789ab"
    sockets.mkdir()
    (checkout / ".frontrow/sockets-elsewhere").write_text(f"{sockets}\n")
    assert f"removed {sockets}" in run(checkout / "tools/clean").stdout
    assert not sockets.exists()
    sockets.parent.rmdir()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has engines that live outside the checkout")
def test_engines_elsewhere_go_too(checkout: Path):
    engines = Path("/var/lib/frontrow") / secrets.token_hex(6)
    engines.mkdir(parents=True)
    (checkout / ".frontrow/engines-elsewhere").write_text(f"{engines}\n")
    ended = run(checkout / "tools/clean")
    assert (ended.returncode, f"removed {engines}" in ended.stdout) == (0, True), ended.stderr
    assert not engines.exists()


@pytest.mark.parametrize("note", ["engines-elsewhere", "sockets-elsewhere"])
@pytest.mark.parametrize("place", ["{}", "{}/frontrow-sockets-0123456789ab/..", "/var/lib/frontrow/../{}", "", "."])
def test_a_note_that_names_another_place_removes_nothing_there(checkout: Path, tmp_path: Path, note: str, place: str):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/kept").touch()
    (checkout / ".frontrow" / note).write_text(place.format(tmp_path / "mine") + "\n")
    assert run(checkout / "tools/clean").returncode == 0
    assert (tmp_path / "mine/kept").exists()
    assert left(checkout) == {"tools/clean", "src/frontrow/mine.py"}
