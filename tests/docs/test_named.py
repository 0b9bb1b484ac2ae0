"""What a document names is there: files, tests, views, constants, commands. What there is has its place in one."""

from pathlib import Path

import pytest
from tests.docs.naming import make_targets, missing, unknown_commands
from tests.docs.pages import PAGES, TOP, Page, page

every_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


def folders_of_package() -> set[str]:
    """Every folder of the package, and every module at its top, by its path from the top of the checkout."""
    package = TOP / "src/frontrow"
    found = (path for path in package.rglob("*") if path.is_dir() and _holds_something(path))
    modules = (path for path in package.glob("*.py") if path.name != "__init__.py")
    return {path.relative_to(TOP).as_posix() for path in (*found, *modules)}


def mapped(architecture: Page) -> set[str]:
    """What the code map has a place for."""
    return {link for link in architecture.section("Code map").links if link.startswith("src/frontrow/")}


def _holds_something(folder: Path) -> bool:
    return folder.name != "__pycache__" and any(path.is_file() for path in folder.iterdir())


@every_page
def test_names_of_ours_are_there(page: Page):
    assert missing(page) == []


@pytest.mark.parametrize(
    "span",
    [
        "core/seat.py",
        "tests/nowhere",
        "ledgers.py",
        "test_that_nobody_wrote",
        "inv_nothing_at_all",
        "BATCH_LARGEST",
        "FRONTROW_NOTHING",
        "PostgresLedgers",
        "HoldSeats.hold_none",
    ],
)
def test_control_a_name_of_nothing_is_seen(span: str):
    assert missing(Page("README.md", f"A `{span}`, `core/seats.py`, `HoldSeats.hold` and `FRONTROW_PORT`.")) == [span]


@every_page
def test_commands_are_known(page: Page):
    assert unknown_commands(page) == []


@pytest.mark.parametrize(
    "line",
    [
        "make everything",
        "frontrow fly",
        "frontrow up --nonsense",
        ".venv/bin/frontrow db migrat",
        "cd frontrow && make tests",
        "frontrow mint --event 1 --counts 3",
    ],
)
def test_control_a_command_that_nobody_knows_is_seen(line: str):
    known = (
        "make up\nmake PYTHON=python3.12 test  # both\nfrontrow mint --event 1 --count 3 | head\nfrontrow db status\n"
    )
    assert unknown_commands(Page("README.md", f"Say `frontrow gate`.\n\n```sh\n{known}{line}\n```\n")) == [line]


def test_every_make_target_is_told_of():
    told = " ".join((*page("README.md").spans, *page("CONTRIBUTING.md").spans))
    told += " ".join((*page("README.md").blocks("sh"), *page("CONTRIBUTING.md").blocks("sh")))
    assert {target for target in make_targets() if f"make {target}" not in told} == {"help"}, "help is `make` alone"


def test_everything_has_its_place_in_the_code_map():
    assert mapped(page("ARCHITECTURE.md")) >= folders_of_package()


def test_control_a_folder_without_a_place_is_seen():
    short = Page("ARCHITECTURE.md", "## Code map\n\n[core](src/frontrow/core)\n\n## Next\n\n[web](src/frontrow/web)\n")
    assert "src/frontrow/web" in folders_of_package() - mapped(short)
