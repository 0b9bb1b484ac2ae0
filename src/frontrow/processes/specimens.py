"""A ticket to try printers and scanners with, before there is one that somebody paid for.

It is drawn and signed as all are. Its event and number are 0, which the database gives to none: no door knows it.
"""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from frontrow.adapters.printing.pdf import TypstPrinter
from frontrow.core.catalogue import (
    Category,
    CityId,
    EventId,
    Listing,
    Place,
    ProductionId,
    Publication,
    Venue,
    VenueId,
)
from frontrow.core.money import Money
from frontrow.core.orders import OrderId, TicketId
from frontrow.core.papers import Paper, Papers
from frontrow.core.seat_maps import Row, SeatFlag, SeatPlace, Section
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketFacts, TicketSerial
from frontrow.processes.signing_keys import ticket_signer
from frontrow.settings import Settings

NOBODY: Final = OrderId(UUID(int=0))
LENGTH: Final = timedelta(hours=2)

_ROW: Final = Row(section_no=0, label="F", first_seat=0, seats=24, price_level="a", curve=(0, 0, 1_200, 0))
_SECTION: Final = Section(
    section_no=0, label="Stalls", tier=None, outline=(), price_level="a", first_seat=0, seats=24, rows=(_ROW,)
)


async def specimen(settings: Settings, *, now: datetime) -> bytes:
    """The file, signed with the key that signs new tickets."""
    signer = ticket_signer(settings)
    facts = TicketFacts(EventId(0), SeatNo(0), TicketSerial(0), signer.key_id)
    paper = Paper(
        ticket_id=TicketId(NOBODY),
        serial=facts.serial,
        code=signer.code(facts),
        number=1,
        of=1,
        place=SeatPlace(_SECTION, _ROW, "12", SeatFlag(0), "a"),
        level="Specimen",
        price=Money(0, "EUR"),
    )
    return await TypstPrinter().pdf(Papers(NOBODY, now.astimezone(UTC), _listing(now), _VENUE, (paper,)))


_VENUE: Final = Venue(VenueId(0), CityId(0), "Your venue", "1 Long Street", "10000", Place(0, 0))


def _listing(now: datetime) -> Listing:
    return Listing(
        event_id=EventId(0),
        name="Specimen",
        production_id=ProductionId(0),
        production="Specimen",
        performers=(),
        category=Category.CONCERT,
        genre="not for sale",
        venue_id=VenueId(0),
        venue=_VENUE.name,
        hall="Large hall",
        city_id=CityId(0),
        city="Your city",
        country="DE",
        time_zone="UTC",
        publication=Publication.DRAFT,
        on_sale_at=now,
        starts_at=now,
        ends_at=now + LENGTH,
        waiting_room=False,
        price_from=Money(0, "EUR"),
        seats=24,
        seats_left=24,
    )
