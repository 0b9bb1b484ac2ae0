"""The lock: every dependency once, by version and hash, from whatever registry the machine is told to use."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

TOP: Final = Path(__file__).parents[1]
PROJECT: Final[dict[str, Any]] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))
RUN: Final = [str(name) for name in PROJECT["project"]["dependencies"]]
DEV: Final = [str(name) for name in PROJECT["dependency-groups"]["dev"]]
PINNED: Final = re.compile(
    r"^(?P<name>[a-z0-9-]+)(?:\[[a-z,]+\])?==(?P<version>\S+)(?P<rest>(?:.*\\\n)*.*)", re.MULTILINE
)


def lock(kind: str) -> str:
    return (TOP / "requirements" / f"{kind}.txt").read_text("utf-8")


def pinned(kind: str) -> Mapping[str, set[str]]:
    """The versions of each package: several where they depend on the Python or the platform."""
    found: dict[str, set[str]] = {}
    for pin in PINNED.finditer(lock(kind)):
        found.setdefault(pin["name"], set()).add(pin["version"])
    return found


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


@pytest.mark.parametrize(("kind", "requirement"), [("run", r) for r in RUN] + [("dev", r) for r in RUN + DEV])
def test_every_direct_dependency_is_pinned(kind: str, requirement: str):
    assert name_of(requirement) in pinned(kind), "run `make lock`"


def test_nobody_pins_by_hand_what_the_lock_pins():
    assert [requirement for requirement in RUN + DEV if re.search(r"[=<>~!]", requirement)] == []


def test_what_runs_is_what_is_tested():
    dev = pinned("dev")
    assert {name: dev.get(name) for name in pinned("run")} == pinned("run")


@pytest.mark.parametrize("kind", ["run", "dev"])
def test_every_pin_has_hashes(kind: str):
    without = [pin["name"] for pin in PINNED.finditer(lock(kind)) if "--hash=sha256:" not in pin["rest"]]
    assert without == []


@pytest.mark.parametrize("kind", ["run", "dev"])
def test_nothing_else_is_in_it(kind: str):
    """No option of pip's, no address, no file: a line is a pin, its hash, or who asked for it."""
    odd = [
        line
        for line in lock(kind).splitlines()
        if not re.match(r"[a-z0-9-]+(\[[a-z,]+\])?==\S+|    --hash=sha256:[0-9a-f]{64}|    #", line)
    ]
    assert odd == []
    assert "://" not in lock(kind)
