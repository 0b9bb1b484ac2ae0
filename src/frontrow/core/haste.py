"""Who polls more often than they were told to, in a memory of fixed size, however many wait.

A sketch (count-min, with conservative update): each fan has a counter in each of a few rows, shared with others; the
smallest of theirs is what they have done, or a little more. So nobody who polls too often is missed, and however many
fans one process answers, hardly ever is somebody taken for one who does not. Counting begins anew every few seconds.
"""

from array import array
from collections.abc import Hashable
from math import ceil
from typing import Final

WINDOW_SECONDS: Final = 10.0
ROWS: Final = 4
COLUMNS_BITS: Final = 16  # half a megabyte in all; at 15,000 polls a second a counter has 2 of others
COUNT_MAX: Final = 65_535
MORE: Final = 5  # reloading, a second tab, a device that wakes up
GENEROSITY: Final = 1.5  # clocks and networks differ

_MASK: Final = (1 << COLUMNS_BITS) - 1


class Haste:
    """Counts polls. Which counters are whose differs from process to process: nobody can aim at another's."""

    def __init__(self) -> None:
        self._began = 0.0
        self._rows = _rows()

    def polled(self, who: Hashable, *, now: float) -> int:
        """How often they have polled in this window, this time included."""
        if not 0 <= now - self._began < WINDOW_SECONDS:
            self._began, self._rows = now, _rows()
        number = hash((who, 0x9E3779B97F4A7C15))  # of bytes and text, Python's hash is keyed and drawn anew each start
        places = [(row, number >> shift & _MASK) for row, shift in zip(self._rows, _SHIFTS, strict=True)]
        polls = min(min(row[place] for row, place in places) + 1, COUNT_MAX)
        for row, place in places:
            row[place] = max(row[place], polls)
        return polls


def polls_max(poll_seconds: float) -> int:
    """How often somebody may poll in a window who was told to wait so long in between."""
    return ceil(GENEROSITY * WINDOW_SECONDS / max(poll_seconds, 1.0)) + MORE


def _rows() -> "list[array[int]]":
    return [array("H", bytes(2 << COLUMNS_BITS)) for _ in range(ROWS)]


_SHIFTS: Final = tuple(COLUMNS_BITS * row for row in range(ROWS))
