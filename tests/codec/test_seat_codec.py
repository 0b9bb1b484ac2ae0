"""The codec of seats, for any hall and any change."""

import json
from base64 import b64encode
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.codec.exact import in_32_bits
from tests.codec.javascript import Javascript
from tests.codec.vectors import places, read_map
from tests.core.seat_maps.strategies import documents

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.live_seats import packed
from frontrow.core.seat_codec import (
    GarbledError,
    age,
    apply,
    changes,
    changes_of,
    delta,
    frame,
    frame_data,
    resync,
    unpacked,
)
from frontrow.core.seat_maps import MapDocument
from frontrow.demo.plans.stadium import stadium

codes = st.lists(st.integers(0, 3), max_size=300)


@st.composite
def halls(draw: st.DrawFn, snapshots: int) -> list[bytes]:
    """The same hall at several moments: few seats change in between, some of them there and back."""
    moments = [bytes(draw(codes))]
    seats = len(moments[0])
    for _ in range(snapshots - 1):
        changed = bytearray(moments[-1])
        if seats:
            for seat, code in draw(st.dictionaries(st.integers(0, seats - 1), st.integers(0, 3), max_size=20)).items():
                changed[seat] = code
        moments.append(bytes(changed))
    return moments


@given(codes)
def test_a_snapshot_says_what_each_seat_is(seats: list[int]):
    assert list(unpacked(packed(bytes(seats)), len(seats))) == seats


@given(halls(snapshots=2))
def test_a_delta_leads_from_one_snapshot_to_the_next(moments: Sequence[bytes]):
    before, after = moments
    written = delta(changes(packed(before), packed(after)))
    told = bytearray(before)
    apply(told, written)
    assert told == after
    assert len(list(changes_of(written))) == sum(one != other for one, other in zip(before, after, strict=True))


@given(halls(snapshots=5), st.integers(0, 4), st.data())
def test_whoever_was_anywhere_in_between_gets_there_as_well(moments: Sequence[bytes], start: int, data: st.DataObject):
    """A frame may begin before the update that a client knows, and may come twice."""
    told = bytearray(moments[start])
    place = 0
    while place < len(moments) - 1:
        onward = data.draw(st.integers(place + 1, len(moments) - 1))
        if onward > start:
            written = delta(changes(packed(moments[place]), packed(moments[onward])))
            for _ in range(data.draw(st.integers(1, 2))):
                apply(told, written)
        place = onward
    assert told == moments[-1]


@given(st.binary(max_size=40), st.integers(0, 50))
def test_what_is_no_delta_of_this_hall_changes_nothing(written: bytes, seats: int):
    told = bytearray(seats)
    try:
        apply(told, written)
    except GarbledError:
        assert told == bytearray(seats)


@given(st.text(max_size=20))
def test_what_is_no_data_of_a_frame_is_refused(text: str):
    try:
        written = frame_data(text)
    except GarbledError:
        return
    assert b64encode(written).decode() == text


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (frame(12, delta([(3, 1), (5, 2)])), "id: 12\ndata: DQo=\n\n"),
        (frame(12, b""), "id: 12\ndata: \n\n"),  # changed there and back: the number goes on all the same
        (resync(12, SeatMapSha("ab")), 'event: resync\ndata: {"update_no":12,"seat_map":"ab"}\n\n'),
        (age(0.1234), 'event: age\ndata: {"seconds":0.12}\n\n'),
    ],
)
def test_messages_are_server_sent_events(message: bytes, text: str):
    assert message.decode() == text


@given(halls(snapshots=2))
def test_the_browser_applies_what_python_writes(js: Javascript, moments: Sequence[bytes]):
    before, after = moments
    [_, data] = frame(1, delta(changes(packed(before), packed(after)))).decode().split("data: ")
    assert js.ask("applied", list(before), data.strip()) == list(after)
    assert js.ask("unpacked", b64encode(packed(after)).decode(), len(after)) == list(after)


@given(documents())
def test_the_browser_finds_every_seat_where_python_does(js: Javascript, document: MapDocument):
    assert js.ask("places", document) == in_32_bits(places(read_map(document)))


def test_the_browser_finds_every_seat_of_a_stadium(js: Javascript):
    hall = stadium()
    assert js.ask("places", json.loads(hall.canonical)) == in_32_bits(places(hall))
