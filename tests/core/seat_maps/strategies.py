"""Seat map documents of every shape, for properties that hold for all of them."""

from typing import Any, Final

from hypothesis import strategies as st

from frontrow.core.seat_maps import FORMAT, MapDocument

LEVELS: Final = ("P1", "P2", "P3")
SQUARE: Final = [0, 0, 1000, 0, 1000, 1000, 0, 1000]
NUMBERED_MAX: Final = 40
SPACING_CM: Final = 50
FLAGS: Final = ("accessible", "companion", "aisle", "restricted_view")

_labels = st.text(st.sampled_from("ABCäéÅ中 12-\u2019"), min_size=1, max_size=12).filter(
    lambda label: label == label.strip()
)


@st.composite
def _gaps(draw: st.DrawFn, seats: int) -> list[list[int]]:
    before = draw(st.sets(st.integers(1, seats - 1), max_size=3)) if seats > 1 else set[int]()
    return [[place, draw(st.integers(1, 4))] for place in sorted(before)]


@st.composite
def _indexes(draw: st.DrawFn, seats: int) -> list[int | list[int]]:
    """Some indexes, each alone or as a pair of its own."""
    chosen = sorted(draw(st.sets(st.integers(0, seats - 1), min_size=1, max_size=5)))
    return [index if draw(st.booleans()) else [index, index] for index in chosen]


@st.composite
def _rows(draw: st.DrawFn, label: str) -> dict[str, Any]:
    seats = draw(st.integers(1, NUMBERED_MAX))
    row: dict[str, Any] = {"label": label, "seats": seats}
    gaps = draw(_gaps(seats))
    if gaps:
        row["gaps"] = gaps
    length = (seats - 1 + sum(width for _, width in gaps)) * SPACING_CM
    if seats == 1:
        row["curve"] = [0, 0]
    elif draw(st.booleans()):
        row["curve"] = [0, 0, length, 0]
    else:
        row["curve"] = [0, 0, length // 2, draw(st.integers(-40, 40)), length, 0]
    match draw(st.sampled_from(("none", "counting", "list"))):
        case "counting":
            first, step = draw(st.integers(1000, 2000)), draw(st.sampled_from((-2, -1, 1, 2)))
            row["numbering"] = {"first": first, "step": step}
        case "list":
            row["numbering"] = [f"{number}x" for number in range(seats)]
        case _:
            pass
    if draw(st.booleans()):
        row["price_level"] = draw(st.sampled_from(LEVELS))
    flag = draw(st.sampled_from((None, *FLAGS)))
    if flag:
        row[flag] = draw(_indexes(seats))
    return row


@st.composite
def _sections(draw: st.DrawFn, label: str) -> dict[str, Any]:
    section: dict[str, Any] = {"label": label, "outline": SQUARE, "price_level": draw(st.sampled_from(LEVELS))}
    if draw(st.booleans()):
        section["tier"] = draw(_labels)
    if draw(st.integers(0, 3)) == 0:
        section["capacity"] = draw(st.integers(1, 500))
        return section
    if draw(st.booleans()):
        section["aisle_ends"] = draw(st.sampled_from(("none", "first", "last", "both")))
    labels = draw(st.lists(_labels, min_size=1, max_size=5, unique=True))
    section["rows"] = [draw(_rows(row_label)) for row_label in labels]
    return section


@st.composite
def documents(draw: st.DrawFn) -> MapDocument:
    labels = draw(st.lists(_labels, min_size=1, max_size=5, unique=True))
    sections = [draw(_sections(label)) for label in labels]
    used = {row.get("price_level", section["price_level"]) for section in sections for row in section.get("rows", [{}])}
    return {
        "format": FORMAT,
        "name": draw(_labels),
        "price_levels": [level for level in LEVELS if level in used],
        "stage": {"name": "Stage", "outline": SQUARE, "focus": [0, 0]},
        "sections": [_only_levels(section, used) for section in sections],
    }


def _only_levels(section: dict[str, Any], used: set[str]) -> Any:  # noqa: ANN401 -- a section, once it names a level in use
    """A section whose rows all have levels of their own still names one, and it must be one of the map's."""
    return section if section["price_level"] in used else section | {"price_level": min(used)}
