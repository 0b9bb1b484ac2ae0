"""Every way in which a seat map document can be wrong, with the words that its author gets."""

from typing import Final

import pytest
from tests.core.seat_maps.documents import GONE, Path, changed, flaws, paths

from frontrow.core.seat_maps.limits import (
    FLAWS_MAX,
    GAP_SEATS_MAX,
    LABEL_CHARS_MAX,
    NAME_CHARS_MAX,
    OUTLINE_POINTS_MAX,
    PRICE_LEVELS_MAX,
    ROWS_MAX,
    SEAT_NUMBER_CHARS_MAX,
    SEAT_NUMBER_MAX,
    SEATS_MAX,
    SEATS_PER_ROW_MAX,
    SECTIONS_MAX,
)

SECTION: Final = ("sections", 0)
FLOOR: Final = ("sections", 1)
AA: Final = (*SECTION, "rows", 0)
BB: Final = (*SECTION, "rows", 1)

# Where, what is written there, what the author is told.
FLAWS: Final[list[tuple[Path, object, str]]] = [
    # The map as a whole.
    (["format"], "frontrow-seat-map/2", 'format is "frontrow-seat-map/2"; expected "frontrow-seat-map/1"'),
    (["format"], GONE, 'the field "format" is missing'),
    (["colour"], "red", 'unknown field "colour"; expected one of format, name, price_levels, sections, stage'),
    (["name"], GONE, 'the field "name" is missing'),
    (["name"], "", 'name is ""; expected at least one character'),
    (["name"], "x" * (NAME_CHARS_MAX + 1), f"expected at most {NAME_CHARS_MAX} characters"),
    (["name"], " Hall", 'name is " Hall"; expected no blanks at its ends'),
    (["name"], "Ha\u202ell", r'name is "Ha\u202ell"; expected printable characters only'),  # turns the line around
    (["name"], "Hall\ud800", "expected printable characters only"),  # half of a character
    (["name"], 7, "name is 7; expected a text"),
    (["name"], None, "name is null; expected a text"),
    (["price_levels"], [], f"price_levels has 0 entries; expected 1 to {PRICE_LEVELS_MAX}"),
    (["price_levels"], ["P1", "P2", "P1"], 'price_levels lists "P1" twice'),
    (["price_levels"], ["P1", "P2", "P3"], 'no seat is of price level "P3"; leave it out'),
    (["price_levels"], "P1", 'price_levels is "P1"; expected a list'),
    # The stage.
    (["stage"], GONE, 'the field "stage" is missing'),
    (["stage"], [], "stage is a list; expected an object"),
    (["stage", "focus"], [0], "focus has 1 entries; expected 2 to 2"),
    (["stage", "outline"], [0, 0, 10, 10, 10, 0, 0, 10], "the outline crosses or touches itself"),
    (["stage", "outline"], [0, 0, 10, 0, 20, 0], "the outline crosses or touches itself"),  # no area
    (["stage", "light"], 1, 'unknown field "light"; expected one of focus, name, outline'),
    # A section.
    (["sections"], [], f"sections has 0 entries; expected 1 to {SECTIONS_MAX}"),
    (["sections"], {}, "sections is an object; expected a list"),
    ([*SECTION], "112", 'section #1: found "112"; expected an object'),
    ([*SECTION, "label"], GONE, 'section #1: the field "label" is missing'),
    ([*SECTION, "label"], "x" * (LABEL_CHARS_MAX + 1), f"expected at most {LABEL_CHARS_MAX} characters"),
    ([*FLOOR, "label"], "112", "section 112: the map has two sections with this label"),
    (
        [*SECTION, "outline"],
        [0, 0, 10, 0],
        f"section 112: outline has 4 entries; expected 6 to {OUTLINE_POINTS_MAX * 2}",
    ),
    ([*SECTION, "outline"], [0, 0, 10, 0, 10, 10, 0], "section 112: outline has 7 entries; expected an even number"),
    ([*SECTION, "outline", 0], 100_001, "section 112: outline is 100001; expected -100000 to 100000"),
    ([*SECTION, "outline", 0], 0.5, "section 112: outline: 0.5 is not a whole number"),
    ([*SECTION, "outline", 0], True, "section 112: outline is true; expected a whole number"),
    ([*SECTION, "price_level"], "P9", 'section 112: price_level is "P9"; expected one of P1, P2'),
    ([*SECTION, "aisle_ends"], "left", 'section 112: aisle_ends is "left"; expected none, first, last, both'),
    ([*SECTION, "rows"], GONE, 'section 112: expected either "rows" (seats) or "capacity" (a standing area)'),
    ([*SECTION, "capacity"], 9, 'section 112: expected either "rows" (seats) or "capacity" (a standing area)'),
    ([*FLOOR, "capacity"], 0, f"section Floor: capacity is 0; expected 1 to {SEATS_MAX}"),
    ([*FLOOR, "aisle_ends"], "both", "section Floor: a standing area has no rows that could end on an aisle"),
    ([*FLOOR, "capacity"], SEATS_MAX, f"more than {SEATS_MAX} seats up to section Floor; expected at most that many"),
    # A row, named in every one.
    ([*AA, "label"], "", 'section 112, row #1: label is ""; expected at least one character'),
    ([*BB, "label"], "AA", "section 112, row AA: the section has two rows with this label"),
    ([*AA, "seats"], GONE, 'section 112, row AA: the field "seats" is missing'),
    ([*AA, "seats"], 0, f"section 112, row AA: seats is 0; expected 1 to {SEATS_PER_ROW_MAX}"),
    ([*AA, "seat"], 6, 'section 112, row AA: unknown field "seat"'),
    ([*AA, "curve"], [-200, 200], "section 112, row AA: curve has 2 entries; expected 4 to 6"),
    ([*AA, "curve"], [0, 200, 100, 200], "section 112, row AA: the seats are 17 cm apart; expected at least 20"),
    ([*AA, "price_level"], "P9", 'section 112, row AA: price_level is "P9"; expected one of P1, P2'),
    # Numbering.
    ([*AA, "numbering", "step"], 0, "section 112, row AA: the numbering's step is 0; expected 1, 2, -1, …"),
    ([*AA, "numbering", "step"], -3, f"row AA: 6 seats numbered from 11 to -4; expected 0 to {SEAT_NUMBER_MAX}"),
    ([*AA, "numbering", "from"], 1, 'row AA: unknown field "from"; expected one of first, step'),
    ([*AA, "numbering"], 7, "section 112, row AA: numbering is 7; expected an object"),
    ([*BB, "numbering"], ["1a"], "section 112, row BB: 2 seats but the numbering lists 1"),
    ([*BB, "numbering"], ["1a", "1a"], 'section 112, row BB: numbering lists "1a" twice'),
    (
        [*BB, "numbering", 0],
        "1" * 13,
        f'row BB: numbering is "1111111111111"; expected at most {SEAT_NUMBER_CHARS_MAX}',
    ),
    # Gaps.
    ([*AA, "gaps"], [[0, 1]], "section 112, row AA: a gap before seat 0; expected 1 to 5"),
    ([*AA, "gaps"], [[6, 1]], "section 112, row AA: a gap before seat 6; expected 1 to 5"),
    ([*AA, "gaps"], [[3, 1], [2, 1]], "section 112, row AA: a gap before seat 2; expected 4 to 5"),  # not ascending
    ([*AA, "gaps"], [[2, 0]], f"section 112, row AA: a gap 0 seats wide; expected 1 to {GAP_SEATS_MAX}"),
    ([*AA, "gaps"], [2], "section 112, row AA: gaps is 2; expected a pair of whole numbers"),
    # Flags.
    ([*AA, "aisle"], [6], "row AA: aisle names the seats 6 to 6; expected indexes from 0 to 5, ascending, none twice"),
    ([*AA, "aisle"], [3, 1], "row AA: aisle names the seats 1 to 1; expected indexes from 0 to 5, ascending"),
    ([*AA, "aisle"], [[3, 1]], "row AA: aisle names the seats 3 to 1"),
    ([*AA, "aisle"], [[0, 2], 2], "row AA: aisle names the seats 2 to 2"),
    ([*AA, "aisle"], ["1"], 'row AA: aisle is "1"; expected a pair of whole numbers'),
    ([*BB, "companion"], [0], "section 112, row BB: seat 0 is both accessible and companion; expected one of them"),
]  # fmt: skip -- a table: one flaw, one line


@pytest.mark.parametrize(("path", "value", "words"), FLAWS)
def test_flaw_is_told_in_words(path: Path, value: object, words: str):
    found = flaws(changed((path, value)))
    assert any(words in flaw for flaw in found), found


def test_without_a_change_there_is_no_flaw():
    """The table's control: it is the change that is refused."""
    assert flaws(changed()) == []


@pytest.mark.parametrize(("path", "value", "words"), FLAWS)
def test_flaw_names_its_place_for_programs(path: Path, value: object, words: str):
    document = changed((path, value))
    pointer = next(where for where, said in zip(paths(document), flaws(document), strict=True) if words in said)
    whole = "".join(f"/{step}" for step in path)
    assert whole.startswith(pointer) or pointer.startswith(whole)


def test_one_reading_tells_every_flaw_in_the_order_of_the_document():
    found = flaws(
        changed((["stage", "focus"], [0]), ([*AA, "seats"], 0), ([*BB, "label"], ""), ([*FLOOR, "capacity"], 0))
    )
    assert [flaw.partition(":")[0] for flaw in found] == [
        "focus has 1 entries; expected 2 to 2",
        "section 112, row AA",
        "section 112, row #2",
        "section Floor",
    ]


def test_flaws_are_told_up_to_a_limit():
    row = {"label": "A", "seats": 0, "curve": [0, 0]}
    assert len(flaws(changed(([*SECTION, "rows"], [row] * 500)))) == FLAWS_MAX


@pytest.mark.parametrize(
    ("path", "entry", "count_max"),
    [
        (["sections"], {"label": "x", "outline": [0, 0, 9, 0, 9, 9], "price_level": "P1", "capacity": 1}, SECTIONS_MAX),
        ([*SECTION, "rows"], {"label": "x", "seats": 1, "curve": [0, 0]}, ROWS_MAX),
    ],
    ids=["sections", "rows"],
)
def test_lists_end_at_their_limit(path: Path, entry: dict[str, object], count_max: int):
    many = [entry | {"label": str(number)} for number in range(count_max + 1)]
    assert not any("entries" in flaw for flaw in flaws(changed((path, many[:-1]))))
    assert any(f"has {count_max + 1} entries" in flaw for flaw in flaws(changed((path, many))))


def test_rows_of_all_sections_count_together():
    row = {"seats": 1, "curve": [0, 0]}
    rows = [row | {"label": str(number)} for number in range(ROWS_MAX // 2)]
    section = {"outline": [0, 0, 9, 0, 9, 9], "price_level": "P1", "rows": rows}
    two = [section | {"label": "1"}, section | {"label": "2"}]
    assert flaws(changed((["price_levels"], ["P1"]), (["sections"], two))) == []
    three = [*two, section | {"label": "3", "rows": rows[:1]}]
    assert flaws(changed((["price_levels"], ["P1"]), (["sections"], three))) == [
        f"more than {ROWS_MAX} rows up to section 3; expected at most that many"
    ]
