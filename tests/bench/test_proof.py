"""The proof turns red for every way in which what fans were told may be wrong, and for nothing else."""

from typing import Final, LiteralString

import asyncpg
import pytest
from tests.bench.wishing import wish

from frontrow.adapters.postgres.pool import Database
from frontrow.bench.on_sale import HALLS, put_on_sale
from frontrow.bench.proof import Proof, Told, prove
from frontrow.bench.strategies.group_commit import STORED
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest, Placed

TRUE: Final = Proof(0, 0, 0, 0)
KEPT: Final = wish(0, 1)
OTHER: Final = wish(2, 3)
HALF_OF_OTHER: Final = HoldRequest(OTHER.hold_id, OTHER.fan_id, OTHER.seats[:1])
RIVAL: Final = wish(1, 2)

EVENT: Final = EventId(1)

SAME_SEATS_AGAIN: Final = """
INSERT INTO hold
SELECT gen_random_uuid(), event_id, gen_random_uuid(), state, seats, tickets, placed_at, expires_at
  FROM hold
 WHERE 0 = ANY (seats)
"""


@pytest.mark.parametrize(
    ("told", "stored", "proof"),
    [
        ([KEPT, OTHER], [KEPT, OTHER], TRUE),
        ([], [], TRUE),
        ([KEPT, OTHER], [KEPT], Proof(lost=2, doubled=0, untold=0, audit=0)),
        ([KEPT, OTHER], [KEPT, HALF_OF_OTHER], Proof(lost=1, doubled=0, untold=0, audit=0)),
        ([KEPT], [KEPT, OTHER], Proof(lost=0, doubled=0, untold=2, audit=0)),
        ([KEPT, RIVAL], [KEPT, RIVAL], Proof(lost=0, doubled=1, untold=0, audit=0)),  # both stored: sold twice
        ([KEPT, RIVAL], [KEPT], Proof(lost=2, doubled=0, untold=0, audit=0) + Proof(0, 1, 0, 0)),  # or sold over
    ],
)
async def test_told_is_compared_with_stored(
    empty_database_url: str, told: list[HoldRequest], stored: list[HoldRequest], proof: Proof
):
    rows = [(EVENT, seat, request.hold_id) for request in stored for seat in request.seats]
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute("CREATE TABLE kept (event_id bigint, seat_no integer, hold_id uuid)")
    await connection.copy_records_to_table("kept", records=rows)
    await connection.close()
    found = await prove(
        empty_database_url,
        [Told(EVENT, request) for request in told],
        stored="SELECT event_id, seat_no, hold_id FROM kept",
        audited=False,
    )
    assert found == proof
    assert found.violations == proof.lost + proof.doubled + proof.untold


async def test_who_had_no_answer_may_have_a_hold_or_none(empty_database_url: str):
    stored: LiteralString = "SELECT 1::bigint AS event_id, 0 AS seat_no, gen_random_uuid() AS hold_id WHERE false"
    uncertain = [Told(EVENT, KEPT, is_certain=False)]
    assert await prove(empty_database_url, uncertain, stored=stored, audited=False) == TRUE


@pytest.fixture
async def held(database: Database, database_url: str) -> list[Told]:
    """Two holds that Frontrow has acknowledged."""
    [event_id] = await put_on_sale(database_url, HALLS["cinema"](), 1)
    batch = await database.ledger.hold_seats(event_id, [KEPT, OTHER])
    assert all(isinstance(answer, Placed) for answer in batch.answers)
    return [Told(event_id, KEPT), Told(event_id, OTHER)]


async def test_what_frontrow_acknowledges_is_true(held: list[Told], database_url: str):
    assert await prove(database_url, held, stored=STORED, audited=True) == TRUE


@pytest.mark.parametrize(
    ("lie", "seen_as"),
    [
        ("DELETE FROM claim WHERE seat_no = 0", "lost"),  # although the hold still says so
        ("DELETE FROM hold WHERE 0 = ANY (seats)", "lost"),  # although the claims still say so
        (SAME_SEATS_AGAIN, "doubled"),
        ("INSERT INTO claim SELECT event_id, 9, state, hold_id, expires_at FROM claim WHERE seat_no = 0", "untold"),
    ],
)
async def test_a_planted_lie_is_seen(
    held: list[Told], database: Database, database_url: str, lie: LiteralString, seen_as: str
):
    await database.pool.execute(lie)
    found = await prove(database_url, held, stored=STORED, audited=True)
    assert getattr(found, seen_as) > 0
    assert found.audit > 0
