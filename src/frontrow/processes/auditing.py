"""Asking the live database whether every invariant holds."""

from collections.abc import Sequence

from frontrow.adapters.postgres.audit import Violation, violations
from frontrow.adapters.postgres.connection import connected
from frontrow.adapters.postgres.migrations import ensure_understood


async def audit(database_url: str) -> Sequence[Violation]:
    async with connected(database_url, purpose="audit") as connection:
        await ensure_understood(connection)
        return await violations(connection)
