"""The pages a browser gets: which address leads to which page, and what each page is about.

How a page looks is in the templates, what it says in words.py; lists of events are in browsing.py and searching.py. All
pages here are the same for everybody, so caches may keep them for a moment.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from frontrow.core.calendar import MEDIA_TYPE as CALENDAR
from frontrow.core.calendar import calendar
from frontrow.core.catalogue import EventId, Listing, ProductionId
from frontrow.flows.ports import Catalogue, Clock
from frontrow.flows.search import Search
from frontrow.web.pages import static_files
from frontrow.web.pages.browsing import Browsing
from frontrow.web.pages.drawing import draw, draw_problem
from frontrow.web.pages.hall_plan import HallPlans
from frontrow.web.pages.holding import Holding
from frontrow.web.pages.ids import id_in
from frontrow.web.pages.picking import Picking
from frontrow.web.pages.posters import poster_answer
from frontrow.web.pages.searching import FOR_A_MOMENT, SearchPage
from frontrow.web.pages.searching import PAGE as SEARCH
from frontrow.web.pages.static_files import static
from frontrow.web.pages.structured import event_in_data, site_map, site_of
from frontrow.web.pages.visits import Shop
from frontrow.web.pages.words import money
from frontrow.web.refusals import exception_handlers
from frontrow.web.search import SearchPace

__all__ = ["draw_problem", "pages"]

FOR_AN_HOUR: Final = "public, max-age=3600"  # whoever reads the map of a site comes once a day
DATES_MAX: Final = 40  # other dates on an event's page
GZIP_LEVEL: Final = 6  # level 9 saves 1 % and takes twice as long
GZIP_BYTES_MIN: Final = 1000  # less fits into one packet as it is

SITE_MAP_EVENTS_MAX: Final = 5_000  # with all that they lead to, fewer addresses than one map may have (50,000)

ROBOTS: Final = "User-agent: *\nDisallow: /api/\nDisallow: /webhooks/\nDisallow: /metrics\nSitemap: {}/sitemap.xml\n"


def pages(
    *,
    catalogue: Catalogue,
    search: Search,
    pace: SearchPace,
    clock: Clock,
    shop: Shop,
    more: Sequence[Route] = (),
) -> ASGIApp:
    """All pages, with what they load. `more`: those that others have made."""
    plans = HallPlans(catalogue.seat_map)
    site, picking = _Site(catalogue, clock, plans, shop.behind_tls), Picking(shop, plans)
    holding = Holding(shop, plans, picking)
    routes = [
        *Browsing(catalogue, search, clock).routes(),
        Route(SEARCH, SearchPage(search, clock, pace).answer),
        Route("/events/{event_id}", site.event),
        Route("/events/{event_id}/calendar.ics", site.calendar),
        Route("/events/{event_id}/seats", picking.on_map),
        Route("/events/{event_id}/seats/list", picking.on_list),
        Route("/events/{event_id}/holds", holding.place, methods=["POST"]),
        Route("/holds/{hold}", holding.look_up),
        Route("/holds/{hold}/release", holding.release, methods=["POST"]),
        Route("/posters/{production_id}/{digest}.svg", site.poster),
        Route("/static/{name}", static_files.answer),
        Route("/favicon.ico", _favicon),
        Route("/robots.txt", site.robots),
        Route("/sitemap.xml", site.map),
        *more,
    ]
    site_app = Starlette(routes=routes, exception_handlers=exception_handlers(draw_problem))
    return GZipMiddleware(site_app, minimum_size=GZIP_BYTES_MIN, compresslevel=GZIP_LEVEL)


@dataclass(frozen=True, slots=True)
class _Site:
    catalogue: Catalogue
    clock: Clock
    plans: HallPlans
    behind_tls: bool

    async def event(self, request: Request) -> Response:
        now = self.clock()
        listing = await self._listing(request)
        event, production, venue, dates = await asyncio.gather(
            self.catalogue.event(listing.event_id),
            self.catalogue.production(listing.production_id),
            self.catalogue.venue(listing.venue_id),
            self.catalogue.listings_of(listing.production_id, now=now, limit=DATES_MAX + 1),
        )
        if event is None or production is None or venue is None:
            raise HTTPException(404)  # withdrawn in this very moment
        plan = await self.plans.of(event.seat_map)
        level_nos = {level: number for number, level in enumerate(plan.levels if plan else ())}
        return _page(
            "event.html",
            listing=listing,
            event=event,
            production=production,
            venue=venue,
            dates=_others(dates, listing),
            plan=plan,
            level_nos=level_nos,
            prices={level.level: f"{level.name}: {money(level.all_in)}" for level in event.price_levels},
            in_data=event_in_data(
                listing, event, production, venue, site=self._address(request), status=listing.status(now)
            ),
            now=now,
        )

    async def robots(self, request: Request) -> Response:
        return PlainTextResponse(ROBOTS.format(self._address(request)))

    async def map(self, request: Request) -> Response:
        """Where everything is, for those who search the web."""
        listings = await self.catalogue.upcoming(now=self.clock(), limit=SITE_MAP_EVENTS_MAX)
        written = "".join(site_map(listings, site=self._address(request)))
        return Response(written, media_type="application/xml", headers={"cache-control": FOR_AN_HOUR})

    async def calendar(self, request: Request) -> Response:
        listing = await self._listing(request)
        host = request.url.hostname or "frontrow"
        return Response(calendar(listing, host=host, now=self.clock()), media_type=CALENDAR)

    async def poster(self, request: Request) -> Response:
        production_id = id_in(request.path_params["production_id"])
        production = production_id and await self.catalogue.production(ProductionId(production_id))
        if not production:
            raise HTTPException(404)
        return poster_answer(production, request)

    def _address(self, request: Request) -> str:
        return site_of(request, behind_tls=self.behind_tls)

    async def _listing(self, request: Request) -> Listing:
        event_id = id_in(request.path_params["event_id"])
        listing = event_id and await self.catalogue.listing(EventId(event_id))
        if not listing:
            raise HTTPException(404)
        return listing


async def _favicon(_: Request) -> Response:
    return RedirectResponse(static("icon.svg"), status_code=308)


def _page(template: str, **about: object) -> Response:
    return HTMLResponse(draw(template, **about), headers={"cache-control": FOR_A_MOMENT})


def _others(listings: Sequence[Listing], listing: Listing) -> Sequence[Listing]:
    return [other for other in listings if other.event_id != listing.event_id][:DATES_MAX]
