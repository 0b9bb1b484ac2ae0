"""A cursor says what was put into it, to the list that it is of, and to nobody else."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.catalogue import EventId
from frontrow.core.cursors import CURSOR_CHARS_MAX, Value, cursor, values_of
from frontrow.core.search import CURSOR_AGE_MAX, Position

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
VALUES = st.lists(st.integers() | st.floats(allow_nan=False) | st.text(max_size=50), max_size=5)


@given(VALUES, st.text())
def test_it_comes_back(values: Sequence[Value], question: str):
    assert values_of(cursor(values, question=question), question=question) == values


@given(VALUES, st.text(), st.text())
def test_it_belongs_to_its_question(values: Sequence[Value], question: str, other: str):
    if question != other:
        assert values_of(cursor(values, question=question), question=other) is None


@given(VALUES, st.data())
def test_a_changed_letter_is_noticed(values: Sequence[Value], data: st.DataObject):
    text = cursor(values, question="q")
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from("abcXYZ019-_").filter(lambda letter: letter != text[at]))
    assert values_of(text[:at] + letter + text[at + 1 :], question="q") is None


@given(st.text())
def test_whatever_somebody_makes_up_is_none(text: str):
    assert values_of(text, question="q") is None


def sealed(told: bytes) -> str:
    """What somebody makes who has read the code."""
    from hashlib import sha256  # noqa: PLC0415 -- nobody else here has a use for it

    seal = sha256(b"q\0" + told).digest()[:6]
    return urlsafe_b64encode(seal + told).decode().rstrip("=")


@pytest.mark.parametrize("told", [b"{}", b"no", b"1", b"[" * 1_400, b"", b"\xff"])
def test_one_that_is_sealed_by_somebody_else_is_no_list(told: bytes):
    assert values_of(sealed(told), question="q") is None


def test_what_is_too_long_is_not_looked_at():
    assert values_of("A" * (CURSOR_CHARS_MAX + 1), question="q") is None


class TestPosition:
    AT = Position(NOW, 1, -5_000, datetime(2027, 4, 1, 20, tzinfo=UTC), EventId(17))

    def test_it_comes_back(self):
        values = json.loads(json.dumps(self.AT.values()))
        assert Position.of(values, now=NOW) == self.AT

    @pytest.mark.parametrize(
        ("later", "is_good"),
        [
            (timedelta(0), True),
            (CURSOR_AGE_MAX, True),
            (CURSOR_AGE_MAX + timedelta(seconds=1), False),  # search anew
            (timedelta(minutes=-1), True),  # clocks of two machines
            (timedelta(minutes=-2), False),
        ],
    )
    def test_it_ends(self, later: timedelta, is_good: bool):  # noqa: FBT001 -- a column of the table above
        assert (Position.of(self.AT.values(), now=NOW + later) is not None) == is_good

    @pytest.mark.parametrize(
        "values",
        [
            [],
            ["1", 0, 0, 0, 0],
            [0.5, 0, 0, 0, 0],
            [10**40, 0, 0, 0, 0],  # beyond every calendar
            [*AT.values()[:1], 9, 0, 0, 1],  # more words than a text has
            [*AT.values()[:1], -1, 0, 0, 1],
            [*AT.values()[:1], 0, 2**63, 0, 1],  # more than the database has room for
            [*AT.values()[:1], 0, 0, 0, -(2**63)],
        ],
    )
    def test_what_no_position_has_is_none(self, values: Sequence[Value]):
        assert Position.of(values, now=NOW) is None

    def test_a_start_beyond_the_calendar_is_its_end(self):
        found = Position.of([*self.AT.values()[:3], 10**40, 1], now=NOW)
        assert found is not None
        assert found.starts_at == datetime.max.replace(tzinfo=UTC)
