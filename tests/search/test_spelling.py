"""What may have been meant: every word that one slip leads away from, and none that another word is."""

from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.spelling import MEANT_MAX, edits, edits_allowed, meant

LETTERS: Final = st.text("abcde", max_size=8)


def slips(word: str) -> set[str]:
    """Every word that is one edit away."""
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return (
        {before + after[1:] for before, after in halves if after}
        | {before + letter + after for before, after in halves for letter in "abcde"}
        | {before + letter + after[1:] for before, after in halves if after for letter in "abcde"}
        | {before + after[1] + after[0] + after[2:] for before, after in halves if len(after) > 1}
    ) - {word}


@given(LETTERS)
def test_one_slip_is_one_edit(word: str):
    assert {edits(word, other) for other in slips(word)} <= {1}


@given(LETTERS, LETTERS)
def test_what_is_no_slip_away_is_further(one: str, other: str):
    assert (edits(one, other) <= 1) == (one == other or other in slips(one))


@given(LETTERS, LETTERS)
def test_it_is_as_far_back(one: str, other: str):
    assert edits(one, other) == edits(other, one) <= max(len(one), len(other))


@pytest.mark.parametrize(
    ("spelt", "alike", "expected"),
    [
        ("swfit", ["swift", "swan", "swall"], ["swift"]),  # two letters exchanged
        ("tylor", ["taylor", "tyler", "tale"], ["tyler", "taylor"]),  # as close; the same length first
        ("nutcraker", ["nutcracker"], ["nutcracker"]),
        ("nutcrackr", ["nutcracker", "nutcrackers"], ["nutcracker"]),  # the closest, and no others
        ("boheemee", ["boheme"], ["boheme"]),  # in a long word two slips
        ("bohee", ["bohemes"], []),  # and not in a short one
        ("bee", ["bea"], []),  # three letters are another word
        ("hamlet", [], []),
    ],
)
def test_what_may_have_been_meant(spelt: str, alike: Sequence[str], expected: Sequence[str]):
    assert meant(spelt, alike) == expected


def test_half_a_word_is_compared_with_half_of_others():
    assert meant("nutrcac", ["nutcracker", "nest"], is_begun=True) == ["nutcracker"]
    assert meant("nutrcac", ["nutcracker", "nest"]) == []


@given(LETTERS, st.lists(LETTERS))
def test_there_are_few_of_them_and_all_are_close(spelt: str, alike: Sequence[str]):
    found = meant(spelt, alike)
    assert len(found) <= MEANT_MAX
    assert all(edits(spelt, word) <= edits_allowed(spelt) for word in found)
