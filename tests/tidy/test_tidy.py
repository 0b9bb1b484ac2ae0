"""The checkout keeps the house rules, and each rule is able to report."""

from pathlib import Path, PurePosixPath

import pytest
from tests.tidy.cases import CASES, Case
from tests.tidy.rules import RULES, report
from tests.tidy.source import Source, checkout

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule.__name__)


def test_checkout_keeps_the_house_rules():
    lines = list(report())
    assert not lines, "\n".join(lines)


@every_case
def test_rule_reports_what_breaks_it(case: Case):
    assert list(case.rule(Source(PurePosixPath(case.bad_path), case.bad)))


@every_case
def test_rule_lets_pass_what_keeps_it(case: Case):
    assert list(case.rule(Source(PurePosixPath(case.path), case.good))) == []


def test_every_rule_has_a_case_and_says_which_bug_it_prevents():
    assert {case.rule for case in CASES} == set(RULES)
    for rule in RULES:
        assert (rule.__doc__ or "").startswith("Prevents "), rule.__name__


def test_exception_covers_one_thing_in_one_file():
    sources = [Source(PurePosixPath(f"tests/{name}.py"), "rows = 1  # type: ignore") for name in ("one", "two")]
    excepted = {("suppression_without_reason", "tests/one.py", "type: ignore"): "for this test"}
    assert [line.partition(":")[0] for line in report(sources, excepted)] == ["tests/two.py"]


def test_exception_that_covers_nothing_is_reported():
    (line,) = report([], {("clock_read", "src/frontrow/web/gone.py", "time.time"): "it was there once"})
    assert "no longer needed" in line


def test_file_that_does_not_parse_is_reported():
    (line,) = report([Source(PurePosixPath("src/broken.py"), "def (")], {})
    assert "does not parse" in line


def test_checkout_is_what_people_wrote(tmp_path: Path):
    for name in ("src/frontrow/seats.py", "Makefile", ".ci/run", ".venv/lib/theirs.py", "src/__pycache__/seats.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "src/picture.png").write_bytes(b"\x89PNG\xff")
    assert [str(source.path) for source in checkout(tmp_path)] == [".ci/run", "Makefile", "src/frontrow/seats.py"]
