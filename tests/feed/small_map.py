"""One event at hand without a database: updates are folded in by the test."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from tests.postgres.small_season import SEATS, map_document

from frontrow.core.catalogue import Event, EventId, HallId, PriceLevel, ProductionId, Publication, SeatMapSha
from frontrow.core.choosing import plan_seats
from frontrow.core.live_seats import ClaimsSeen, LiveSeats
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatMap, canonical, read
from frontrow.core.seats import SeatNo
from frontrow.core.updates import NEVER, Update
from frontrow.flows.at_hand import EventAtHand

NOW: Final = datetime(2027, 3, 1, 12, tzinfo=UTC)
EVENT_ID: Final = EventId(7)


@dataclass
class SmallMap:
    """Seven seats, and their updates."""

    update_no: int = 0
    map_name: str = "Small hall"
    at_hand: EventAtHand = field(init=False)

    def __post_init__(self) -> None:
        seat_map = read(canonical(map_document(self.map_name)))
        assert isinstance(seat_map, SeatMap)
        prices = tuple(PriceLevel(level, level, Money(100, "EUR"), Money(0, "EUR")) for level in seat_map.price_levels)
        event = Event(
            event_id=EVENT_ID,
            production_id=ProductionId(1),
            hall_id=HallId(1),
            seat_map=SeatMapSha(seat_map.sha),
            name="An evening",
            publication=Publication.ANNOUNCED,
            on_sale_at=NOW,
            starts_at=NOW + timedelta(days=1),
            ends_at=NOW + timedelta(days=1, hours=3),
            price_levels=prices,
        )
        seats = LiveSeats(plan_seats(seat_map, prices), ClaimsSeen(self.update_no, 0.0, [], "", b"", []))
        self.at_hand = EventAtHand(event, seat_map, seats, used_at=0.0, terms_at=0.0, fresh_at=0.0, postgres_ahead=0.0)

    def change(self, **states: str) -> None:
        """One more update: `change(s3="h")` holds seat 3."""
        seats = tuple(SeatNo(int(name[1:])) for name in states)
        letters = "".join(states.values())
        self.update_no += 1
        holders = bytes(8 * len(seats))
        assert self.at_hand.seats.fold(Update(self.update_no, NOW, seats, letters, holders, NEVER))

    @property
    def codes(self) -> list[int]:
        return [self.at_hand.seats.snapshot()[seat // 4] >> seat % 4 * 2 & 3 for seat in range(SEATS)]
