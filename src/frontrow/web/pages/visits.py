"""A fan's visit to an event: who is asking, what is at hand of the event, and whether seats may be chosen now.

What the pages about it look like is not in here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from frontrow.core.catalogue import EventId, EventStatus, Listing
from frontrow.core.holds import FanId, Hold
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.hold_seats import HoldSeats
from frontrow.flows.ports import Catalogue, Clock
from frontrow.web.admission import Admission, asks_for_code, fan_cookie, postgres_now
from frontrow.web.pages.ids import id_in


class Door(StrEnum):
    """Whether a fan may choose seats, and if not, why."""

    OPEN = "open"
    ANNOUNCED = "announced"  # the sale has not begun
    PRESALE = "presale"  # invited fans alone may, and the fan has used no code
    WAITING_ROOM = "waiting room"  # there is one, and the fan was not let in, or the session has ended
    SOLD_OUT = "sold out"
    ENDED = "ended"
    CANCELLED = "cancelled"


_BY_STATUS: Final = {
    EventStatus.ANNOUNCED: Door.ANNOUNCED,
    EventStatus.SOLD_OUT: Door.SOLD_OUT,
    EventStatus.ENDED: Door.ENDED,
    EventStatus.CANCELLED: Door.CANCELLED,
}

_BEFORE_IT: Final = frozenset({Door.OPEN, Door.WAITING_ROOM})


@dataclass(frozen=True, slots=True)
class Visit:
    """One fan at one event, now."""

    listing: Listing
    at_hand: EventAtHand
    door: Door
    fan_id: FanId | None  # None: the browser brought nothing that we know
    held: Hold | None  # what the fan holds here
    now: datetime

    @property
    def event_id(self) -> EventId:
        return self.listing.event_id

    def time_left(self, hold: Hold) -> timedelta:
        """By PostgreSQL's clock, which decides."""
        return timedelta(seconds=max(0.0, hold.expires_at.timestamp() - postgres_now(self.at_hand)))


@dataclass(frozen=True, slots=True)
class Shop:
    """What pages need where seats are chosen and held."""

    catalogue: Catalogue
    clock: Clock
    events: EventsAtHand
    hold_seats: HoldSeats
    admission: Admission
    new_id: Callable[[], UUID]
    behind_tls: bool

    async def visit(self, request: Request, event_id: EventId | None = None) -> Visit:
        """The visit that an address means. There is no such event, or not for the public: HTTPException 404."""
        event_id = event_id or _event_id(request)
        listing = await self.catalogue.listing(event_id) if event_id else None
        at_hand = await self.events.get(listing.event_id) if listing else None
        if listing is None or at_hand is None:
            raise HTTPException(404)
        now = self.clock()
        fan_id = self.admission.admitted(request.scope, at_hand)
        known_as = fan_id or self.admission.fan(request.scope)
        held = await self.hold_seats.live(listing.event_id, known_as) if known_as else None
        door = _door(listing, now, fan_id)
        if door in _BEFORE_IT and fan_id is None and self._asks_for_code(request, at_hand, known_as):
            door = Door.PRESALE
        return Visit(listing, at_hand, door, known_as, held, now)

    def _asks_for_code(self, request: Request, at_hand: EventAtHand, fan_id: FanId | None) -> bool:
        """A code stands before the waiting room, and is used once; without one it stands before the seats."""
        event_id, is_counted = at_hand.event.event_id, at_hand.event.waiting_room
        has_pass = fan_id is not None and self.admission.has_pass(request.scope, event_id, fan_id)
        return asks_for_code(at_hand) and not (is_counted and has_pass)

    def remember(self, request: Request, answer: Response) -> Response:
        """Give the browser of a stranger something to be known by, before there is anything to lose."""
        if self.admission.fan(request.scope) is None:
            answer.headers.append("set-cookie", fan_cookie(self.admission.newcomer(), behind_tls=self.behind_tls))
        return answer


def _door(listing: Listing, now: datetime, admitted: FanId | None) -> Door:
    door = _BY_STATUS.get(listing.status(now), Door.OPEN)
    is_let_in = admitted is not None or not listing.waiting_room
    return door if door is not Door.OPEN or is_let_in else Door.WAITING_ROOM


def _event_id(request: Request) -> EventId | None:
    event_id = id_in(request.path_params["event_id"])
    return EventId(event_id) if event_id else None
