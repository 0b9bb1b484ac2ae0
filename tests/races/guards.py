"""What keeps calls to the ledger from harming each other, and how a test does without each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, LiteralString

import asyncpg
from tests.ledger.rewriting import rewrite


@dataclass(frozen=True, slots=True)
class Guard:
    """Words of a function, or something of a table that a statement takes away."""

    function: str = ""
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    statement: LiteralString = ""

    async def take_away(self, pool: asyncpg.Pool) -> None:
        if self.statement:
            await pool.execute(self.statement)
        else:
            await rewrite(pool, self.function, self.changes)


GUARDS: Final[Mapping[str, Guard]] = MappingProxyType(
    {
        "lane": Guard("take_lane_v1", {" FOR NO KEY UPDATE": ""}),
        "key": Guard(statement="ALTER TABLE claim DROP CONSTRAINT claim_pkey"),
        "one live hold": Guard(statement="DROP INDEX hold_live_of_fan"),
        # The clock is read once the lane is ours.
        "clock": Guard(
            "take_lane_v1",
            {"BEGIN\n": "DECLARE asked_at timestamptz := hands();\nBEGIN\n", "RETURN hands()": "RETURN asked_at"},
        ),
        # Whose seats are freed: those of live holds, that belong to them still, that are not sold; and all of them.
        "live": Guard("free_holds_v1", {" AND hold.state || '' IN ('held', 'checkout')": ""}),
        "fence": Guard("free_holds_v1", {"AND claim.hold_id = ANY (hold_ids) ": ""}),
        "unsold": Guard("free_holds_v1", {" AND claim.state = 'held'": ""}),
        "count": Guard("free_holds_v1", {"cardinality(freed) <> cardinality(promised)": "false"}),
        "counts": Guard(statement="ALTER TABLE lane DROP CONSTRAINT lane_counts"),
        "releasable": Guard("release_holds_v1", {"hold.state || '' = 'held' AND ": ""}),
    }
)
