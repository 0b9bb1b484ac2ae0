"""The README promises nothing that is there already, and what is to come is told in one place."""

import re
from collections.abc import Iterable

import pytest
import typer
from tests.docs.calls import served
from tests.docs.pages import Page, page

from frontrow.cli import app

# What each of them will bring first: a call, or a command.
COMING = {
    "Searching": "GET /api/v1/search",
    "Pages to search with": "GET /search",
    "Signing in": "POST /api/v1/sign-in",
    "Cancelling orders": "POST /api/v1/orders/{order}/cancel",
    "Pages of the checkout": "GET /orders/{order}",
    "The waiting room": "GET /api/v1/events/{event}/line",
    "Rehearsals": "frontrow rehearse",
    "The waitlist": "POST /api/v1/events/{event}/waitlist",
}


def to_come(readme: Page) -> list[str]:
    """What the README says is not here yet."""
    return [
        title.rstrip(".") for title in re.findall(r"^- \*\*(.+?)\*\*", readme.section("What next").text, re.MULTILINE)
    ]


def come(titles: Iterable[str], there: set[str]) -> list[str]:
    return [title for title in titles if COMING[title] in there]


async def test_what_is_to_come_is_not_there(
    database_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = {f"{method} {pattern}" for method, pattern in await served(database_url, valkey_url, monkeypatch)}
    commands = {f"frontrow {name}" for name in typer.main.get_group(app()).commands}
    assert come(to_come(page("README.md")), calls | commands) == []


def test_what_is_to_come_is_known_by_something() -> None:
    assert set(to_come(page("README.md"))) <= set(COMING)


def test_control_what_has_come_is_seen() -> None:
    readme = Page(
        "README.md",
        "## What next\n\n- **Searching**, at last.\n- **Rehearsals**: soon.\n\n## Next\n\n- **Searching**\n",
    )
    assert to_come(readme) == ["Searching", "Rehearsals"]
    assert come(to_come(readme), {"GET /api/v1/search", "GET /api/v1/cities"}) == ["Searching"]
