"""One event's seats as a process knows them: the journal folded, in 17 bytes a seat.

It may be behind, so nothing is decided by it. It shows (snapshots, counts), it proposes (the supply that seats are
chosen from), and it may refuse early what is certain: a seat that somebody else has and keeps.

Times here are seconds since 1970 by PostgreSQL's clock; who asks says what that clock reads at least.
"""

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Final

from frontrow.core.choosing import SeatPlan, Supply, alternatives
from frontrow.core.holds import HoldId
from frontrow.core.seats import SeatNo, SeatState
from frontrow.core.updates import HOLDER_BYTES, NEVER, Update, holder

CODES: Final[Mapping[SeatState, int]] = MappingProxyType(
    {SeatState.AVAILABLE: 0, SeatState.HELD: 1, SeatState.SOLD: 2, SeatState.BLOCKED: 3}
)
STATES: Final = tuple(CODES)  # by their codes
CODES_PER_BYTE: Final = 4  # of a snapshot: 2 bits for each seat
NEARBY_MAX: Final = 1_024  # answers that are remembered; a crowd wants the seats of a few rows

_CODES_OF_LETTERS: Final = bytes.maketrans("".join(state.letter for state in CODES).encode(), bytes(CODES.values()))
_AVAILABLE: Final = CODES[SeatState.AVAILABLE]
_HELD: Final = CODES[SeatState.HELD]


@dataclass(frozen=True, slots=True)
class ClaimsSeen:
    """All claims of an event, seen at one moment: of each its seat, state, holder and end."""

    update_no: int
    at: float  # by PostgreSQL's clock
    seats: Sequence[int]
    states: str
    holders: bytes
    ends: Sequence[float]


class LiveSeats:
    """The seats of one event, by number."""

    def __init__(self, plan: SeatPlan, claims: ClaimsSeen) -> None:
        self.plan = plan
        self.update_no = claims.update_no
        self._codes = bytearray(plan.seats)
        self._ends = array("d", bytes(8 * plan.seats))  # 0: available; inf: sold, blocked, or being paid
        self._holders = array("Q", bytes(HOLDER_BYTES * plan.seats))
        self._supply = Supply(plan)
        self._unsettled: set[int] = set(claims.seats)  # changed since the supply was looked at
        self._nearby: dict[tuple[SeatNo, ...], tuple[tuple[int, ...], ...]] = {}  # since the supply changed
        self._snapshot = (-1, b"")
        codes = claims.states.encode().translate(_CODES_OF_LETTERS)
        for seat, code, whose, end in zip(claims.seats, codes, _numbers(claims.holders), claims.ends, strict=True):
            self._codes[seat] = code
            self._ends[seat] = end
            self._holders[seat] = whose

    def fold(self, update: Update) -> bool:
        """Take an update in. False: it does not follow what is known here, and nothing was changed.

        A batch that changed nothing tells the number of the last update, whosever that was: it is no news of it.
        """
        if update.update_no <= self.update_no:
            return True  # heard before
        if update.update_no != self.update_no + 1 or not update.seats or max(update.seats) >= len(self._codes):
            return False
        codes = update.states.encode().translate(_CODES_OF_LETTERS)
        held_until = _seconds(update)
        ends = (0.0, held_until, inf, inf)
        for seat, code, whose in zip(update.seats, codes, _numbers(update.holders), strict=True):
            self._codes[seat] = code
            self._ends[seat] = ends[code]
            self._holders[seat] = whose
        self._unsettled.update(update.seats)
        self.update_no = update.update_no
        return True

    def any_claimed(self, seats: Iterable[SeatNo]) -> bool:
        """Somebody has one of the seats, or had it: whether that is over needs a clock."""
        ends = self._ends
        return any(ends[seat] for seat in seats)

    def taken(self, seats: Sequence[SeatNo], *, hold_id: HoldId, at: float) -> tuple[SeatNo, ...]:
        """Those of the seats that another hold than this one has, or nobody may have, for certain and beyond `at`."""
        ends, holders = self._ends, self._holders
        found = [seat for seat in seats if ends[seat] > at]
        if not found:
            return ()
        [mine] = _numbers(holder(hold_id))
        return tuple(seat for seat in found if holders[seat] != mine)

    @property
    def supply(self) -> Supply:
        """What seats can be chosen from. It is brought up to date when it is looked at: most holds need none."""
        if self._unsettled:
            free = [seat for seat in self._unsettled if self._codes[seat] == _AVAILABLE]
            self._supply.give_back(free)
            self._supply.take(self._unsettled.difference(free))
            self._unsettled.clear()
            self._nearby.clear()
        return self._supply

    def nearby(self, seats: tuple[SeatNo, ...]) -> tuple[tuple[int, ...], ...]:
        """Free groups near these seats. Where hundreds want the same ones, it is looked for once."""
        supply = self.supply
        found = self._nearby.get(seats)
        if found is None:
            if len(self._nearby) >= NEARBY_MAX:
                self._nearby.clear()
            found = self._nearby[seats] = alternatives(supply, seats)
        return found

    def pencil_in(self, seats: Iterable[SeatNo]) -> None:
        """Keep seats from being chosen while the ledger is asked for them."""
        self.supply.take(seats)
        self._nearby.clear()

    def rub_out(self, seats: Iterable[SeatNo]) -> None:
        """The ledger has answered: what it decided counts."""
        self._unsettled.update(seats)

    @property
    def is_sold_out(self) -> bool:
        """No seat is free, and none is held that might become free."""
        return _AVAILABLE not in self._codes and _HELD not in self._codes

    def available(self, first_seat: int, seats: int) -> int:
        """How many of so many seats from the first one on are available."""
        return self._codes.count(_AVAILABLE, first_seat, first_seat + seats)

    def states(self, first_seat: int, seats: int) -> Iterator[SeatState]:
        """What each of so many seats is, from the first one on."""
        return map(STATES.__getitem__, self._codes[first_seat : first_seat + seats])

    def snapshot(self) -> bytes:
        """All seats in 2 bits each, lowest bits first."""
        if self._snapshot[0] != self.update_no:
            self._snapshot = self.update_no, packed(self._codes)
        return self._snapshot[1]


def packed(codes: bytes | bytearray) -> bytes:
    """Four codes in a byte, the first in the lowest bits."""
    size = -(-len(codes) // CODES_PER_BYTE)
    whole = bytes(codes).ljust(size * CODES_PER_BYTE, b"\0")
    lanes = (int.from_bytes(whole[place::CODES_PER_BYTE], "little") << 2 * place for place in range(CODES_PER_BYTE))
    return sum(lanes).to_bytes(size, "little")


def _numbers(holders: bytes) -> "array[int]":
    numbers = array("Q", holders)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def _seconds(update: Update) -> float:
    if update.expires_at is None or update.expires_at == NEVER:
        return inf
    return update.expires_at.timestamp()
