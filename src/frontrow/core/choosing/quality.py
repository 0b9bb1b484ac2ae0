"""How good a seat is, by where it is: near to what everybody looks at, and in front of it rather than beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from frontrow.core.seat_maps import Point

SIDEWAYS: Final = 0.5  # before a stage, a metre to the side is as bad as this much farther away, on top
RESTRICTED_VIEW: Final = 1.0  # behind a pillar is as bad as so many times farther away, on top


@dataclass(frozen=True, slots=True)
class Quality:
    """How seats are judged in one hall."""

    focus: Point
    axis: Point  # from the focus to the crowd: 1 long when it is all on one side, 0 when it sits all around

    @staticmethod
    def before(focus: Point, seats: Sequence[Point]) -> "Quality":
        across = sum(x - focus[0] for x, _ in seats)
        along = sum(y - focus[1] for _, y in seats)
        apart = sum(hypot(x - focus[0], y - focus[1]) for x, y in seats) or 1.0
        return Quality(focus, (across / apart, along / apart))

    def cost(self, point: Point, restricted_share: float = 0.0) -> float:
        """The lower, the better: centimetres from the focus, and what else is as bad as so many."""
        x, y = point[0] - self.focus[0], point[1] - self.focus[1]
        sideways = abs(x * self.axis[1] - y * self.axis[0])
        return (hypot(x, y) + SIDEWAYS * sideways) * (1 + RESTRICTED_VIEW * restricted_share)
