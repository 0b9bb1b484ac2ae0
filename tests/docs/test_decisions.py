"""The records of decisions: all of one form, all in the index, each kept by something that turns red."""

import re

import pytest
from tests.docs.naming import is_path, names_of_tests
from tests.docs.pages import PAGES, Page, page

PARTS = ["Question", "Decision", "Why", "What it costs", "Also looked at", "Kept by"]
RECORD = re.compile(r"docs/decisions/(\d{4})-[a-z0-9-]+\.md")

RECORDS = {name: page for name, page in PAGES.items() if RECORD.fullmatch(name)}
every_record = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)

GOOD = (
    "# 11. It is so\n\n"
    + "".join(f"**{part}.** Because.\n\n" for part in PARTS[:-1])
    + "**Kept by** `test_the_functions_and_the_core_agree` and `flows/expire_holds.py`.\n"
)


def title(record: Page) -> str:
    return record.text.partition("\n")[0].partition(". ")[2]


def parts(record: Page) -> list[str]:
    """The parts of a record, in order. A figure may stand under a heading of its own between them."""
    found = re.findall(r"^\*\*([A-Z][A-Za-z ]+?)\.?\*\*", record.prose, re.MULTILINE)
    return [part for part in found if part in PARTS]


def keepers(record: Page) -> list[str]:
    """What turns red: tests, their files, views, checks. The code that does it is not among them."""
    kept = Page(record.name, record.text.partition("**Kept by**")[2])
    return [span for span in kept.spans if _turns_red(record, span)]


def _turns_red(record: Page, span: str) -> bool:
    if span.startswith("tests/"):
        return is_path(record, span)
    return span in names_of_tests() or span.startswith("inv_") or span == "make check"


def test_there_are_records():
    assert len(RECORDS) >= 10


def test_numbers_have_no_gap():
    assert [int(name.rpartition("/")[2][:4]) for name in sorted(RECORDS)] == list(range(1, len(RECORDS) + 1))


@every_record
def test_its_title_has_its_number(record: Page):
    assert record.text.startswith(f"# {int(record.path.name[:4])}. ")


@every_record
def test_it_has_every_part_in_order(record: Page):
    assert parts(record) == PARTS


@every_record
def test_something_keeps_it(record: Page):
    assert keepers(record)


def test_the_index_has_all_with_their_titles():
    listed = {row[0]: row[1] for row in page("docs/decisions/README.md").rows()}
    assert listed == {
        f"[{record.path.name[:4]}]({record.path.name})": title(record) for record in RECORDS.values()
    }  # fmt: skip -- one comparison


@pytest.mark.parametrize("part", PARTS)
def test_control_a_part_that_is_missing_is_seen(part: str):
    assert parts(Page("docs/decisions/0011-so.md", GOOD)) == PARTS
    assert parts(Page("docs/decisions/0011-so.md", GOOD.replace(f"**{part}", "**Part"))) != PARTS


@pytest.mark.parametrize(
    "nothing", ["`test_that_nobody_wrote`", "`flows/expire_holds.py`", "`tests/nowhere.py`", "care"]
)
def test_control_a_record_that_nothing_keeps_is_seen(nothing: str):
    assert keepers(Page("docs/decisions/0011-so.md", GOOD)) == ["test_the_functions_and_the_core_agree"]
    assert (
        keepers(Page("docs/decisions/0011-so.md", f"# 11. So\n\nSee `make check`.\n\n**Kept by** {nothing}.\n")) == []
    )
