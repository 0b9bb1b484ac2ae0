"""Examples that both codecs are held against, and whoever writes a third one may be too: vectors.json.

`python -m tests.codec` writes the file anew. A test is red while it is stale, so that a change of the format shows.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from frontrow.core.live_seats import packed
from frontrow.core.seat_codec import changes, delta, frame
from frontrow.core.seat_maps import MapDocument, SeatMap, canonical, read

FILE: Final = Path(__file__).with_name("vectors.json")

SNAPSHOTS: Final[Sequence[Sequence[int]]] = (
    (),
    (0,),
    (3,),
    (0, 1, 2, 3),
    (0, 1, 2, 3, 2),  # a byte more for the last one
    (3, 3, 3, 3, 3, 3, 3),
    tuple(seat * seat % 4 for seat in range(97)),
)

# Of a hall of 70,000: which seats change, and to what. The numbers on both sides of each length of a varint.
CHANGES: Final[Sequence[dict[int, int]]] = (
    {},
    {0: 1},
    {0: 1, 1: 2, 2: 3},
    {31: 3, 63: 1},  # the largest gap in one byte, then one of 32
    {4095: 2, 8191: 1},  # the same for two bytes
    {69_999: 3},
    {1: 0, 2: 0},  # these become available again
)
SEATS: Final = 70_000

_SQUARE: Final = [0, 0, 900, 0, 900, 900, 0, 900]
MAP: Final[MapDocument] = {
    "format": "frontrow-seat-map/1",
    "name": "Every kind of row",
    "price_levels": ["A"],
    "stage": {"name": "Stage", "outline": _SQUARE, "focus": [0, 0]},
    "sections": [
        {
            "label": "Stalls",
            "outline": _SQUARE,
            "price_level": "A",
            "rows": [
                {"label": "one seat", "seats": 1, "curve": [17, -4]},
                {"label": "straight", "seats": 4, "curve": [0, 0, 100, 33]},
                {"label": "curved", "seats": 7, "curve": [-300, 60, 10, 43, 300, 61]},
                {"label": "gaps", "seats": 6, "curve": [-270, 60, 0, 40, 270, 60], "gaps": [[1, 1], [4, 3]]},
                {"label": "odd", "seats": 3, "curve": [0, 0, 70, 0], "numbering": {"first": 7, "step": -2}},
                {"label": "named", "seats": 2, "curve": [0, 90, 60, 90], "numbering": ["2A", "2B"]},
            ],
        },
        {"label": "Floor", "outline": _SQUARE, "price_level": "A", "capacity": 3},
        {
            "label": "Circle",
            "outline": _SQUARE,
            "price_level": "A",
            "rows": [{"label": "A", "seats": 2, "curve": [5, 5, 65, 5]}],
        },
    ],
}


def vectors() -> dict[str, Any]:
    return {
        "snapshots": [{"codes": list(codes), "packed": _text(packed(bytes(codes)))} for codes in SNAPSHOTS],
        "deltas": [_delta(changed) for changed in CHANGES],
        "seat_maps": [{"document": MAP, "places": places(read_map(MAP))}],
    }


def places(seat_map: SeatMap) -> dict[str, Any]:
    """What seat-codec.js makes of a map, by core/seat_maps: of each seat where it is, in 32 bits; null: anywhere."""
    at: list[tuple[float, float] | None] = [None] * seat_map.seats
    for row in seat_map.rows:
        at[row.first_seat : row.first_seat + row.seats] = row.positions()
    return {
        "seats": seat_map.seats,
        "x": [None if point is None else point[0] for point in at],
        "y": [None if point is None else point[1] for point in at],
        "sections": [[section.label, section.first_seat, section.seats] for section in seat_map.sections],
        "rows": [[row.section_no, row.label, row.first_seat] for row in seat_map.rows],
        "numbers": [[row.number(index) for index in range(row.seats)] for row in seat_map.rows],
    }


def read_map(document: MapDocument) -> SeatMap:
    seat_map = read(canonical(document))
    assert isinstance(seat_map, SeatMap), seat_map
    return seat_map


def as_text() -> str:
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


def _delta(changed: dict[int, int]) -> dict[str, Any]:
    before, after = bytearray(SEATS), bytearray(SEATS)
    for seat, code in changed.items():
        before[seat] = (code + 1) % 4  # whatever it was
        after[seat] = code
    encoded = delta(changes(packed(before), packed(after)))
    data = frame(7, encoded).decode().split("data: ")[1].rstrip("\n")
    return {"changes": sorted(changed.items()), "delta": encoded.hex(), "data": data}


def _text(written: bytes) -> str:
    return b64encode(written).decode()
