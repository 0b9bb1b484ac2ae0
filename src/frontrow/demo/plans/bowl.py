"""The bowl of an arena or a stadium: tiers of blocks around an oval of eight arcs.

The oval is smooth: an arc at the top and the bottom of the plan, one on each flank, four short ones at the corners,
each tangent to the next. Rows farther out are the same arcs with larger radii, so the distance between rows is the
same everywhere, and the aisles between blocks run straight up, as they are built.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import atan2, hypot, pi, sqrt
from typing import Final

from frontrow.demo.plans.drafting import ROW_CM, Edge, Point, Wedge

AISLE_CM: Final = 120
QUARTER: Final = pi / 2


class Part(Enum):
    """Of the oval: the top and the bottom, the left and the right flank, the corners between them."""

    TOP = auto()
    FLANK = auto()
    CORNER = auto()


@dataclass(frozen=True, slots=True)
class Arc:
    part: Part
    centre: Point
    radius: float
    start: float  # angles grow clockwise on the plan, since y grows downwards
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """Rows that belong together, all around, and how many blocks each arc of the oval is cut into."""

    offset: float  # from the oval to the front row
    rows: int
    cuts: dict[Part, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Oval:
    """Half of its extent in x and y, and the radii of its arcs."""

    half_x: float
    half_y: float
    top_radius: float
    flank_radius: float
    corner_radius: float

    def wedges(self, tier: Tier) -> Iterator[tuple[Arc, Wedge]]:
        """The tier's blocks, clockwise from the left end of the top, each with the arc it is cut from."""
        for arc in self.arcs():
            radii = [arc.radius + tier.offset + row * ROW_CM for row in range(tier.rows)]
            for start, end in _cut(arc, tier.cuts[arc.part]):
                yield arc, _wedge(arc.centre, radii, start, end)

    def arcs(self) -> Iterator[Arc]:
        """The eight arcs, clockwise from the top: each straight one and the corner after it."""
        corner_x, corner_y = self._corner_centre()
        top_y, flank_x = self._top_y(), self._flank_x()
        top_half = atan2(corner_x, corner_y - top_y)
        flank_half = atan2(corner_y, corner_x - flank_x)
        for x, y, middle in ((1, -1, -QUARTER), (-1, 1, QUARTER)):
            yield Arc(Part.TOP, (0, y * top_y), self.top_radius, middle - top_half, middle + top_half)
            yield self._corner((x * corner_x, y * corner_y), middle + top_half, middle + QUARTER - flank_half)
            middle += QUARTER  # noqa: PLW2901 -- the flank that follows clockwise
            yield Arc(Part.FLANK, (x * flank_x, 0), self.flank_radius, middle - flank_half, middle + flank_half)
            yield self._corner((x * corner_x, -y * corner_y), middle + flank_half, middle + QUARTER - top_half)

    def _corner(self, centre: Point, start: float, end: float) -> Arc:
        return Arc(Part.CORNER, centre, self.corner_radius, start, end)

    def _top_y(self) -> float:
        """The centre of the bottom's arc is this far down the y axis; the top's as far up."""
        return self.half_y - self.top_radius

    def _flank_x(self) -> float:
        return self.half_x - self.flank_radius

    def _corner_centre(self) -> Point:
        """The centre of the corner in the first quadrant.

        Its circle touches the top's and the flank's from inside, so its distances from their centres are known: two
        circles meet there.
        """
        from_top, from_flank = self.top_radius - self.corner_radius, self.flank_radius - self.corner_radius
        apart = hypot(self._flank_x(), self._top_y())
        x, y = self._flank_x() / apart, -self._top_y() / apart  # from the one centre towards the other
        along = (from_top**2 - from_flank**2 + apart**2) / (2 * apart)
        across = sqrt(from_top**2 - along**2)
        return along * x + across * y, self._top_y() + along * y - across * x


def _cut(arc: Arc, count: int) -> Iterator[tuple[float, float]]:
    step = (arc.end - arc.start) / count
    for piece in range(count):
        yield arc.start + piece * step, arc.start + (piece + 1) * step


def _wedge(centre: Point, radii: Sequence[float], start: float, end: float) -> Wedge:
    """A block between two radii of the arc, less half an aisle on each side."""
    right = Edge(-AISLE_CM / 2, (end - start) / 2)
    return Wedge(centre=centre, heading=(start + end) / 2, radii=radii, left=right.mirrored(), right=right)
