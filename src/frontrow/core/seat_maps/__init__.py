"""Seat maps: the format `frontrow-seat-map/1`, read, checked, identified, and drawn.

`read` turns a document into a `SeatMap` or says what is wrong with it; `canonical` and `identity` give a document
its bytes and its name. docs/seat-map-format.md describes the format for those who write it.
"""

from frontrow.core.seat_maps.document import (
    MapDocument,
    NumberingDocument,
    RowDocument,
    SectionDocument,
    StageDocument,
    canonical,
    identity,
)
from frontrow.core.seat_maps.flaws import MapFlaw, MapRefused
from frontrow.core.seat_maps.limits import FORMAT
from frontrow.core.seat_maps.places import (
    AisleEnds,
    Counting,
    Gap,
    Mark,
    Point,
    Row,
    SeatFlag,
    SeatMap,
    SeatPlace,
    Section,
    Stage,
)
from frontrow.core.seat_maps.reading import read

__all__ = [
    "FORMAT",
    "AisleEnds",
    "Counting",
    "Gap",
    "MapDocument",
    "MapFlaw",
    "MapRefused",
    "Mark",
    "NumberingDocument",
    "Point",
    "Row",
    "RowDocument",
    "SeatFlag",
    "SeatMap",
    "SeatPlace",
    "Section",
    "SectionDocument",
    "Stage",
    "StageDocument",
    "canonical",
    "identity",
    "read",
]
