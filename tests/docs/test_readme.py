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
    "Cancelling on a page": "POST /orders/{order}/cancel",
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
    calls = await served(database_url, valkey_url, monkeypatch, with_pages=True)
    commands = {f"frontrow {name}" for name in typer.main.get_group(app()).commands}
    there = {f"{method} {pattern}" for method, pattern in calls} | commands
    assert "POST /orders/{order}/pay" in there
    assert come(to_come(page("README.md")), there) == []


def test_what_is_to_come_is_known_by_something() -> None:
    assert set(to_come(page("README.md"))) <= set(COMING)


def test_control_what_has_come_is_seen() -> None:
    readme = Page(
        "README.md",
        "## What next\n\n- **The waitlist**, at last.\n- **Rehearsals**: soon.\n\n## Next\n\n- **The waitlist**\n",
    )
    assert to_come(readme) == ["The waitlist", "Rehearsals"]
    assert come(to_come(readme), {"POST /api/v1/events/{event}/waitlist", "GET /api/v1/cities"}) == ["The waitlist"]
