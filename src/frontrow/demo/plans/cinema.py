"""A cinema of 200 seats: curved rows before a wide screen, two aisles down the hall, the best rows towards the back."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from frontrow.core.seat_maps import RowDocument, SeatMap, SectionDocument, StageDocument
from frontrow.demo.plans.drafting import (
    DOWN,
    WHEELCHAIR_CM,
    Edge,
    Point,
    Wedge,
    arc_curve,
    finish,
    letters,
    mark_restricted_view,
    symmetric,
)

SEAT_CM: Final = 60  # wide seats: people stay for two hours, with a drink
ROW_CM: Final = 115
CENTRE: Final = (0, -3_200)  # of the circles the rows lie on: a shallow curve
FRONT_RADIUS: Final = 3_650
MIDDLE_SEATS: Final = 10  # of every row, between the aisles
AISLE_SEATS: Final = 2  # the width of an aisle
SCREEN_HALF_CM: Final = 620
SIDEWAYS: Final = 1.0  # farther to the side than ahead, one sees the film at a slant
PREMIUM, STANDARD, FRONT = PRICE_LEVELS = ("P1", "P2", "P3")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one kind: how many, the seats beyond each aisle, the price level."""

    count: int
    side_seats: int
    price_level: str


ROWS: Final = (Rows(1, 0, FRONT), Rows(1, 3, FRONT), Rows(2, 3, STANDARD), Rows(3, 4, STANDARD), Rows(4, 5, PREMIUM))
PLATFORM_SEATS: Final = 8  # behind the last row, level with the doors: a wheelchair space, a companion's seat, …


def cinema(name: str = "Lumen screen") -> SeatMap:
    """The map. The same name gives the same bytes."""
    rows = list(_rows())
    hall = _wedge(len(rows))
    screen = StageDocument(
        name="Screen",
        outline=symmetric([(SCREEN_HALF_CM, 0), (SCREEN_HALF_CM - 30, 45)]),
        focus=[0, 20],
    )
    section = SectionDocument(label="Hall", outline=hall.outline(), price_level=STANDARD, rows=rows)
    return finish(name, price_levels=list(PRICE_LEVELS), stage=screen, sections=[section])


def _wedge(rows: int) -> Wedge:
    """As wide as the widest row; the sides are parallel, as the walls are."""
    seats = 2 * (ROWS[-1].side_seats + AISLE_SEATS) + MIDDLE_SEATS
    right = Edge(seats * SEAT_CM / 2, 0)
    radii = [FRONT_RADIUS + row * ROW_CM for row in range(rows)]
    return Wedge(centre=CENTRE, heading=DOWN, radii=radii, left=right.mirrored(), right=right)


def _rows() -> Iterator[RowDocument]:
    kinds = [rows for rows in ROWS for _ in range(rows.count)]
    wedge = _wedge(len(kinds) + 1)
    for label, radius, rows in zip(letters(len(kinds)), wedge.radii, kinds, strict=False):
        yield _row(wedge, radius, label, rows)
    yield _platform(wedge, letters(len(kinds) + 1)[-1])


def _row(wedge: Wedge, radius: float, label: str, rows: Rows) -> RowDocument:
    side, gaps = rows.side_seats, AISLE_SEATS if rows.side_seats else 0
    seats = MIDDLE_SEATS + 2 * side
    reach = (seats - 1 + 2 * gaps) * SEAT_CM / 2
    row = RowDocument(label=label, seats=seats, curve=arc_curve(wedge, radius, -reach, reach))
    row["price_level"] = rows.price_level
    if side:
        row["gaps"] = [[side, gaps], [seats - side, gaps]]
        row["aisle"] = [[side - 1, side], [seats - side - 1, seats - side]]
    else:
        row["aisle"] = [0, seats - 1]
    slots = [*range(side), *range(side + gaps, side + gaps + MIDDLE_SEATS)]
    slots += range(side + 2 * gaps + MIDDLE_SEATS, seats + 2 * gaps)
    mark_restricted_view(row, [wedge.point(radius, slot * SEAT_CM - reach) for slot in slots], _is_at_a_slant)
    return row


def _is_at_a_slant(point: Point) -> bool:
    return abs(point[0]) > SIDEWAYS * point[1]


def _platform(wedge: Wedge, label: str) -> RowDocument:
    reach = (PLATFORM_SEATS - 1) * WHEELCHAIR_CM / 2
    row = RowDocument(label=label, seats=PLATFORM_SEATS, curve=arc_curve(wedge, wedge.radii[-1], -reach, reach))
    row["accessible"] = list(range(0, PLATFORM_SEATS, 2))
    row["companion"] = list(range(1, PLATFORM_SEATS, 2))
    row["aisle"] = [0, PLATFORM_SEATS - 1]
    return row
