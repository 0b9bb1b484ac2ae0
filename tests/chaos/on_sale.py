"""An event with room for a crowd."""

from typing import Any

import asyncpg
from tests.ledger.on_sale import plant, put_on_sale
from tests.postgres.small_season import SEATS, map_document

from frontrow.adapters.postgres.catalogue_writing import CatalogueWriting
from frontrow.adapters.postgres.connection import sql_transaction
from frontrow.core.catalogue import EventId
from frontrow.core.seat_maps import canonical, identity


async def open_sale(database_url: str, *, seats: int, **terms: Any) -> EventId:  # noqa: ANN401 -- fields of Event
    """An event on sale for a century, without a waiting room, in the small hall with a larger floor."""
    document = map_document("Large hall")
    *_, floor = document["sections"]
    floor["capacity"] = floor.get("capacity", 0) + seats - SEATS
    canonical_form = canonical(document)
    sha = identity(canonical_form)
    connection = await asyncpg.connect(database_url)
    season = await plant(connection)
    async with sql_transaction(connection):
        writing = CatalogueWriting(connection)
        await writing.add_seat_map(sha, name=document["name"], seats=seats, document=canonical_form)
        await writing.give_hall(season.hall.hall_id, sha)
    event = await put_on_sale(connection, season, seat_map=sha, **({"waiting_room": False} | terms))
    await connection.close()
    return event.event_id
