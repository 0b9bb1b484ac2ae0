"""Frontrow: what arrives while one batch is being decided is decided together in the next, by one call and one commit.

Wired as the api process does it, with everything a hold does there: the rules of the event and of the fan, the row of
the hold beside its claims, the journal, and the refusal from memory of seats that are certainly taken.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import random
from typing import Final

from frontrow.adapters.postgres import pool
from frontrow.bench import on_sale
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest, Placed, SeatsTaken
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.hold_seats import HoldSeats
from frontrow.processes import preparing

CONNECTIONS: Final = 4  # a batch or two under way, the journal, and the catalogue

# Said twice, by the claims and by the holds. Where only one of them says it, the seat is nobody's whom we know.
STORED: Final = """
SELECT event_id, seat_no, CASE count(*) WHEN 2 THEN hold_id END AS hold_id
  FROM (SELECT event_id, seat_no, hold_id FROM claim WHERE state = 'held' AND expires_at > clock_timestamp()
         UNION ALL
        SELECT event_id, unnest(seats), hold_id FROM hold WHERE state = 'held' AND expires_at > clock_timestamp()
       ) AS said
 GROUP BY event_id, seat_no, said.hold_id
"""


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncGenerator[AtWork]:
    await preparing.migrate(bench.database_url)
    database = await pool.connect(bench.database_url, connections_max=CONNECTIONS)
    try:
        events = EventsAtHand(database.catalogue, database.journal)
        hold_seats = HoldSeats(database.ledger, database.journal, events, chance=random)
        async with asyncio.TaskGroup() as work:
            following = work.create_task(events.follow())
            yield _at_work(bench, events, hold_seats)
            await hold_seats.close()
            following.cancel()
    finally:
        await database.close()


def _at_work(bench: Workbench, events: EventsAtHand, hold_seats: HoldSeats) -> AtWork:
    async def put_on_sale() -> EventId:
        [event_id] = await on_sale.put_on_sale(bench.database_url, bench.hall, 1)
        await events.get(event_id)
        return event_id

    async def hold(event_id: EventId, request: HoldRequest) -> bool:
        at_hand = events.known(event_id) or await events.get(event_id)
        assert at_hand is not None, "it was put on sale"
        answer = await hold_seats.hold(at_hand, request)
        assert isinstance(answer, Placed | SeatsTaken), answer
        return isinstance(answer, Placed)

    return AtWork(put_on_sale=put_on_sale, hold=hold)


GROUP_COMMIT: Final = Strategy(
    name="group_commit", title="Frontrow: group commit", durable=True, stored=STORED, audited=True, at_work=at_work
)
