"""What a seat map says once it is read: numbers, places, flags, gaps; its canonical form and its name."""

import json
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from math import dist
from typing import Any

import pytest
from hypothesis import given
from tests.core.seat_maps.documents import DOCUMENT, changed
from tests.core.seat_maps.strategies import documents

from frontrow.core.seat_maps import MapDocument, SeatFlag, SeatMap, canonical, identity, read

A, C, W, R = SeatFlag.AISLE, SeatFlag.COMPANION, SeatFlag.ACCESSIBLE, SeatFlag.RESTRICTED_VIEW


def small_hall() -> SeatMap:
    return _read(changed())


def test_seats_are_dealt_out_in_document_order():
    hall = small_hall()
    assert hall.seats == 6 + 2 + 50
    assert [section.seat_nos for section in hall.sections] == [range(8), range(8, 58)]
    assert [row.seat_nos for row in hall.rows] == [range(6), range(6, 8)]


@pytest.mark.parametrize(
    ("seat_no", "section", "row", "number", "level", "flags"),
    [
        (0, "112", "AA", "11", "P1", A | R),  # the first of a row lies on an aisle, since aisle_ends is "both"
        (1, "112", "AA", "9", "P1", A),  # named by the row
        (2, "112", "AA", "7", "P1", A),  # the second of the pair [1, 2]
        (3, "112", "AA", "5", "P1", SeatFlag(0)),
        (5, "112", "AA", "1", "P1", A | R),  # the last of the row
        (6, "112", "BB", "1a", "P2", A | W),  # the row's own price level and numbering
        (7, "112", "BB", "1b", "P2", A | C),
        (8, "Floor", None, None, "P2", SeatFlag(0)),  # who stands has neither row nor number
        (57, "Floor", None, None, "P2", SeatFlag(0)),
    ],
)
def test_place_of_a_seat(seat_no: int, section: str, row: str | None, number: str | None, level: str, flags: SeatFlag):
    place = small_hall().place(seat_no)
    found = (place.section.label, place.row and place.row.label, place.number, place.price_level, place.flags)
    assert found == (section, row, number, level, flags)


@pytest.mark.parametrize("seat_no", [-1, 58, 10**9])
def test_seat_that_is_not_in_the_map(seat_no: int):
    assert seat_no not in small_hall()
    with pytest.raises(AssertionError):
        small_hall().place(seat_no)


@pytest.mark.parametrize(
    ("ends", "on_aisle"), [("none", [1, 2]), ("first", [0, 1, 2]), ("last", [1, 2, 5]), ("both", [0, 1, 2, 5])]
)
def test_ends_of_rows_on_an_aisle(ends: str, on_aisle: list[int]):
    hall = _read(changed((["sections", 0, "aisle_ends"], ends)))
    row = next(hall.rows)
    assert [index for index in range(row.seats) if SeatFlag.AISLE in row.flags(index)] == on_aisle


def test_gap_parts_neighbours_and_takes_up_room():
    row = next(small_hall().rows)
    assert list(row.runs()) == [range(2), range(2, 6)]
    steps = [dist(a, b) for a, b in zip(row.positions(), row.positions()[1:], strict=False)]
    assert steps[1] == pytest.approx(2 * steps[3], rel=0.1)  # pyright: ignore[reportUnknownMemberType] -- pytest types approx loosely


@pytest.mark.parametrize(
    ("curve", "middle"),
    [
        ([0, 0, 200, 0], (100, 0)),  # straight
        ([0, 0, 100, 40, 200, 0], (100, 40)),  # curved: the middle seat is where the middle point is
    ],
)
def test_curve_goes_through_its_points(curve: list[int], middle: tuple[int, int]):
    row = {"label": "A", "seats": 3, "curve": curve}
    positions = next(_read(changed((["sections", 0, "rows", 0], row))).rows).positions()
    assert positions == [(0, 0), middle, (200, 0)]


def test_seat_by_its_label():
    hall = small_hall()
    section = hall.section("112")
    row = section.row("BB") if section else None
    assert row
    assert row.seat_no("1b") == 7
    assert row.seat_no("2") is None
    assert hall.section("113") is None


def test_canonical_form_is_one_way_to_write_a_document():
    shuffled = json.dumps(dict(reversed(DOCUMENT.items())), indent=2, ensure_ascii=True).encode()
    assert _read(shuffled).canonical == small_hall().canonical == canonical(DOCUMENT)
    assert b" " not in canonical(DOCUMENT).replace(b"Small hall", b"").replace(b"Lower tier", b"")


def test_name_is_the_hash_of_the_canonical_form():
    hall = small_hall()
    assert hall.sha == identity(hall.canonical) == sha256(hall.canonical).hexdigest()
    assert _read(changed((["name"], "Another hall"))).sha != hall.sha


@pytest.mark.parametrize("word", ["Café", "Grüße", "각"])
def test_composed_and_decomposed_letters_are_the_same_map(word: str):
    composed, decomposed = unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)
    assert composed != decomposed
    one, other = (_read(changed((["name"], name))) for name in (composed, decomposed))
    assert one == other
    assert one.name == composed


def test_labels_that_differ_in_their_spelling_only_are_the_same_label():
    answer = read(changed((["sections", 0, "label"], "Caf\u00e9"), (["sections", 1, "label"], "Cafe\u0301")))
    assert not isinstance(answer, SeatMap)


@given(documents())
def test_reading_the_canonical_form_gives_the_same_map(document: MapDocument):
    seat_map = _read(json.dumps(document).encode())
    assert read(seat_map.canonical) == seat_map
    assert canonical(json.loads(seat_map.canonical)) == seat_map.canonical


@given(documents())
def test_seat_numbers_are_dense(document: MapDocument):
    seat_map = _read(canonical(document))
    dealt = [seat_no for section in seat_map.sections for seat_no in section.seat_nos]
    assert dealt == list(range(seat_map.seats))
    for section in seat_map.sections:
        if not section.standing:
            assert [seat_no for row in section.rows for seat_no in row.seat_nos] == list(section.seat_nos)


@given(documents())
def test_place_section_row_and_price_agree(document: MapDocument):
    seat_map = _read(canonical(document))
    for seat_no in range(seat_map.seats):
        place = seat_map.place(seat_no)
        assert place.section is seat_map.section_of(seat_no)
        assert place.row is seat_map.row_of(seat_no)
        assert place.price_level == seat_map.price_level(seat_no)
        assert seat_no in place.section.seat_nos
        if place.row and place.number is not None:
            assert place.row.seat_no(place.number) == seat_no


@given(documents())
def test_runs_and_positions_cover_each_row(document: MapDocument):
    for row in _read(canonical(document)).rows:
        assert [seat_no for run in row.runs() for seat_no in run] == list(row.seat_nos)
        assert len(row.positions()) == row.seats
        assert row.positions()[0] == tuple(row.curve[:2])
        assert _near(row.positions()[-1], row.curve[-2:])


def _near(position: Sequence[float], point: Sequence[int]) -> bool:
    return dist(position, point) < 1e-6


def _read(document: bytes) -> SeatMap:
    seat_map: Any = read(document)
    assert isinstance(seat_map, SeatMap), seat_map
    return seat_map
