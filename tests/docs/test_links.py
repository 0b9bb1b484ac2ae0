"""Every link leads somewhere: to a file, or a heading in it. Every document is led to. Pictures say what they show."""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest
from tests.docs.pages import PAGES, TOP, Page

PICTURE_BYTES_MAX = 200_000  # whoever clones or reads this on a train fetches it too
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


def broken(page: Page, pages: Mapping[str, Page] = PAGES) -> list[str]:
    """Links of a document that lead nowhere. What lies on other hosts is not asked."""
    return [link for link in page.links if not urlsplit(link).scheme and not _leads_somewhere(page, link, pages)]


def led_to(pages: Iterable[Page]) -> set[str]:
    """The documents that others lead to."""
    return {_target(page, link) for page in pages for link in page.links if _target(page, link) != page.name}


def _leads_somewhere(page: Page, link: str, pages: Mapping[str, Page]) -> bool:
    target, anchor = _target(page, link), urlsplit(link).fragment
    if target in pages:
        return not anchor or anchor in pages[target].anchors
    return not anchor and (TOP / target).exists()


def _target(page: Page, link: str) -> str:
    """What a link names, from the top of the checkout. A link without a path stays on its page."""
    path = unquote(urlsplit(link).path)
    return os.path.normpath(PurePosixPath(page.name).parent / path) if path else page.name


def undescribed(page: Page) -> list[str]:
    return [link for words, link in PICTURE.findall(page.prose) if not words.strip()]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_link_leads_somewhere(page: Page):
    assert broken(page) == []


@pytest.mark.parametrize(
    "link",
    [
        "nowhere.md",
        "#no-such-heading",
        "docs/glossary.md#no-such-heading",
        "../README.md",  # above the top
        "LICENSE#anchor",  # a file that has no headings
        "docs/images/nothing.webp",
    ],
)
def test_control_a_link_that_leads_nowhere_is_seen(link: str):
    page = Page(
        "README.md", f"# Frontrow\n\nSee [this]({link}) and [the top](#frontrow), or [it](docs/glossary.md#who).\n"
    )
    assert broken(page, {**PAGES, "README.md": page}) == [link]


def test_every_document_is_led_to():
    assert set(PAGES) - led_to(PAGES.values()) - {"README.md"} == set()


def test_control_a_document_that_nobody_leads_to_is_seen():
    alone = Page("docs/alone.md", "# Alone\n\n[Home](../README.md) and [here](#alone)\n")
    assert alone.name not in led_to([*PAGES.values(), alone])


def test_pictures_are_small_and_used():
    pictures = list((TOP / "docs/images").iterdir())
    used = {_target(page, link) for page in PAGES.values() for link in page.links}
    assert {path.relative_to(TOP).as_posix() for path in pictures} <= used
    assert [path.name for path in pictures if path.stat().st_size > PICTURE_BYTES_MAX] == []


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_pictures_say_what_they_show(page: Page):
    assert undescribed(page) == []


def test_control_a_picture_without_words_is_seen():
    assert undescribed(Page("README.md", "![](a.png) ![A plan](b.png)")) == ["a.png"]
