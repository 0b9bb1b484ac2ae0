"""Where events are looked for: nowhere in vain if it can be helped, and everywhere that matters."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from frontrow.core import meaning
from frontrow.core.meaning import LEADING_MAX, Match, Meaning, Owner, leading

WORDS: Final = 3
OWNERS: Final = (Owner.PRODUCTION, Owner.VENUE, Owner.CITY, Owner.CATEGORY, Owner.EVENT)

matches = st.builds(
    Match, st.sampled_from(OWNERS), st.integers(1, 3), st.integers(1, 2**WORDS - 1), st.integers(1, 1000)
)


def unique(found: Sequence[Match]) -> list[Match]:
    """One thing has its words once."""
    return list({(match.owner, match.of_id): match for match in found}.values())


def events(found: Sequence[Match]) -> list[list[Match]]:
    """Every event there could be: of each owner one thing, or none."""
    each = [[None, *(match for match in found if match.owner == owner)] for owner in OWNERS]
    return [[match for match in parts if match is not None] for parts in product(*each)]


def words(parts: Sequence[Match]) -> int:
    together = 0
    for match in parts:
        together |= match.words
    return together


@given(st.lists(matches, max_size=8).map(unique), st.integers(1, 2**WORDS - 1), st.integers(0, WORDS - 1))
def test_no_event_that_has_the_words_is_missed(found: Sequence[Match], required: int, left_out: int):
    least = required.bit_count() - left_out
    led = {(match.owner, match.of_id): match for match in leading(found, required, left_out=left_out)}
    for parts in events(found):
        if least > 0 and (words(parts) & required).bit_count() >= least:
            kept = [led[match.owner, match.of_id] for match in parts if (match.owner, match.of_id) in led]
            assert (words(kept) & required).bit_count() >= least, "what an event has its words from is not thrown away"
            assert any(match.leads for match in kept), "something leads to it"


@given(st.lists(matches, max_size=8).map(unique), st.integers(1, 2**WORDS - 1))
def test_what_cannot_help_is_not_looked_at(found: Sequence[Match], required: int):
    all_events = events(found)
    for match in leading(found, required):
        assert any(
            words(parts) & required == required
            for parts in all_events
            if (match.owner, match.of_id) in {(part.owner, part.of_id) for part in parts}
        )


def test_the_rarest_word_leads():
    tour, arena, city = Match("production", 1, 0b001, 5), Match("venue", 2, 0b010, 5), Match("city", 3, 0b100, 5)
    led = leading([tour, arena, city], 0b111)
    assert [match.of_id for match in led if match.leads] == [1]


def test_of_very_much_only_what_fits_best_leads_and_categories_always():
    many = [Match("production", number, 1, number) for number in range(1, 1_000)]
    led = [match for match in leading([*many, Match("category", 1, 1, 1)], 1) if match.leads]
    assert len(led) == LEADING_MAX
    assert led[0].owner == Owner.CATEGORY
    assert min(match.worth for match in led[1:]) == 1_000 - (LEADING_MAX - 1)


class TestRequired:
    def test_words_that_say_little_need_not_be_met(self):
        assert Meaning(("the", "nutcracker"), (True, False), known=0b11).required == 0b10

    def test_unless_there_are_no_others(self):
        assert Meaning(("the", "who"), (True, True), known=0b11).required == 0b11

    def test_nor_what_nothing_is_called_by(self):
        asked = Meaning(("hamlet", "tickets"), (False, False), known=0b01)
        assert asked.required == 0b01
        assert asked.unknown == ("tickets",)

    def test_nothing_known_requires_nothing_and_finds_nothing(self):
        assert Meaning(("qqq",), (False,)).required == 0
        assert leading([], 0) == []


def test_owners_are_in_the_order_that_the_statement_numbers_them():
    assert [owner.value for owner in Owner] == ["production", "venue", "city", "category", "event", "near"]
    assert meaning.EVENTS_OF.keys() == set(Owner)
