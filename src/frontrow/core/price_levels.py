"""How many seats of each price level of an event are left: the journal folded.

It is for lists, which show from how much on seats can be had. It may be behind, so nothing is decided by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from frontrow.core.catalogue import EventId
from frontrow.core.live_seats import ClaimsSeen
from frontrow.core.seat_maps import SeatMap
from frontrow.core.seats import SeatState
from frontrow.core.updates import Update

_AVAILABLE: Final = SeatState.AVAILABLE.letter


@dataclass(frozen=True, slots=True)
class LevelsGone:
    """The levels of an event without a seat left, as of an update."""

    event_id: EventId
    update_no: int
    levels: tuple[str, ...]


class SeatLevels:
    """The price level of each seat of a map: a byte each."""

    def __init__(self, seat_map: SeatMap) -> None:
        self.names: Final = seat_map.price_levels
        numbers = {name: bytes([number]) for number, name in enumerate(self.names)}
        self.of_seats: Final = b"".join(
            numbers[part.price_level] * part.seats
            for section in seat_map.sections
            for part in (section.rows or (section,))
        )
        assert len(self.of_seats) == seat_map.seats, "every seat is of one level"


class LevelsLeft:
    """The levels of one event, by the number of seats that nobody has."""

    def __init__(self, levels: SeatLevels, claims: ClaimsSeen) -> None:
        self.update_no = claims.update_no
        self._levels = levels
        self._is_taken = bytearray(len(levels.of_seats))
        self._left = [levels.of_seats.count(number) for number in range(len(levels.names))]
        for seat in claims.seats:
            self._set(seat, taken=True)

    def fold(self, update: Update) -> bool:
        """Take an update in. False: it does not follow what is known here."""
        if update.update_no <= self.update_no:
            return True  # heard before
        if update.update_no != self.update_no + 1:
            return False
        for seat, letter in zip(update.seats, update.states, strict=True):
            self._set(seat, taken=letter != _AVAILABLE)
        self.update_no = update.update_no
        return True

    @property
    def seats(self) -> int:
        return len(self._is_taken)

    @property
    def gone(self) -> Sequence[str]:
        """The levels without a seat left."""
        return [name for name, left in zip(self._levels.names, self._left, strict=True) if not left]

    def _set(self, seat: int, *, taken: bool) -> None:
        if self._is_taken[seat] != taken:
            self._is_taken[seat] = taken
            self._left[self._levels.of_seats[seat]] += -1 if taken else 1
