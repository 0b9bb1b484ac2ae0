"""The changelog is one: what is not released on top, then versions from the newest, and what changed by kind."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.docs.pages import Page, page

KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
VERSION = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d{2}-\d{2}")

GOOD = """# Changelog

What it is.

## [Unreleased]

### Added

- This.

## [1.2.0] - 2027-02-03

### Fixed

- That.
"""


def flaws(changelog: Page) -> list[str]:
    return list(_flaws(changelog.text))


def _flaws(text: str) -> Iterator[str]:
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    if not head.startswith("# Changelog\n"):
        yield "it does not begin with its name"
    titles = [section.partition("\n")[0] for section in sections]
    if titles[:1] != ["[Unreleased]"]:
        yield "what is not released yet comes first"
    yield from (f"{title} is no version with its day" for title in titles[1:] if not VERSION.fullmatch(title))
    versions = [tuple(map(int, found.groups())) for title in titles[1:] if (found := VERSION.fullmatch(title))]
    yield from (f"{older} is not older than {newer}" for newer, older in pairwise(versions) if older >= newer)
    for section in sections:
        yield from _flaws_of_section(section)


def _flaws_of_section(section: str) -> Iterator[str]:
    kinds = re.findall(r"^### (.+)$", section, re.MULTILINE)
    yield from (f"{kind} is no kind of change" for kind in kinds if kind not in KINDS)
    if kinds != sorted(kinds, key=lambda kind: KINDS.index(kind) if kind in KINDS else 0) or len(set(kinds)) < len(
        kinds
    ):
        yield f"the kinds of change come once and in this order: {', '.join(KINDS)}"
    for part in re.split(r"^### ", section, flags=re.MULTILINE)[1:]:
        if "\n- " not in part:
            yield "a kind of change without a change"


def test_it_keeps_its_form():
    assert flaws(page("CHANGELOG.md")) == []


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("# Changelog", "# News"),
        ("## [Unreleased]", "## Soon"),
        ("### Added", "### New"),
        ("- This.", "This."),
        ("2027-02-03", "lately"),
        ("## [1.2.0] - 2027-02-03", "## [1.2.0] - 2027-02-03\n\n## [1.3.0] - 2027-01-03"),
        ("### Fixed", "### Fixed\n\n- It.\n\n### Changed"),
    ],
)
def test_control_a_flaw_is_seen(there: str, instead: str):
    assert flaws(Page("CHANGELOG.md", GOOD)) == []
    assert flaws(Page("CHANGELOG.md", GOOD.replace(there, instead, 1)))
