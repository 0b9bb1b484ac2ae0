"""Both codecs against one list of examples."""

import json
from base64 import b64decode
from typing import Any

import pytest
from tests.codec.exact import in_32_bits
from tests.codec.javascript import Javascript, ThrownError
from tests.codec.vectors import FILE, SEATS, as_text, places, read_map

from frontrow.core.live_seats import STATES, packed
from frontrow.core.seat_codec import changes_of, delta, frame_data, unpacked

VECTORS = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_file_is_what_the_codec_writes():
    assert FILE.read_text(encoding="utf-8") == as_text(), "run python -m tests.codec"


@pytest.mark.parametrize("vector", VECTORS["snapshots"])
def test_snapshots(vector: dict[str, Any], js: Javascript):
    codes = vector["codes"]
    assert packed(bytes(codes)) == b64decode(vector["packed"])
    assert list(unpacked(b64decode(vector["packed"]), len(codes))) == codes
    assert js.ask("unpacked", vector["packed"], len(codes)) == codes


@pytest.mark.parametrize("vector", VECTORS["deltas"])
def test_deltas(vector: dict[str, Any], js: Javascript):
    written = bytes.fromhex(vector["delta"])
    changed = [tuple(change) for change in vector["changes"]]
    assert delta(changed) == written
    assert list(changes_of(written)) == changed
    assert frame_data(vector["data"]) == written
    assert [tuple(change) for change in js.ask("changes", vector["data"])] == changed


@pytest.mark.parametrize("vector", VECTORS["seat_maps"])
def test_seat_maps(vector: dict[str, Any], js: Javascript):
    assert places(read_map(vector["document"])) == vector["places"]
    assert js.ask("places", vector["document"]) == in_32_bits(vector["places"])


def test_states_have_the_same_codes(js: Javascript):
    assert js.ask("states") == [state.value for state in STATES]


@pytest.mark.parametrize(
    ("codes", "data"),
    [
        ([0, 0], "gA=="),  # breaks off in a number
        ([0, 0], "BQk="),  # the second change is of seat 3
    ],
)
def test_what_does_not_fit_changes_nothing(codes: list[int], data: str, js: Javascript):
    with pytest.raises(ThrownError, match="RangeError"):
        js.ask("applied", codes, data)


def test_a_snapshot_of_another_hall_is_refused(js: Javascript):
    with pytest.raises(ThrownError, match="RangeError"):
        js.ask("unpacked", "AAAA", SEATS)
