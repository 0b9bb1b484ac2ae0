"""docs/guard.md has the numbers of the code: how often, how much work, how many strikes."""

from typing import Final

import pytest
from tests.codec.javascript import TOP

from frontrow.core.door_book import LOCKOUT_SECONDS, STRIKES_MAX, STRIKES_SECONDS, Strike
from frontrow.core.fans import CODE_AGAIN_SECONDS, CODES_AT_ONCE
from frontrow.core.proofs import WORK, Level
from frontrow.core.rates import SECOND_US, Rate, rate
from frontrow.flows import guard
from frontrow.web import access, holds, search, sign_in

PAGE: Final = (TOP / "docs" / "guard.md").read_text("utf-8")

PACES: list[tuple[str, Rate]] = [
    ("| holding seats | fan |", rate(at_once=holds.FAN_AT_ONCE, again_seconds=holds.FAN_AGAIN_SECONDS)),
    ("| holding seats | address |", rate(at_once=holds.CLIENT_AT_ONCE, again_seconds=holds.CLIENT_AGAIN_SECONDS)),
    (
        "| searching by call or page, names while typing | address |",
        rate(at_once=search.CLIENT_AT_ONCE, again_seconds=search.CLIENT_AGAIN_SECONDS),
    ),
    (
        "| asking for a code, and typing it | address |",
        rate(at_once=sign_in.CLIENT_AT_ONCE, again_seconds=sign_in.CLIENT_AGAIN_SECONDS),
    ),
    ("| asking for a code | e-mail address |", rate(at_once=CODES_AT_ONCE, again_seconds=CODE_AGAIN_SECONDS)),
    ("| joining a line | fan |", guard.FAN),
    ("| joining a line | network around an address: /24, or /48 in IPv6 |", guard.NETWORK),
    ("| joining a line | event |", guard.EVENT),
    ("| joining a line | all together |", guard.ALL),
]


def then(pace: Rate) -> str:
    per_second = SECOND_US / pace.again_us
    if per_second >= 1:
        return f"{per_second:,.0f} a second"
    seconds = round(pace.again_us / SECOND_US)
    return {3: "1 in three seconds", 600: "1 in ten minutes"}[seconds]


@pytest.mark.parametrize(("row", "pace"), PACES)
def test_how_often(row: str, pace: Rate):
    assert f"{row} {pace.at_once:,} | {then(pace)} |" in PAGE


def test_how_much_work():
    for level in (Level.EASY, Level.HARD, Level.HARDEST):
        work = WORK[level]
        assert f"| {work.tries_min:,} to {work.tries_max:,}" in PAGE
        assert f"waiting {work.wait_seconds} s |" in PAGE


def test_strikes():
    assert (STRIKES_MAX, STRIKES_SECONDS, LOCKOUT_SECONDS) == (10, 600, 600), "the page says ten, and ten minutes"
    for strike in Strike:
        assert f"| `{strike.value}` |" in PAGE
    assert access.FAN_AT_ONCE == 10
    assert "Ten wrong tries at once, then two a minute." in PAGE.replace("\n", " ")
