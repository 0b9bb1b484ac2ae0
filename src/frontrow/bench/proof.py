"""The proof of a measurement: what was acknowledged is stored, once, and nothing else is. Asked in SQL, at its end.

Whoever stores holds brings the query for who has which seat now.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, LiteralString

import asyncpg

from frontrow.adapters.postgres import audit
from frontrow.core.catalogue import EventId
from frontrow.core.holds import HoldRequest

READING_SECONDS_MAX: Final = 120.0  # a few hundred thousand seats, sorted
AUDIT_ROWS_MAX: Final = 1_000  # of one invariant; more make it no worse

TELL: Final = """
CREATE TEMPORARY TABLE told (event_id bigint, seat_no integer, hold_id uuid, is_certain boolean)
"""
COLUMNS: Final = ("event_id", "seat_no", "hold_id", "is_certain")

LOST: Final = """
SELECT count(*) FROM told LEFT JOIN stored USING (event_id, seat_no, hold_id)
 WHERE told.is_certain AND stored.event_id IS NULL
"""
# By what fans were told and by what is stored, taken together: neither alone shows a seat that was sold over.
DOUBLED: Final = """
SELECT count(*)
  FROM (SELECT event_id, seat_no
          FROM (SELECT event_id, seat_no, hold_id FROM told WHERE is_certain
                 UNION
                SELECT event_id, seat_no, hold_id FROM stored) AS one_owner
         GROUP BY event_id, seat_no
        HAVING count(*) > 1) AS doubled
"""
UNTOLD: Final = """
SELECT count(*) FROM stored LEFT JOIN told USING (event_id, seat_no, hold_id) WHERE told.event_id IS NULL
"""


@dataclass(frozen=True, slots=True)
class Told:
    """A hold that a fan was told of. Not certain: the fan had no answer, and it may be stored or not."""

    event_id: EventId
    request: HoldRequest
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class Proof:
    """What contradicts what fans were told, in seats; and what the audit finds, in rows. All of it must be 0."""

    lost: int  # acknowledged, and not stored
    doubled: int  # of two holds
    untold: int  # stored, and nobody was told
    audit: int

    @property
    def violations(self) -> int:
        return self.lost + self.doubled + self.untold + self.audit

    def __add__(self, other: "Proof") -> "Proof":
        return Proof(
            self.lost + other.lost,
            self.doubled + other.doubled,
            self.untold + other.untold,
            self.audit + other.audit,
        )


async def prove(database_url: str, told: Iterable[Told], *, stored: LiteralString, audited: bool) -> Proof:
    """Compare. `stored` asks for event_id, seat_no and hold_id; `audited`: Frontrow's invariants are asked as well."""
    connection = await asyncpg.connect(database_url, command_timeout=READING_SECONDS_MAX)
    try:
        await connection.execute("CREATE TEMPORARY VIEW stored AS " + stored)
        await connection.execute(TELL)
        seats = [
            (hold.event_id, seat, hold.request.hold_id, hold.is_certain) for hold in told for seat in hold.request.seats
        ]
        await connection.copy_records_to_table("told", records=seats, columns=COLUMNS)
        await connection.execute("ANALYZE told")
        found = await audit.violations(connection, limit_per_invariant=AUDIT_ROWS_MAX) if audited else ()
        return Proof(
            lost=await connection.fetchval(LOST),
            doubled=await connection.fetchval(DOUBLED),
            untold=await connection.fetchval(UNTOLD),
            audit=len(found),
        )
    finally:
        await connection.close()
