"""Orders and tickets as people know them, put together from the order, the catalogue, the hall and the signing key."""

import asyncio
from collections import OrderedDict
from typing import Final

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.orders import Order, Ticket
from frontrow.core.papers import AboutOrder, Paper, Papers
from frontrow.core.seat_maps import SeatMap, read
from frontrow.core.tickets import TicketSigner
from frontrow.flows.ports import Catalogue

MAPS_REMEMBERED_MAX: Final = 16  # a stadium's takes 3 MB and 60 ms to read; mails of one on-sale are all of one hall


class MakePapers:
    """Tells what an order is about, and makes its papers."""

    def __init__(self, catalogue: Catalogue, signer: TicketSigner) -> None:
        self._catalogue = catalogue
        self._signer = signer
        self._maps: OrderedDict[SeatMapSha, SeatMap] = OrderedDict()

    async def about(self, order: Order) -> AboutOrder | None:
        """None: the event was withdrawn."""
        listing = await self._catalogue.listing(order.event_id)
        event = await self._catalogue.event(order.event_id)
        if listing is None or event is None:
            return None
        seat_map, venue = await self._seat_map(event.seat_map), await self._catalogue.venue(listing.venue_id)
        if seat_map is None or venue is None:
            return None
        places = {each.seat: seat_map.place(each.seat) for each in order.seats}
        return AboutOrder(order, listing, venue, places, {level.level: level.name for level in event.price_levels})

    def papers(self, about: AboutOrder) -> Papers | None:
        """Papers for the tickets that are good; None: there are none yet, or none any more."""
        valid = [ticket for ticket in about.order.tickets if ticket.is_valid]
        if not valid or about.order.paid_at is None:
            return None
        papers = tuple(self._paper(about, ticket, number, len(valid)) for number, ticket in enumerate(valid, start=1))
        return Papers(about.order.order_id, about.order.paid_at, about.listing, about.venue, papers)

    def _paper(self, about: AboutOrder, ticket: Ticket, number: int, of: int) -> Paper:
        place = about.places[ticket.facts.seat_no]
        level = about.level_names.get(place.price_level, place.price_level)
        code = self._signer.code(ticket.facts)
        return Paper(ticket.ticket_id, ticket.facts.serial, code, number, of, place, level, ticket.price)

    async def _seat_map(self, sha: SeatMapSha) -> SeatMap | None:
        known = self._maps.get(sha)
        if known is None:
            document = await self._catalogue.seat_map(sha)
            known = await asyncio.to_thread(_read, document) if document else None
            if known is None:
                return None
            self._maps[sha] = known
            if len(self._maps) > MAPS_REMEMBERED_MAX:
                self._maps.popitem(last=False)
        return known


def _read(document: bytes) -> SeatMap | None:
    found = read(document)
    return found if isinstance(found, SeatMap) else None
