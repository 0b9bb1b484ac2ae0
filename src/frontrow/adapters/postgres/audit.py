"""The invariants, asked of the live database: what is not as it must be. Each is explained in sql/schema/."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading

VIOLATIONS_PER_INVARIANT_MAX: Final = 20  # one shows that it is broken, twenty show what they have in common

_SQL: Final = sql.statements("audit")


@dataclass(frozen=True, slots=True)
class Violation:
    """One row that breaks one invariant. Each is one line of text."""

    invariant: str
    row: str


async def violations(
    reading: Reading, *, limit_per_invariant: int = VIOLATIONS_PER_INVARIANT_MAX
) -> Sequence[Violation]:
    """What breaks the invariants, in the order of their names. Nothing: every one of them holds."""
    rows = await reading.fetch(_SQL["violations"], limit_per_invariant)
    return [Violation(row["invariant"], row["violation"]) for row in rows]
