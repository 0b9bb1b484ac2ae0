"""A small seat map document to change, and the ways to change it."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from frontrow.core.seat_maps import MapRefused, read

# Section 112 has two rows and a gap in the first, the second is a platform; on the floor 50 people stand.
DOCUMENT: Final[dict[str, Any]] = {
    "format": "frontrow-seat-map/1",
    "name": "Small hall",
    "price_levels": ["P1", "P2"],
    "stage": {"name": "Stage", "outline": [-300, -200, 300, -200, 300, 0, -300, 0], "focus": [0, -50]},
    "sections": [
        {
            "label": "112",
            "tier": "Lower tier",
            "outline": [-300, 100, 300, 100, 300, 400, -300, 400],
            "price_level": "P1",
            "aisle_ends": "both",
            "rows": [
                {
                    "label": "AA",
                    "seats": 6,
                    "curve": [-200, 200, 0, 220, 200, 200],
                    "numbering": {"first": 11, "step": -2},
                    "gaps": [[2, 1]],
                    "aisle": [[1, 2]],
                    "restricted_view": [0, [4, 5]],
                },
                {
                    "label": "BB",
                    "seats": 2,
                    "curve": [-50, 300, 50, 300],
                    "numbering": ["1a", "1b"],
                    "price_level": "P2",
                    "accessible": [0],
                    "companion": [1],
                },
            ],
        },
        {"label": "Floor", "outline": [-300, 500, 300, 500, 300, 900, -300, 900], "price_level": "P2", "capacity": 50},
    ],
}

GONE: Final = object()  # as a value: the field is not there

Path = Sequence[str | int]


def changed(*changes: tuple[Path, object]) -> bytes:
    """The document after some changes: where, and the new value."""
    document = deepcopy(DOCUMENT)
    for path, value in changes:
        *way, last = path
        place: Any = document
        for step in way:
            place = place[step]
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return json.dumps(document).encode()


def flaws(document: bytes) -> list[str]:
    """What `read` says is wrong, in a person's words; nothing when it is a map."""
    answer = read(document)
    return [str(flaw) for flaw in answer.flaws] if isinstance(answer, MapRefused) else []


def paths(document: bytes) -> list[str]:
    """Where, in a program's words."""
    answer = read(document)
    return [flaw.path for flaw in answer.flaws] if isinstance(answer, MapRefused) else []
