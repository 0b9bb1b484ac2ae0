"""The seats of an event over HTTP, for everybody: how many are left where, each of a section, and all as a bitmap.

All of it comes from memory, kept current by the journal, and is the same for everybody: caches may keep it a second.
Each answer says how old it may be (`Frontrow-Age`, in seconds). When a process is asked too much, counts are all there
is (core/map_levels.py).
"""

import asyncio
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qs
from zlib import crc32

import msgspec
from starlette.types import Receive, Scope, Send

from frontrow.core.catalogue import Event, PriceLevel
from frontrow.core.faults import UnavailableError
from frontrow.core.map_levels import Level, poll_seconds
from frontrow.core.seat_maps import SeatMap, Section
from frontrow.core.seats import SeatNo, SeatState
from frontrow.flows.at_hand import EVENTS_MAX, EventAtHand, EventsAtHand
from frontrow.flows.map_levels import MapLevels
from frontrow.web import reading
from frontrow.web.answers import JSON, Header, MoneyOut, encoded, money_out, send_problem
from frontrow.web.bodies import Bodies, Body
from frontrow.web.problems import Problem, of_fault, problem

# A cache asks once a second, whatever the crowd, and answers from what it has while it asks.
FOR_A_SECOND: Final[Header] = (b"cache-control", b"public, max-age=1, s-maxage=1, stale-while-revalidate=2")
_BYTES: Final[Header] = (b"content-type", b"application/octet-stream")


class SectionOut(msgspec.Struct, frozen=True):
    """What is left of a section, and from how much."""

    section: str
    available: int
    price_from: MoneyOut


class AvailabilityOut(msgspec.Struct, frozen=True):
    """All sections, as they were after this update."""

    update_no: int
    sections: list[SectionOut]
    live: Level  # how to hear of changes
    poll_seconds: int  # how long whoever polls waits in between


class SeatOut(msgspec.Struct, frozen=True):
    """One seat. In a standing area there is neither row nor number."""

    seat: int
    section: str
    row: str | None
    number: str | None
    price: MoneyOut  # all-in
    state: SeatState | msgspec.UnsetType = msgspec.UNSET


class SeatsOut(msgspec.Struct, frozen=True):
    """The seats of a section, as they were after this update."""

    update_no: int
    seats: list[SeatOut]


class Seats:
    """Answers from what is at hand."""

    def __init__(self, events: EventsAtHand, levels: MapLevels) -> None:
        self._events = events
        self._levels = levels
        self._bodies = Bodies()

    async def availability(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/events/{event}/availability`."""
        at_hand = await self._at_hand(scope)
        self._levels.polled()
        if isinstance(at_hand, Problem):
            await send_problem(send, at_hand)
            return
        level = self._levels.level
        version = b"%s-%s" % (_version(at_hand), level.encode())

        def make() -> Body:
            left = AvailabilityOut(at_hand.seats.update_no, _left(at_hand), level, poll_seconds(level))
            return Body(encoded(left), version=version, headers=(JSON, FOR_A_SECOND))

        await self._bodies.body(at_hand, "availability", version, make).send(scope, send, _age(at_hand))

    async def of_section(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/events/{event}/seats?section=`."""
        at_hand = await self._at_hand(scope)
        if isinstance(at_hand, Problem):
            await send_problem(send, at_hand)
            return
        label = parse_qs(scope["query_string"].decode("latin-1")).get("section", [""])[0]
        section = at_hand.seat_map.section(label)
        if section is None:
            await send_problem(send, reading.invalid("query.section", "names a section of this event's seat map"))
            return
        version = _version(at_hand)

        def make() -> Body:
            seats = SeatsOut(at_hand.seats.update_no, _seats(at_hand, section))
            return Body(encoded(seats), version=version, headers=(JSON, FOR_A_SECOND))

        name = f"section {section.section_no}"
        await self._bodies.body(at_hand, name, version, make).send(scope, send, _age(at_hand))

    async def snapshot(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """`GET /api/v1/events/{event}/seats.bin`: 2 bits a seat, lowest bits first."""
        at_hand = await self._at_hand(scope)
        self._levels.polled()
        if isinstance(at_hand, Problem):
            await send_problem(send, at_hand)
            return
        if self._levels.level is Level.COUNTS:
            await send_problem(send, _counts_only(at_hand))
            return
        update_no = at_hand.seats.update_no

        def make() -> Body:
            headers = (_BYTES, FOR_A_SECOND, (b"frontrow-update-no", b"%d" % update_no))
            return Body(at_hand.seats.snapshot(), version=_version(at_hand), headers=headers)

        await self._bodies.body(at_hand, "snapshot", update_no, make).send(scope, send, _age(at_hand))

    async def _at_hand(self, scope: Scope) -> EventAtHand | Problem:
        event_id = reading.event_id(scope)
        try:
            at_hand = None if event_id is None else await self._events.get(event_id)
        except UnavailableError as error:
            return of_fault(error)
        return problem("not-found") if at_hand is None else at_hand


def seat_out(at_hand: EventAtHand, seat: SeatNo) -> SeatOut:
    """One seat, wherever it is, in words and with its price."""
    level = at_hand.seat_map.part(seat).price_level
    return seat_in_words(at_hand.seat_map, seat, money_out(at_hand.event.all_in[level]))


def seat_in_words(seat_map: SeatMap, seat: SeatNo, price: MoneyOut) -> SeatOut:
    """The same, at a price that was agreed before."""
    part = seat_map.part(seat)
    if isinstance(part, Section):
        return SeatOut(seat, part.label, None, None, price)
    section = seat_map.sections[part.section_no]
    return SeatOut(seat, section.label, part.label, part.number(seat - part.first_seat), price)


def _prices(event: Event) -> Mapping[str, MoneyOut]:
    """What a seat of each level costs, all-in."""
    return {level: money_out(price) for level, price in event.all_in.items()}


def _left(at_hand: EventAtHand) -> list[SectionOut]:
    prices, available = _prices(at_hand.event), at_hand.seats.available
    return [
        SectionOut(section.label, available(section.first_seat, section.seats), _cheapest(at_hand, section, prices))
        for section in at_hand.seat_map.sections
    ]


def _cheapest(at_hand: EventAtHand, section: Section, prices: Mapping[str, MoneyOut]) -> MoneyOut:
    """Of what is left; where nothing is, of all there was."""
    levels = levels_with_seats(at_hand, section)
    return min((prices[level] for level in levels), key=lambda price: price.amount)


def levels_with_seats(at_hand: EventAtHand, section: Section) -> AbstractSet[str]:
    """The price levels of which a section has a seat left; all that it has, where it has none."""
    levels = {row.price_level for row in section.rows} or {section.price_level}
    if len(levels) == 1:
        return levels
    available = at_hand.seats.available
    left = {row.price_level for row in section.rows if available(row.first_seat, row.seats)}
    return left or levels


def _seats(at_hand: EventAtHand, section: Section) -> list[SeatOut]:
    prices, label = _prices(at_hand.event), section.label
    states = at_hand.seats.states(section.first_seat, section.seats)
    if section.standing:
        price = prices[section.price_level]
        return [SeatOut(seat, label, None, None, price, next(states)) for seat in section.seat_nos]
    return [
        SeatOut(seat, label, row.label, row.number(index), prices[row.price_level], next(states))
        for row in section.rows
        for index, seat in enumerate(row.seat_nos)
    ]


def _counts_only(at_hand: EventAtHand) -> Problem:
    seconds = poll_seconds(Level.COUNTS)
    return problem(
        "counts-only",
        headers={"retry-after": str(seconds)},
        poll_seconds=seconds,
        counts=f"/api/v1/events/{at_hand.event.event_id}/availability",
    )


def _age(at_hand: EventAtHand) -> Header:
    """How old this may be. Not `Age`: caches add theirs to it, and would keep nothing just when it is needed most."""
    return b"frontrow-age", b"%.2f" % at_hand.age(asyncio.get_running_loop().time())


def _version(at_hand: EventAtHand) -> bytes:
    """The update says which version this is. Prices may change between two updates, so they have a part in it too."""
    return b"%d-%x" % (at_hand.seats.update_no, _terms(at_hand.event.price_levels))


@lru_cache(maxsize=EVENTS_MAX)
def _terms(price_levels: tuple[PriceLevel, ...]) -> int:
    """The same in every process, so that any of them can tell a client that it has the newest."""
    return crc32(repr(price_levels).encode())
