"""What is left of a hall, part by part, as fans are told it: in a word, in how many, and from how much.

Counted in memory from what is at hand, with the same words for the map, the list and a screen reader.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from frontrow.core.catalogue import Event, PriceLevel
from frontrow.core.money import Money
from frontrow.core.seat_maps import Row, SeatFlag, Section
from frontrow.core.seats import SeatState
from frontrow.flows.at_hand import EventAtHand
from frontrow.web.pages.wishes import Wishes
from frontrow.web.seats import levels_with_seats

LAST_FEW_SHARE: Final = 0.1  # of all seats of a section
LAST_FEW_MAX: Final = 20  # a tenth of a terrace is a crowd, and no last few
PLENTY_SHARE: Final = 0.4
PLENTY_MIN: Final = 10  # a box of four is never plenty

SET_ASIDE: Final = SeatFlag.ACCESSIBLE | SeatFlag.COMPANION


class HowMuch(StrEnum):
    """How much is left, in a word. seat-map.js says the same."""

    PLENTY = "plenty"
    SOME = "some"
    LAST_FEW = "last few"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class SectionLeft:
    """A section, or a standing area, and what is left of it for whoever has these wishes."""

    section: Section
    left: int
    price_from: Money

    @property
    def how_much(self) -> HowMuch:
        return how_much(self.left, self.section.seats)


@dataclass(frozen=True, slots=True)
class RowLeft:
    """A row and what is left of it."""

    row: Row
    left: int
    price: Money


@dataclass(frozen=True, slots=True)
class LevelLeft:
    """A price level and what is left of it."""

    level: PriceLevel
    left: int
    seats: int

    @property
    def how_much(self) -> HowMuch:
        return how_much(self.left, self.seats)


@dataclass(frozen=True, slots=True)
class SeatNow:
    """One seat of a row as the list offers it."""

    seat_no: int
    number: str
    state: SeatState
    flags: SeatFlag
    price: PriceLevel


def how_much(left: int, seats: int) -> HowMuch:
    if left == 0:
        return HowMuch.GONE
    if left <= min(LAST_FEW_MAX, seats * LAST_FEW_SHARE):
        return HowMuch.LAST_FEW
    if left >= PLENTY_MIN and left >= seats * PLENTY_SHARE:
        return HowMuch.PLENTY
    return HowMuch.SOME


def sections_left(at_hand: EventAtHand, wishes: Wishes) -> Sequence[SectionLeft]:
    """All sections in the order of the seat map."""
    return [_section_left(at_hand, wishes, section) for section in at_hand.seat_map.sections]


def rows_left(at_hand: EventAtHand, wishes: Wishes, section: Section) -> Sequence[RowLeft]:
    prices = price_levels(at_hand.event)
    return [
        RowLeft(row, _row_left(at_hand, wishes, row, prices), prices[row.price_level].all_in) for row in section.rows
    ]


def levels_left(at_hand: EventAtHand) -> Sequence[LevelLeft]:
    """The price levels of an event, the dearest first. Their seats are counted in as long stretches as there are."""
    left: Counter[str] = Counter()
    seats: Counter[str] = Counter()
    for section in at_hand.seat_map.sections:
        stretches = [section] if _is_of_one_level(section) else section.rows
        for stretch in stretches:
            left[stretch.price_level] += at_hand.seats.available(stretch.first_seat, stretch.seats)
            seats[stretch.price_level] += stretch.seats
    levels = sorted(at_hand.event.price_levels, key=_all_in, reverse=True)
    return [LevelLeft(level, left[level.level], seats[level.level]) for level in levels]


def seats_now(at_hand: EventAtHand, row: Row) -> Sequence[SeatNow]:
    price = price_levels(at_hand.event)[row.price_level]
    states = at_hand.seats.states(row.first_seat, row.seats)
    return [
        SeatNow(seat_no, row.number(index), state, row.flags(index), price)
        for index, (seat_no, state) in enumerate(zip(row.seat_nos, states, strict=True))
    ]


def price_levels(event: Event) -> dict[str, PriceLevel]:
    return {level.level: level for level in event.price_levels}


def _section_left(at_hand: EventAtHand, wishes: Wishes, section: Section) -> SectionLeft:
    prices = price_levels(at_hand.event)
    levels = {row.price_level for row in section.rows} or {section.price_level}
    fitting = [prices[level].all_in for level in levels if wishes.afford(prices[level].all_in)]
    still = [prices[level].all_in for level in levels_with_seats(at_hand, section)]
    price_from = min((price for price in still if wishes.afford(price)), default=min(fitting, default=min(still)))
    if not fitting or (wishes.accessible and section.standing):
        left = 0
    elif len(fitting) == len(levels) and not wishes.accessible:
        left = at_hand.seats.available(section.first_seat, section.seats)
    else:
        left = sum(_row_left(at_hand, wishes, row, prices) for row in section.rows)
    return SectionLeft(section, left, price_from)


def _row_left(at_hand: EventAtHand, wishes: Wishes, row: Row, prices: dict[str, PriceLevel]) -> int:
    if not wishes.afford(prices[row.price_level].all_in):
        return 0
    if not wishes.accessible:
        return at_hand.seats.available(row.first_seat, row.seats)
    marked = (mark for mark in row.marks if mark.flag & SET_ASIDE)
    return sum(at_hand.seats.available(row.first_seat + mark.first, mark.last - mark.first + 1) for mark in marked)


def _is_of_one_level(section: Section) -> bool:
    return all(row.price_level == section.price_level for row in section.rows)


def _all_in(level: PriceLevel) -> Money:
    return level.all_in
