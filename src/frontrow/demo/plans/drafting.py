"""The drawing board of the demo's plans: wedges of curved rows and benches of straight ones, in centimetres.

Everything is plain geometry, rounded to whole centimetres once, where a row or an outline is written; so the same
call gives the same bytes. Which blocks a venue has is decided in the file of that venue.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import cycle
from math import acos, ceil, cos, hypot, pi, sin
from typing import Final

from frontrow.core.seat_maps import (
    FORMAT,
    MapDocument,
    MapRefused,
    RowDocument,
    SeatMap,
    SectionDocument,
    StageDocument,
    canonical,
    read,
)

Point = tuple[float, float]

SEAT_CM: Final = 50  # from seat to seat in a stadium
ROW_CM: Final = 80  # from row to row
WHEELCHAIR_CM: Final = 90  # a wheelchair space, or the companion's beside it
ROW_MARGIN_CM: Final = 42  # from the middle of the outermost row to the outline
SIDE_MARGIN_CM: Final = 10  # from the edge of the outermost seat to the outline
ARC_TOLERANCE_CM: Final = 12  # how far an outline's chord may leave its arc
DOWN: Final = pi / 2  # away from a stage at the top of the plan

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # no I and no O: they look like numbers


class Align(Enum):
    """Where a row that does not fill its width stands."""

    LEFT = 0.0
    CENTRE = 0.5
    RIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Edge:
    """One side of a wedge: how far from the wedge's middle line, along the row, at each radius."""

    offset: float
    slope: float

    def at(self, radius: float) -> float:
        return self.offset + self.slope * radius

    def moved(self, by: float) -> "Edge":
        return Edge(self.offset + by, self.slope)

    def mirrored(self) -> "Edge":
        return Edge(-self.offset, -self.slope)

    @staticmethod
    def through(first: tuple[float, float], second: tuple[float, float]) -> "Edge":
        """The side that has the given distances at two radii: (radius, distance), (radius, distance)."""
        slope = (second[1] - first[1]) / (second[0] - first[0])
        return Edge(first[1] - slope * first[0], slope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wedge:
    """Rows on circles about one centre, between two sides. Left and right are those of who sits there."""

    centre: Point
    heading: float  # from the centre to the middle of the rows
    radii: Sequence[float]  # of the rows, the front one first
    left: Edge
    right: Edge

    def point(self, radius: float, along: float) -> Point:
        angle = self.heading - along / radius
        return self.centre[0] + radius * cos(angle), self.centre[1] + radius * sin(angle)

    def middle(self) -> Point:
        radius = (self.radii[0] + self.radii[-1]) / 2
        return self.point(radius, (self.left.at(radius) + self.right.at(radius)) / 2)

    def width(self, radius: float) -> float:
        return self.right.at(radius) - self.left.at(radius)

    def outline(self) -> list[int]:
        left, right = self.left.moved(-SIDE_MARGIN_CM), self.right.moved(SIDE_MARGIN_CM)
        front, back = self.radii[0] - ROW_MARGIN_CM, self.radii[-1] + ROW_MARGIN_CM
        corner_points = [
            *self._arc(front, left.at(front), right.at(front)),
            *self._side(right, front, back),
            *self._arc(back, right.at(back), left.at(back)),
            *self._side(left, back, front),
        ]
        return whole(corner_points)

    def _arc(self, radius: float, start: float, end: float) -> list[Point]:
        chord = 2 * acos(1 - ARC_TOLERANCE_CM / radius) * radius
        count = max(1, ceil(abs(end - start) / chord))
        return [self.point(radius, start + (end - start) * step / count) for step in range(count + 1)]

    def _side(self, side: Edge, start: float, end: float) -> list[Point]:
        """Points between the ends of a side, if it bends."""
        middle = (start + end) / 2
        here, a, b = (self.point(radius, side.at(radius)) for radius in (middle, start, end))
        bend = hypot(here[0] - (a[0] + b[0]) / 2, here[1] - (a[1] + b[1]) / 2)
        if bend < SIDE_MARGIN_CM / 2:
            return []
        quarters = [start + (end - start) * step / 4 for step in (1, 2, 3)]
        return [self.point(radius, side.at(radius)) for radius in quarters]


@dataclass(slots=True, kw_only=True)
class Block:
    """A section made of a wedge: as many seats in each row as fit."""

    label: str
    tier: str
    price_level: str
    wedge: Wedge
    row_labels: Sequence[str]
    seat_cm: float = SEAT_CM
    align: Align = Align.CENTRE
    aisle_ends: str = "both"
    wheelchair_row: int | None = None  # this row is a platform: a wheelchair space, a companion's seat, and so on
    back_rows: tuple[int, str] | None = None  # from this row on, another price level
    counts: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.counts = [int(self.wedge.width(radius) / self.pitch(row)) for row, radius in enumerate(self.wedge.radii)]
        if self.wheelchair_row is not None:
            self.counts[self.wheelchair_row] -= self.counts[self.wheelchair_row] % 2

    def pitch(self, row: int) -> float:
        return WHEELCHAIR_CM if row == self.wheelchair_row else self.seat_cm

    def alongs(self, row: int) -> list[float]:
        """Where each seat of a row is on its circle."""
        pitch, seats = self.pitch(row), self.counts[row]
        radius = self.wedge.radii[row]
        start = self.wedge.left.at(radius) + (self.wedge.width(radius) - seats * pitch) * self.align.value + pitch / 2
        return [start + seat * pitch for seat in range(seats)]

    def points(self, row: int) -> list[Point]:
        return [self.wedge.point(self.wedge.radii[row], along) for along in self.alongs(row)]

    def row(self, row: int) -> RowDocument:
        alongs = self.alongs(row)
        document = RowDocument(
            label=self.row_labels[row],
            seats=self.counts[row],
            curve=arc_curve(self.wedge, self.wedge.radii[row], alongs[0], alongs[-1]),
        )
        if row == self.wheelchair_row:
            document["accessible"] = list(range(0, self.counts[row], 2))
            document["companion"] = list(range(1, self.counts[row], 2))
        if self.back_rows and row >= self.back_rows[0]:
            document["price_level"] = self.back_rows[1]
        return document

    def section(self) -> SectionDocument:
        document = SectionDocument(
            label=self.label,
            tier=self.tier,
            outline=self.wedge.outline(),
            price_level=self.price_level,
            rows=[self.row(row) for row in range(len(self.counts))],
        )
        if self.aisle_ends != "none":
            document["aisle_ends"] = self.aisle_ends
        return document


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A section of straight rows of equal length, facing a point."""

    label: str
    tier: str
    price_level: str
    front: Point  # the middle of the front row
    facing: float  # the direction its people look in
    row_labels: Sequence[str]
    seats: int
    seat_cm: float = SEAT_CM
    row_cm: float = ROW_CM
    aisle_ends: str = "both"

    def point(self, back: float, along: float) -> Point:
        ahead = cos(self.facing), sin(self.facing)
        return (
            self.front[0] - back * ahead[0] - along * ahead[1],
            self.front[1] - back * ahead[1] + along * ahead[0],
        )

    def row(self, row: int) -> RowDocument:
        reach, back = (self.seats - 1) * self.seat_cm / 2, row * self.row_cm
        ends = [self.point(back, -reach), self.point(back, reach)]
        return RowDocument(label=self.row_labels[row], seats=self.seats, curve=whole(ends))

    def section(self) -> SectionDocument:
        reach = self.seats * self.seat_cm / 2 + SIDE_MARGIN_CM
        front, back = -ROW_MARGIN_CM, (len(self.row_labels) - 1) * self.row_cm + ROW_MARGIN_CM
        corner_points = [self.point(front, -reach), self.point(front, reach)]
        corner_points += [self.point(back, reach), self.point(back, -reach)]
        document = SectionDocument(
            label=self.label,
            tier=self.tier,
            outline=whole(corner_points),
            price_level=self.price_level,
            rows=[self.row(row) for row in range(len(self.row_labels))],
        )
        if self.aisle_ends != "none":
            document["aisle_ends"] = self.aisle_ends
        return document


def arc_curve(wedge: Wedge, radius: float, first: float, last: float) -> list[int]:
    """The curve of a row on a circle: its first seat, its middle, its last seat; straight where an arc would be."""
    if first == last:
        return whole([wedge.point(radius, first)])
    first_point, middle, last_point = (wedge.point(radius, along) for along in (first, (first + last) / 2, last))
    sagitta = hypot(middle[0] - (first_point[0] + last_point[0]) / 2, middle[1] - (first_point[1] + last_point[1]) / 2)
    return whole([first_point, last_point] if sagitta < 1 else [first_point, middle, last_point])


def whole(points: Iterable[Point]) -> list[int]:
    """The points in whole centimetres, flat: x, y, x, y and so on."""
    return [round(part) for point in points for part in point]


def symmetric(right: Sequence[Point]) -> list[int]:
    """An outline that is the same on both sides of the y axis, of its right half."""
    return whole([*right, *((-x, y) for x, y in reversed(right))])


def letters(count: int) -> list[str]:
    """Row labels A to Z without I and O, then AA, BB and so on."""
    return [LETTERS[row % len(LETTERS)] * (1 + row // len(LETTERS)) for row in range(count)]


def numbers(count: int) -> list[str]:
    return [str(row + 1) for row in range(count)]


def ranges(indexes: Sequence[int]) -> list[int | list[int]]:
    """Ascending indexes as the format lists them: single ones, and pairs for runs."""
    runs: list[list[int]] = []
    for index in indexes:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return [first if first == last else [first, last] for first, last in runs]


def seats_in(blocks: Iterable[Block]) -> int:
    return sum(sum(block.counts) for block in blocks)


def trim(blocks: Sequence[Block], surplus: int) -> None:
    """Take so many seats away, one by one, from the back rows first and from every block in turn."""
    assert surplus >= 0, f"{-surplus} seats short"
    rows = _back_rows_in_turn(blocks)
    for _ in range(surplus):
        block, row = next(rows)
        block.counts[row] -= 1


def _back_rows_in_turn(blocks: Sequence[Block]) -> Iterator[tuple[Block, int]]:
    for back in cycle(range(1, min(len(block.counts) for block in blocks) + 1)):
        for block in blocks:
            row = len(block.counts) - back
            if row != block.wheelchair_row:
                yield block, row


def finish(name: str, *, price_levels: list[str], stage: StageDocument, sections: list[SectionDocument]) -> SeatMap:
    """The map of a plan. A plan that is not a valid map is a fault of this program."""
    document = MapDocument(format=FORMAT, name=name, price_levels=price_levels, stage=stage, sections=sections)
    seat_map = read(canonical(document))
    assert not isinstance(seat_map, MapRefused), "; ".join(str(flaw) for flaw in seat_map.flaws)
    return seat_map


def mark_restricted_view(row: RowDocument, points: Sequence[Point], is_restricted: Callable[[Point], bool]) -> None:
    restricted = [index for index, point in enumerate(points) if is_restricted(point)]
    if restricted:
        row["restricted_view"] = ranges(restricted)
