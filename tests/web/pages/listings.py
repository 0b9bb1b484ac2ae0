"""Listings for tests that need no database."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from frontrow.core.catalogue import Category, CityId, EventId, Listing, ProductionId, Publication, VenueId
from frontrow.core.money import Money

NOW: Final = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)


def listing(event: int = 1, **different: Any) -> Listing:  # noqa: ANN401 -- any field
    """A concert in Berlin in three days, on sale since yesterday, but for what is said."""
    starts_at: datetime = different.pop("starts_at", NOW + timedelta(days=3))
    said: dict[str, Any] = {
        "event_id": EventId(event),
        "name": "A Concert",
        "production_id": ProductionId(event),
        "production": "A Concert",
        "performers": ("Somebody",),
        "category": Category.CONCERT,
        "genre": "Folk",
        "venue_id": VenueId(1),
        "venue": "The Hall",
        "hall": "Main hall",
        "city_id": CityId(1),
        "city": "Berlin",
        "country": "DE",
        "time_zone": "Europe/Berlin",
        "publication": Publication.ANNOUNCED,
        "on_sale_at": NOW - timedelta(days=1),
        "starts_at": starts_at,
        "ends_at": starts_at + timedelta(hours=2),
        "waiting_room": False,
        "price_from": Money(4800, "EUR"),
        "seats": 200,
        "seats_left": 200,
    }
    return Listing(**{**said, **different})
