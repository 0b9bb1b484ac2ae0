"""How quick the database is by itself: an api process's batches, without HTTP, requests or fans around them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from time import perf_counter
from typing import Final

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.bench.figures import per_second
from frontrow.bench.hold_requests import Asked
from frontrow.bench.proof import Told
from frontrow.bench.quiet import undisturbed
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest, Placed
from frontrow.flows.group_commit import BATCH_MAX

CONNECTIONS: Final = 2  # one batch is encoded while the other is decided: the lane lets one through at a time


@dataclass(slots=True)
class Decided:
    """What came of the batches."""

    holds_per_s: float = 0.0
    told: list[Told] = field(default_factory=list[Told])


async def decide(database_url: str, asked: Sequence[Asked], *, seconds: float) -> Decided:
    """Decide requests in batches as large as they get, for so long or until none is left."""
    decided = Decided()
    database = await pool.connect(database_url, connections_max=CONNECTIONS)
    batches = _batches(asked)
    try:
        with undisturbed():
            began = perf_counter()
            async with asyncio.TaskGroup() as work:
                for _ in range(CONNECTIONS):
                    work.create_task(_decide(database.ledger, batches, began + seconds, decided))
            decided.holds_per_s = per_second(len(decided.told), perf_counter() - began)
    finally:
        await database.close()
    return decided


async def _decide(
    ledger: PostgresLedger, batches: Iterator[tuple[EventId, list[HoldRequest]]], until: float, decided: Decided
) -> None:
    for event_id, requests in batches:
        if perf_counter() >= until:
            return
        batch = await ledger.hold_seats(event_id, requests)
        decided.told += [
            Told(event_id, request)
            for request, answer in zip(requests, batch.answers, strict=True)
            if isinstance(answer, Placed)
        ]


def _batches(asked: Sequence[Asked]) -> Iterator[tuple[EventId, list[HoldRequest]]]:
    """Requests in order, those of each event by themselves."""
    for event_id, of_event in groupby(asked, lambda each: each.event_id):
        while together := [each.request for each in islice(of_event, BATCH_MAX)]:
            yield event_id, together
