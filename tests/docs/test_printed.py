"""What the documents have from the code is fresh, and all that can be printed is: settings, commands, problems."""

import pytest
from tests.docs.pages import PAGES, Page
from tests.docs.printed import PARTS, names_in, renewed

EMPTY = "<!-- printed by tools/docs: {} -->\nold\n<!-- end of print -->\n"
ITS_PLACE = {
    "settings": "docs/settings.md",
    "commands": "docs/operations.md",
    "invariants": "docs/operations.md",
    "problems": "docs/http-api.md",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_what_is_printed_is_fresh(page: Page):
    assert renewed(page.text) == page.text, "run tools/docs"


def test_all_that_can_be_printed_is_printed_somewhere():
    assert {name for page in PAGES.values() for name in names_in(page.text)} == set(PARTS)


@pytest.mark.parametrize(("part", "name"), ITS_PLACE.items())
def test_who_looks_for_it_finds_it(part: str, name: str):
    assert part in names_in(PAGES[name].text)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_control_a_stale_part_is_seen(part: str):
    stale = EMPTY.format(part)
    assert renewed(stale) != stale
    assert renewed(renewed(stale)) == renewed(stale)


def test_control_a_part_that_nobody_prints_is_seen():
    with pytest.raises(KeyError):
        renewed(EMPTY.format("the weather"))


def test_control_what_is_written_by_hand_is_left_alone():
    by_hand = "# Title\n\n| a | b |\n| --- | --- |\n| by | hand |\n"
    assert renewed(by_hand) == by_hand
