"""Where seats are chosen: on the map, as the best there are, or from a list. How they are then held is in holding.py.

Every page here is one fan's own: it knows what they hold already, and has the id of the hold that they may place next.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from urllib.parse import parse_qs

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from frontrow.core.catalogue import Event
from frontrow.core.choosing import hot_sections
from frontrow.core.money import Money
from frontrow.core.seat_maps import Row, Section
from frontrow.core.seats import SeatState
from frontrow.flows.at_hand import EventAtHand
from frontrow.web.pages.drawing import draw
from frontrow.web.pages.hall_plan import HallPlans
from frontrow.web.pages.notices import CLOSED, RELEASED, Notice
from frontrow.web.pages.seat_words import Seat, seats_of
from frontrow.web.pages.visits import Door, Shop, Visit
from frontrow.web.pages.what_is_left import SectionLeft, levels_left, price_levels, rows_left, seats_now, sections_left
from frontrow.web.pages.wishes import Fields, Wishes, last, party_max, wishes_in
from frontrow.web.pages.words import currency_form, money

NOT_KEPT: Final = {"cache-control": "no-store"}  # whoever comes back sees what is true then
FIELDS_MAX: Final = 64  # as of a form


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What all pages of the way say: what there is, what is wished for and picked, what is held already."""

    visit: Visit
    wishes: Wishes
    hold_id: str
    notice: Notice | None

    @property
    def address(self) -> str:
        return f"/events/{self.visit.event_id}/seats"

    @property
    def hold_address(self) -> str:
        return f"/events/{self.visit.event_id}/holds"

    def list_address(self, section: Section | None = None, row: Row | None = None) -> str:
        return f"{self.address}/list{self.wishes.within(section).query(row=row and row.label)}"

    @property
    def is_open(self) -> bool:
        return self.visit.door is Door.OPEN

    @property
    def closed_words(self) -> str:
        return CLOSED[self.visit.door]

    @property
    def prices(self) -> Sequence[Money]:
        """What seats cost here, the dearest first."""
        return sorted({level.all_in for level in self.visit.at_hand.event.price_levels}, reverse=True)

    @property
    def party_max(self) -> int:
        return party_max(self.visit.at_hand.event)

    @property
    def picked(self) -> Sequence[Seat]:
        return seats_of(self.visit.at_hand, self.wishes.seats)

    @property
    def held(self) -> Sequence[Seat]:
        return seats_of(self.visit.at_hand, self.visit.held.seats) if self.visit.held else ()


class Picking:
    """The pages on which seats are chosen."""

    def __init__(self, shop: Shop, plans: HallPlans) -> None:
        self._shop = shop
        self._plans = plans

    async def on_map(self, request: Request) -> Response:
        """`GET /events/{event_id}/seats`."""
        visit = await self._shop.visit(request)
        offer = self.offer(
            visit, _wishes(request, visit), notice=RELEASED if "released" in request.query_params else None
        )
        return self._shop.remember(request, await self.drawn(offer))

    async def on_list(self, request: Request) -> Response:
        """`GET /events/{event_id}/seats/list`: sections, the rows of one, the seats of one row."""
        visit = await self._shop.visit(request)
        fields = _fields(request)
        offer = self.offer(visit, wishes_in(fields, visit.at_hand.event, visit.at_hand.seat_map))
        if last(fields, "section") and offer.wishes.section is None:
            raise HTTPException(404)
        return self._shop.remember(request, self.listed(offer, last(fields, "row")))

    def offer(self, visit: Visit, wishes: Wishes, *, notice: Notice | None = None) -> Offer:
        return Offer(visit=visit, wishes=wishes, hold_id=str(self._shop.new_id()), notice=notice)

    async def drawn(self, offer: Offer, *, status: int = 200) -> Response:
        """The map."""
        at_hand = offer.visit.at_hand
        plan = await self._plans.of(at_hand.event.seat_map)
        if plan is None:
            raise HTTPException(404)
        sections = sections_left(at_hand, offer.wishes)
        page = draw(
            "seats.html",
            offer=offer,
            visit=offer.visit,
            now=offer.visit.now,
            wishes=offer.wishes,
            plan=plan,
            shapes=list(zip(plan.blocks, sections, strict=True)),
            free=_free(at_hand) if plan.dots else (),
            levels=levels_left(at_hand),
            levels_for_script=_levels_for_script(plan.levels, at_hand.event),
            currency_for_script=_currency_for_script(at_hand.event),
            level_nos={level: number for number, level in enumerate(plan.levels)},
            tiers=_tiers(sections),
            hot=hot_sections(at_hand.seats.plan) if offer.visit.door is Door.ANNOUNCED else (),
        )
        return HTMLResponse(page, status_code=status, headers=NOT_KEPT)

    def listed(self, offer: Offer, row_label: str = "", *, status: int = 200) -> Response:
        """The list, as far as one has gone in it."""
        section = offer.wishes.section
        row = section.row(row_label) if section and row_label else None
        if row_label and row is None:
            raise HTTPException(404)
        at_hand = offer.visit.at_hand
        page = draw(
            "seats-list.html",
            offer=offer,
            visit=offer.visit,
            now=offer.visit.now,
            wishes=offer.wishes,
            section=section,
            row=row,
            tiers=() if section else _tiers(sections_left(at_hand, offer.wishes)),
            area=sections_left(at_hand, offer.wishes)[section.section_no] if section and section.standing else None,
            rows=rows_left(at_hand, offer.wishes, section) if section and not row else (),
            seats=seats_now(at_hand, row) if row else (),
        )
        return HTMLResponse(page, status_code=status, headers=NOT_KEPT)


def _levels_for_script(levels: Sequence[str], event: Event) -> str:
    """Of each price level in the order of the seat map: its name, and what a seat of it costs, in figures and words."""
    prices = price_levels(event)
    return msgspec.json.encode(
        [
            {"name": price.name, "amount": price.all_in.amount, "price": money(price.all_in)}
            for price in (prices[level] for level in levels)
        ]
    ).decode()


def _currency_for_script(event: Event) -> str:
    """How amounts are written."""
    before, digits = currency_form(event.price_levels[0].all_in.currency)
    return msgspec.json.encode({"before": before, "digits": digits}).decode()


def _free(at_hand: EventAtHand) -> Collection[int]:
    states = at_hand.seats.states(0, at_hand.seat_map.seats)
    return {seat for seat, state in enumerate(states) if state is SeatState.AVAILABLE}


def _wishes(request: Request, visit: Visit) -> Wishes:
    return wishes_in(_fields(request), visit.at_hand.event, visit.at_hand.seat_map)


def _fields(request: Request) -> Fields:
    try:
        return parse_qs(request.url.query, max_num_fields=FIELDS_MAX)
    except ValueError:  # more than there is to say
        return {}


def _tiers(sections: Sequence[SectionLeft]) -> Sequence[tuple[str | None, Sequence[SectionLeft]]]:
    """Sections under the storey that they belong to."""
    return [(tier, list(group)) for tier, group in groupby(sections, key=_tier)]


def _tier(left: SectionLeft) -> str | None:
    return left.section.tier
