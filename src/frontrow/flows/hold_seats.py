"""Holding seats, the fan's own choice or the best that are free, and giving them back.

A request is refused early where the answer is certain; the ledger decides in every other case. Early, a fan hears that
seats are taken also where the ledger would have named another reason first: both are true, and nothing is held.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from frontrow.core.catalogue import SEATS_PER_HOLD_MAX, EventId
from frontrow.core.choosing import choose
from frontrow.core.holds import FanId, Hold, HoldAnswer, HoldId, HoldRequest, Refusal, SeatsTaken
from frontrow.core.seat_maps import SeatMap, Section
from frontrow.core.seats import SeatNo
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.group_commit import GroupCommit
from frontrow.flows.ports import Journal, Ledger

CHOICES_MAX: Final = 5  # so often seats are chosen anew for a fan who lost a race for the last ones


@dataclass(frozen=True, slots=True)
class Wish:
    """So many seats together, wherever they are best."""

    quantity: int
    section: Section | None = None
    price_max: int | None = None  # all-in, minor units, for one seat
    accessible: bool = False


class HoldSeats:
    """Everything a fan does with held seats."""

    def __init__(self, ledger: Ledger, journal: Journal, events: EventsAtHand, *, chance: Callable[[], float]) -> None:
        """`chance` draws evenly from 0 to 1; it decides between places that are equally good."""
        self._journal = journal
        self._events = events
        self._chance = chance
        self._holding = GroupCommit[HoldRequest, HoldAnswer](
            ledger.hold_seats, wants=_wants, early=self._early, decided=events.heard
        )
        self._releasing = GroupCommit[tuple[HoldId, FanId], Hold | Refusal](
            ledger.release_holds, wants=_wants_nothing, early=_never, decided=events.heard
        )

    @property
    def waits_seconds(self) -> float:
        """How long the one has waited for an answer who has waited longest."""
        return self._holding.waits_seconds

    async def hold(self, at_hand: EventAtHand, request: HoldRequest) -> HoldAnswer:
        """Hold these seats, all or none. BusyError: too many wait already."""
        refusal = _impossible(at_hand.seat_map, request.seats)
        return refusal or await self._holding.ask(at_hand.event.event_id, request)

    async def hold_or_nearest(self, at_hand: EventAtHand, request: HoldRequest) -> HoldAnswer:
        """Hold these seats. Where somebody was quicker: as many of the nearest that are free, an offer already held."""
        answer = await self.hold(at_hand, request)
        tried: list[SeatNo] = []
        try:
            while isinstance(answer, SeatsTaken) and len(tried) < CHOICES_MAX * len(request.seats):
                nearest = next(iter(self.instead_of(at_hand, request.seats, answer.taken)), ())
                if not nearest:
                    break
                seats = tuple(map(SeatNo, nearest))
                tried += seats
                at_hand.seats.pencil_in(seats)  # the next one who lost this race is offered others
                answer = await self._holding.ask(at_hand.event.event_id, replace(request, seats=seats))
                if isinstance(answer, SeatsTaken):
                    await self._events.look()
        finally:
            at_hand.seats.rub_out(tried)
        return answer

    async def hold_best(self, at_hand: EventAtHand, hold_id: HoldId, fan_id: FanId, wish: Wish) -> HoldAnswer:
        """Hold the best seats there are. Who loses a race for them is offered the next best, already held."""
        if wish.quantity > min(at_hand.event.seats_per_hold_max, SEATS_PER_HOLD_MAX):
            return Refusal.TOO_MANY_SEATS
        event_id = at_hand.event.event_id
        tried: list[SeatNo] = []
        try:
            for _ in range(CHOICES_MAX):
                chosen = self._choose(at_hand, wish)
                tried += chosen
                # Without seats to hold, the ledger is asked all the same: this hold may have been placed before.
                answer = await self._holding.ask(event_id, HoldRequest(hold_id, fan_id, chosen))
                if not isinstance(answer, SeatsTaken):
                    return SeatsTaken(()) if answer is Refusal.NO_SEATS else answer
                await self._events.look()
        finally:
            at_hand.seats.rub_out(tried)
        return SeatsTaken(())

    async def release(self, event_id: EventId, hold_id: HoldId, fan_id: FanId) -> Hold | Refusal:
        """Give held seats back. Doing it again changes nothing. BusyError: too many wait already."""
        return await self._releasing.ask(event_id, (hold_id, fan_id))

    async def live(self, event_id: EventId, fan_id: FanId) -> Hold | None:
        """What a fan holds at an event now."""
        return await self._journal.live_hold(event_id, fan_id)

    async def find(self, hold_id: HoldId, fan_id: FanId) -> tuple[EventId, Hold] | None:
        """A fan's hold. Others' holds are not there."""
        return await self._journal.hold(hold_id, fan_id)

    def instead_of(
        self, at_hand: EventAtHand, seats: Sequence[SeatNo], taken: Sequence[SeatNo]
    ) -> tuple[tuple[int, ...], ...]:
        """Free groups near the seats that somebody else was quicker to take: `taken` of them, as the ledger says.

        It may know so from another process of which nothing was heard here yet.
        """
        if not seats:
            return ()
        unheard = [seat for seat in taken if seat in at_hand.seats.supply]
        if unheard:
            at_hand.seats.pencil_in(unheard)
        found = at_hand.seats.nearby(tuple(seats))
        at_hand.seats.rub_out(unheard)
        return found

    async def close(self) -> None:
        await self._holding.close()
        await self._releasing.close()

    def _choose(self, at_hand: EventAtHand, wish: Wish) -> tuple[SeatNo, ...]:
        """Free seats, pencilled in, so that the next one who chooses here chooses others."""
        chosen = choose(
            at_hand.seats.supply,
            wish.quantity,
            section=wish.section,
            price_max=wish.price_max,
            accessible=wish.accessible,
            chance=self._chance(),
        )
        seats = tuple(map(SeatNo, chosen or ()))
        at_hand.seats.pencil_in(seats)
        return seats

    def _early(self, event_id: EventId, request: HoldRequest) -> HoldAnswer | None:
        at_hand = self._events.glimpse(event_id)
        if at_hand is None or not at_hand.seats.any_claimed(request.seats):
            return None
        now = asyncio.get_running_loop().time()
        taken = at_hand.surely_taken(request.seats, request.hold_id, now=now)
        return SeatsTaken(taken) if taken else None


def _impossible(seat_map: SeatMap, seats: Sequence[SeatNo]) -> Refusal | None:
    """What no event with this map can do, in the ledger's order of precedence."""
    if not seats:
        return Refusal.NO_SEATS
    if len(seats) > SEATS_PER_HOLD_MAX:
        return Refusal.TOO_MANY_SEATS
    if not all(seat in seat_map for seat in seats):
        return Refusal.UNKNOWN_SEAT
    if len(set(seats)) < len(seats):
        return Refusal.SEAT_TWICE
    return None


def _wants(request: HoldRequest) -> Iterable[Hashable]:
    return (request.hold_id, request.fan_id, *request.seats)


def _wants_nothing(_request: object) -> Iterable[Hashable]:
    return ()


def _never(_event_id: EventId, _request: object) -> None:
    return None
