"""Events at hand: what this process knows of the events that fans choose seats of, kept fresh by the journal.

An event is loaded when somebody first asks for it, and let go when nobody has asked for a while. Own batches are
folded in as they are decided; those of other processes are read from the journal a few times a second.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from frontrow.core.catalogue import Event, EventId, SeatMapSha
from frontrow.core.choosing import SeatPlan, plan_seats
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import HoldId
from frontrow.core.live_seats import LiveSeats
from frontrow.core.seat_maps import SeatMap, read
from frontrow.core.seats import SeatNo
from frontrow.core.updates import Update
from frontrow.flows.ports import Catalogue, Journal

EVENTS_MAX: Final = 1_000  # the journal is asked about each, four times a second
SEATS_MAX: Final = 6_400_000  # of all of them: 64 stadiums, which take 3 MB each beside their plan
UNUSED_SECONDS_MAX: Final = 60.0
LOOK_SECONDS: Final = 0.25  # how often the journal is read
FRESH_SECONDS_MAX: Final = 0.75  # what is older refuses nobody: a seat that came back is never refused for a second
TERMS_SECONDS_MAX: Final = 5.0  # what an organizer changes (prices, limits) is shown after this at the latest
RENEWED_AT_ONCE: Final = 60  # after a look; with EVENTS_MAX and four looks a second, all are in time
UPDATES_MAX: Final = 500  # of one event in one look

_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True, eq=False, weakref_slot=True)
class EventAtHand:
    """One event: its terms, its hall, its seats as far as heard."""

    event: Event
    seat_map: SeatMap
    seats: LiveSeats
    used_at: float  # these are times of the event loop
    terms_at: float
    fresh_at: float  # everything that was decided before this has been heard
    postgres_ahead: float  # so far is PostgreSQL's clock ahead of the loop's, at most

    def postgres_now(self, now: float) -> float:
        """What PostgreSQL's clock reads at most, in seconds since 1970, when the loop's reads `now`."""
        return now + self.postgres_ahead

    def age(self, now: float) -> float:
        """How old, in seconds, what is known here may be."""
        return max(now - self.fresh_at, 0.0)

    def surely_taken(self, seats: Sequence[SeatNo], hold_id: HoldId, *, now: float) -> tuple[SeatNo, ...]:
        """Seats that somebody else has, and is certain to have still."""
        if now - self.fresh_at > FRESH_SECONDS_MAX:
            return ()
        return self.seats.taken(seats, hold_id=hold_id, at=self.postgres_now(now))


@dataclass(slots=True)
class _Hall:
    """A seat map and its plans, shared by all events that have it."""

    seat_map: SeatMap
    plans: dict[tuple[object, ...], SeatPlan] = field(default_factory=dict[tuple[object, ...], SeatPlan])


class EventsAtHand:
    """All events that this process knows at the moment."""

    def __init__(self, catalogue: Catalogue, journal: Journal) -> None:
        self._catalogue = catalogue
        self._journal = journal
        self._events: dict[EventId, EventAtHand] = {}
        self._loading: dict[EventId, asyncio.Task[EventAtHand | None]] = {}
        self._halls: dict[SeatMapSha, _Hall] = {}
        self._look_now = asyncio.Event()
        self.looked = asyncio.Event()  # for the one who tells what is new
        self._looking = asyncio.Lock()
        self._looks = 0  # that have begun

    def known(self, event_id: EventId) -> EventAtHand | None:
        """The event, if it is at hand already."""
        found = self._events.get(event_id)
        if found is not None:
            found.used_at = asyncio.get_running_loop().time()
        return found

    def glimpse(self, event_id: EventId) -> EventAtHand | None:
        """The same, for who has asked for it already: it does not count as used."""
        return self._events.get(event_id)

    async def get(self, event_id: EventId) -> EventAtHand | None:
        """The event, or None where the public knows of none. Whoever asks meanwhile waits for the same loading."""
        if found := self.known(event_id):
            return found
        loading = self._loading.get(event_id)
        if loading is None:
            loading = self._loading[event_id] = asyncio.create_task(self._load(event_id))
            loading.add_done_callback(lambda _: self._loading.pop(event_id, None))
        return await asyncio.shield(loading)

    def heard(self, event_id: EventId, update: Update, asked_at: float) -> None:
        """Of a batch of our own, asked for at that time of the loop."""
        at_hand = self._events.get(event_id)
        if at_hand is None:
            return
        at_hand.postgres_ahead = update.at.timestamp() - asked_at
        if at_hand.seats.fold(update):
            at_hand.fresh_at = max(at_hand.fresh_at, asked_at)
        else:
            self._look_now.set()  # others have decided something in between

    async def follow(self) -> None:
        """Read the journal for ever. While it cannot be read, what is at hand grows old and refuses nobody."""
        while True:
            try:
                await self.look()
            except UnavailableError as error:
                _log.warning("journal.unread", why=str(error))
            except Exception:  # noqa: BLE001 -- whatever broke once must not leave all maps as they were, for ever
                _log.exception("journal.unread")
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):  # wait_for may lose a cancellation
                    await self._look_now.wait()
            self._look_now.clear()

    async def look(self) -> None:
        """Hear what others have decided, and let go of what nobody asks for.

        Whoever asks while a look is under way waits for the one after it, and shares it with all others who do: a
        crowd that lost a race would otherwise read the journal once each.
        """
        looks = self._looks
        async with self._looking:
            if self._looks == looks:  # nobody has begun one since this was asked for
                self._looks += 1
                await self._read_on()

    async def _read_on(self) -> None:
        now = asyncio.get_running_loop().time()
        self._let_go(now)
        followed = {event_id: at_hand.seats.update_no for event_id, at_hand in self._events.items()}
        if not followed:
            return
        found = await self._journal.updates_after(followed, limit=UPDATES_MAX)
        for event_id in followed:
            self._catch_up(event_id, found.get(event_id, ()), now)
        self.looked.set()
        await self._renew_terms(now)

    def _catch_up(self, event_id: EventId, updates: Sequence[Update], asked_at: float) -> None:
        at_hand = self._events[event_id]
        if not all(map(at_hand.seats.fold, updates)):
            del self._events[event_id]  # they follow something else than we know: loaded anew by whoever asks next
        elif len(updates) < UPDATES_MAX:
            at_hand.fresh_at = max(at_hand.fresh_at, asked_at)
        else:
            self._look_now.set()

    def _let_go(self, now: float) -> None:
        by_use = sorted(self._events, key=lambda event_id: self._events[event_id].used_at, reverse=True)
        seats = 0
        for place, event_id in enumerate(by_use):
            at_hand = self._events[event_id]
            seats += at_hand.seat_map.seats
            if place >= EVENTS_MAX or seats > SEATS_MAX or now - at_hand.used_at > UNUSED_SECONDS_MAX:
                del self._events[event_id]
        used = {at_hand.event.seat_map for at_hand in self._events.values()}
        for sha in self._halls.keys() - used:
            del self._halls[sha]

    async def _renew_terms(self, now: float) -> None:
        """Not of all at once: whoever waits for the next look would wait for that."""
        old = [event_id for event_id, at_hand in self._events.items() if now - at_hand.terms_at > TERMS_SECONDS_MAX]
        for event_id in old[:RENEWED_AT_ONCE]:
            event, at_hand = await self._catalogue.event(event_id), self._events[event_id]
            if event is None or _is_planned_otherwise(event, at_hand.event):
                del self._events[event_id]  # loaded anew by whoever asks next
            else:
                at_hand.event, at_hand.terms_at = event, now

    async def _load(self, event_id: EventId) -> EventAtHand | None:
        event = await self._catalogue.event(event_id)
        hall = await self._hall(event.seat_map) if event else None
        now = asyncio.get_running_loop().time()
        claims = await self._journal.claims(event_id) if hall else None
        if event is None or hall is None or claims is None:
            return None
        plan = await asyncio.to_thread(_plan, hall, event)
        at_hand = EventAtHand(
            event,
            hall.seat_map,
            LiveSeats(plan, claims),
            used_at=now,
            terms_at=now,
            fresh_at=now,
            postgres_ahead=claims.at - now,
        )
        self._events[event_id] = at_hand
        return at_hand

    async def _hall(self, sha: SeatMapSha) -> _Hall | None:
        hall = self._halls.get(sha)
        if hall is None:
            document = await self._catalogue.seat_map(sha)
            seat_map = await asyncio.to_thread(read, document) if document else None
            if not isinstance(seat_map, SeatMap):
                return None
            hall = self._halls.setdefault(sha, _Hall(seat_map))
        return hall


def _plan(hall: _Hall, event: Event) -> SeatPlan:
    if event.price_levels not in hall.plans:
        hall.plans[event.price_levels] = plan_seats(hall.seat_map, event.price_levels)
    return hall.plans[event.price_levels]


def _is_planned_otherwise(event: Event, before: Event) -> bool:
    return event.seat_map != before.seat_map or event.price_levels != before.price_levels
