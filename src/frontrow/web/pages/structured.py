"""What an event's page says to programs that read pages: the vocabulary of schema.org, as JSON-LD; and the site's map.

Everything in it stands on the page for people, too. The template writes it as JSON in which nothing can end a script.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from starlette.requests import Request

from frontrow.core.catalogue import Category, Event, EventStatus, Listing, Production, Publication, Venue
from frontrow.core.money import Money
from frontrow.core.wording import currency_form, zone
from frontrow.web.pages.posters import poster_of

_KINDS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.CONCERT: "MusicEvent",
        Category.FILM: "ScreeningEvent",
        Category.THEATRE: "TheaterEvent",
        Category.SPORT: "SportsEvent",
        Category.COMEDY: "ComedyEvent",
        Category.FAMILY: "ChildrensEvent",
    }
)
_AVAILABILITY: Final[Mapping[EventStatus, str]] = MappingProxyType(
    {
        EventStatus.ANNOUNCED: "PreOrder",
        EventStatus.ON_SALE: "InStock",
        EventStatus.SOLD_OUT: "SoldOut",
        EventStatus.ENDED: "Discontinued",
        EventStatus.CANCELLED: "Discontinued",
    }
)


def site_of(request: Request, *, behind_tls: bool) -> str:
    """What all our addresses begin with, as this reader reached us."""
    return f"{'https' if behind_tls else 'http'}://{request.url.netloc}"


def event_in_data(
    listing: Listing, event: Event, production: Production, venue: Venue, *, site: str, status: EventStatus
) -> Mapping[str, object]:
    """One event, with where it is, who is in it, and what tickets cost with all fees."""
    address = f"{site}/events/{listing.event_id}"
    is_off = listing.publication is Publication.CANCELLED
    time_zone = zone(listing.time_zone)
    return {
        "@context": "https://schema.org",
        "@type": _KINDS[listing.category],
        "name": listing.name,
        "description": production.about or listing.name,
        "url": address,
        "image": f"{site}{poster_of(listing)}",
        "startDate": listing.starts_at.astimezone(time_zone).isoformat(),
        "endDate": listing.ends_at.astimezone(time_zone).isoformat(),
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": f"https://schema.org/{'EventCancelled' if is_off else 'EventScheduled'}",
        "performer": [{"@type": "PerformingGroup", "name": name} for name in listing.performers],
        "location": {
            "@type": "Place",
            "name": listing.venue,
            "address": {
                "@type": "PostalAddress",
                "streetAddress": venue.street,
                "postalCode": venue.postal_code,
                "addressLocality": listing.city,
                "addressCountry": listing.country,
            },
            "geo": {
                "@type": "GeoCoordinates",
                "latitude": venue.place.latitude,
                "longitude": venue.place.longitude,
            },
        },
        "offers": {
            "@type": "AggregateOffer",
            "url": address,
            "priceCurrency": listing.price_from.currency,
            "lowPrice": _decimal(listing.price_from),
            "highPrice": _decimal(max(event.all_in.values())),
            "availability": f"https://schema.org/{_AVAILABILITY[status]}",
            "validFrom": listing.on_sale_at.isoformat(),
        },
    }


def site_map(listings: Iterable[Listing], *, site: str) -> Iterator[str]:
    """The addresses of events that are ahead, and of what they lead to, each once: as sitemaps.org has it."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    paths = ["/", *dict.fromkeys(path for listing in listings for path in _paths(listing))]
    for path in paths:
        yield f"<url><loc>{site}{path}</loc></url>\n"
    yield "</urlset>\n"


def _paths(listing: Listing) -> tuple[str, ...]:
    return (
        f"/cities/{listing.city_id}",
        f"/venues/{listing.venue_id}",
        f"/productions/{listing.production_id}",
        f"/events/{listing.event_id}",
    )


def _decimal(money: Money) -> str:
    """`48.50`: as the vocabulary writes amounts, whole units first."""
    _, digits = currency_form(money.currency)
    whole, minor = divmod(money.amount, 10**digits)
    return f"{whole}.{minor:0{digits}}" if digits else str(whole)
