"""Posters as files of their own. The address names the drawing, so a browser fetches each once, for all pages."""

from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from frontrow.core.catalogue import Category, Listing, Production, ProductionId
from frontrow.core.posters import POSTERS_REMEMBERED_MAX, poster
from frontrow.web.pages.static_files import digest_of, lasting

MEDIA_TYPE: Final = "image/svg+xml"


def poster_of(listing: Listing) -> str:
    """The address of the poster of what is listed."""
    return _address(listing.production_id, listing.production, listing.category)


def poster_of_production(production: Production) -> str:
    return _address(production.production_id, production.name, production.category)


def poster_answer(production: Production, request: Request) -> Response:
    """The poster. Under the address of an older one (the production was renamed) today's is sent, but not to keep."""
    drawing = poster(production.name, production.category)
    if request.url.path == poster_of_production(production):
        return lasting(drawing.encode(), media_type=MEDIA_TYPE, request=request)
    return Response(drawing, media_type=MEDIA_TYPE, headers={"cache-control": "no-cache"})


@lru_cache(maxsize=POSTERS_REMEMBERED_MAX)
def _address(production_id: ProductionId, name: str, category: Category) -> str:
    return f"/posters/{production_id}/{digest_of(poster(name, category).encode())}.svg"
