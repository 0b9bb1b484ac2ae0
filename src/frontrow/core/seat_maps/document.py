"""The document as it is written: its fields with their types, its canonical form and its identity.

For whoever makes a map (the demo's plans, an importer). Whoever receives one calls `read`, which trusts nothing.
"""

import json
import unicodedata
from collections.abc import Mapping
from hashlib import sha256
from typing import NotRequired, TypedDict

from frontrow.core.catalogue import SeatMapSha


class StageDocument(TypedDict):
    name: str
    outline: list[int]
    focus: list[int]


class NumberingDocument(TypedDict):
    first: int
    step: int


class RowDocument(TypedDict):
    label: str
    seats: int
    curve: list[int]
    numbering: NotRequired[NumberingDocument | list[str]]
    gaps: NotRequired[list[list[int]]]
    price_level: NotRequired[str]
    accessible: NotRequired[list[int | list[int]]]
    companion: NotRequired[list[int | list[int]]]
    aisle: NotRequired[list[int | list[int]]]
    restricted_view: NotRequired[list[int | list[int]]]


class SectionDocument(TypedDict):
    label: str
    outline: list[int]
    price_level: str
    tier: NotRequired[str]
    aisle_ends: NotRequired[str]
    rows: NotRequired[list[RowDocument]]
    capacity: NotRequired[int]


class MapDocument(TypedDict):
    format: str
    name: str
    price_levels: list[str]
    stage: StageDocument
    sections: list[SectionDocument]


def canonical(document: MapDocument | Mapping[str, object]) -> bytes:
    """The one way to write a document: keys sorted, no blanks, UTF-8, NFC.

    Normalizing the whole text equals normalizing each string in it: neither a quotation mark nor a backslash
    combines with anything that may follow it.
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return unicodedata.normalize("NFC", text).encode("utf-8")


def identity(canonical_form: bytes) -> SeatMapSha:
    """The name by which events, caches and addresses know the map."""
    return SeatMapSha(sha256(canonical_form).hexdigest())
