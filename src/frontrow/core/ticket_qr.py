"""A ticket's code as a QR code: dark squares on light ground, as SVG and as the path that pages draw it with."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

import segno

QUIET_SQUARES: Final = 4  # of light around it, says ISO 18004: scanners find the corners by it
LEVEL: Final = "M"  # 15 % may be scratched; more would be smaller squares, which telephones read worse than scratches
QRS_REMEMBERED_MAX: Final = (
    512  # 8 kB each; one takes some milliseconds to make, and a page is looked at more than once
)
MEDIA_TYPE: Final = "image/svg+xml"


@dataclass(frozen=True, slots=True)
class Qr:
    """A square of so many squares, the quiet ones around it included, and the outlines of its dark ones."""

    size: int
    path: str

    @property
    def svg(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.size} {self.size}" width="{self.size * 8}" '
            f'height="{self.size * 8}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{self.size}v{self.size}'
            f'H0z"/><path d="{self.path}"/></svg>'
        )


@lru_cache(maxsize=QRS_REMEMBERED_MAX)
def qr(code: str) -> Qr:
    """The QR code of a ticket's code."""
    made = segno.make_qr(code, error=LEVEL, mode="alphanumeric", boost_error=False)
    path = "".join(_runs(row, y) for y, row in enumerate(made.matrix, start=QUIET_SQUARES))
    return Qr(len(made.matrix) + 2 * QUIET_SQUARES, path)


def _runs(row: bytearray, y: int) -> str:
    """The dark squares of a row, side by side as one."""
    runs, x = "", QUIET_SQUARES
    for is_dark, squares in groupby(row):
        width = len(list(squares))
        runs += f"M{x} {y}h{width}v1h-{width}z" if is_dark else ""
        x += width
    return runs
