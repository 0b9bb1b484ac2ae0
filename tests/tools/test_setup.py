"""tools/setup: what it refuses, that nothing half-made stays, and that it costs nothing the second time.

The Python it finds is a script of ours that says what it is told to: no test downloads anything.
"""

import fcntl
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.tools.scripts import copy, path_with, run

OLD = 'case $1 in -c) exit 1 ;; -V) echo "Python 3.9.2" ;; esac'

WITHOUT_VENV = "case $2 in *ensurepip*) exit 1 ;; esac"

# A Python that is new enough, makes a virtual environment with itself in it, and does what it is asked to there.
GOOD = """
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && echo "#!$(pwd)/.venv/bin/python" >"$3/bin/pip" ;;
  "-m pip") echo "$@" >>"$(dirname "$0")/asked"; [ -z "${PIP_FAILS:-}" ] || { echo "no network today" >&2; exit 1; } ;;
  "-VV "*) echo "Python 3.12.1 (ours)" ;;
  "-V "*) echo "Python 3.12.1" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy(tmp_path / "a checkout", "tools/setup", "pyproject.toml", "requirements")


@pytest.mark.parametrize(
    ("programs", "words"),
    [
        ({"python3": OLD}, "Python 3.11 or newer is needed, here is Python 3.9.2"),
        ({}, "Python 3.11 or newer is needed, here is none"),
        ({"python3": WITHOUT_VENV}, "apt-get install python3-venv"),  # as Debian ships it
        ({"python3": GOOD, "df": "echo; echo - - - 900000"}, "1 GB of free disk is needed here, there are 900 MB"),
    ],
)
def test_a_machine_that_lacks_something(tmp_path: Path, checkout: Path, programs: dict[str, str], words: str):
    ended = run(checkout / "tools/setup", "run", path=path_with(tmp_path / "bin", programs))
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert words in ended.stderr
    assert not (checkout / ".venv").exists()


def test_a_python_that_is_named_is_taken(tmp_path: Path, checkout: Path):
    path = path_with(tmp_path / "bin", {"python3": OLD, "mine": GOOD})
    ended = run(checkout / "tools/setup", "run", path=path, PYTHON="mine")
    assert (ended.returncode, (checkout / ".venv/made-from-run").exists()) == (0, True), ended.stderr


def test_the_newest_that_is_there_is_found_by_its_name(tmp_path: Path, checkout: Path):
    path = path_with(tmp_path / "bin", {"python3": OLD, "python3.12": GOOD})
    assert run(checkout / "tools/setup", "run", path=path).returncode == 0


def test_a_folder_that_is_not_ours():
    as_nobody = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as outside:  # pytest's own folders are closed to others
        checkout = copy(Path(outside), "tools/setup", "requirements")
        checkout.chmod(0o555)
        ended = run(*as_nobody, checkout / "tools/setup", "run")
        checkout.chmod(0o755)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr
    assert "this folder is not writable for" in ended.stderr


def test_a_download_that_fails_leaves_nothing(tmp_path: Path, checkout: Path):
    path = path_with(tmp_path / "bin", {"python3": GOOD})
    ended = run(checkout / "tools/setup", "run", path=path, PIP_FAILS="yes")
    assert ended.returncode == 1
    assert "no network today" in ended.stderr  # the tool's own words …
    assert ended.stderr.endswith("run it again once that is mended\n")  # … and what to do
    assert not (checkout / ".venv").exists()
    assert run(checkout / "tools/setup", "run", path=path).returncode == 0  # the control


class TestAgain:
    @pytest.fixture
    def path(self, tmp_path: Path, checkout: Path) -> str:
        path = path_with(tmp_path / "bin", {"python3": GOOD})
        assert run(checkout / "tools/setup", "dev", path=path).returncode == 0
        return path

    @pytest.mark.parametrize("kind", ["dev", "run"])  # who has the tools has all that running needs
    def test_the_second_time_says_and_does_nothing(self, checkout: Path, path: str, kind: str):
        ended = run(checkout / "tools/setup", kind, path=path, PIP_FAILS="yes")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")

    def test_another_lock_is_installed(self, checkout: Path, path: str):
        with (checkout / "requirements/dev.txt").open("a") as lock:
            lock.write("more==1.0 --hash=sha256:00\n")
        ended = run(checkout / "tools/setup", "dev", path=path)
        assert (ended.returncode, "virtual environment: kept" in ended.stderr) == (0, True)

    def test_a_checkout_that_moved_is_set_up_anew(self, checkout: Path, path: str):
        moved = checkout.rename(checkout.with_name("moved"))
        ended = run(moved / "tools/setup", "dev", path=path)
        assert (ended.returncode, "virtual environment (Python 3.12.1)" in ended.stderr) == (0, True)

    def test_installing_goes_by_hash_from_wheels_alone(self, checkout: Path, path: str):
        assert path
        asked = (checkout / ".venv/bin/asked").read_text()
        assert "--require-hashes --only-binary :all: -r requirements/dev.txt" in asked


def test_a_second_one_waits_for_the_first(tmp_path: Path, checkout: Path):
    with (checkout / ".setup.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [checkout / "tools/setup", "run"],
            env={"PATH": path_with(tmp_path / "bin", {"python3": GOOD})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stderr is not None
        with waiting.stderr:
            assert "another set-up is at work in this folder; waiting" in waiting.stderr.readline()
            assert waiting.poll() is None
            fcntl.flock(held, fcntl.LOCK_UN)
            waiting.stderr.read()
    assert waiting.wait() == 0
