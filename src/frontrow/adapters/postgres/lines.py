"""Lines as PostgreSQL knows them: their terms, and what operators have said. Satisfies `flows.ports.LineBook`.

Who waits is not in here: fans have their tickets.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line.policies import LineRules, Policy
from frontrow.core.line.terms import LineOrders, LineTerms
from frontrow.core.line.visits import SessionState

LINES_MAX: Final = 1_000  # that are not over: as many on-sales as a year has

_SQL: Final = sql.statements("lines")
_PAID: Final = {"checkout": SessionState.CHECKOUT, "sold": SessionState.FINISHED}


class PostgresLines:
    """Reads at once what is committed; what operators say is stored when it is answered."""

    def __init__(self, reading: Reading, transactions: Transactions) -> None:
        self._reading = reading
        self._transactions = transactions

    async def lines(self) -> Sequence[LineTerms]:
        """What lines go by, those that begin last first."""
        return [_terms(row) for row in await self._reading.fetch(_SQL["lines_published"], LINES_MAX)]

    async def keep_frontiers(self, frontiers: Mapping[EventId, float]) -> None:
        """So far lines have come: for the day on which nobody else remembers."""
        await self._transactions.fetch(_SQL["keep_frontiers"], list(frontiers), list(frontiers.values()))

    async def paid(self, event_id: EventId, fans: Sequence[FanId]) -> Sequence[tuple[FanId, SessionState, float]]:
        """Of these fans: who pays, and who has bought, with the time from which that can be."""
        rows = await self._reading.fetch(_SQL["what_is_paid"], event_id, fans)
        return [(FanId(row["fan_id"]), _PAID[row["state"]], row["placed_at"]) for row in rows]

    async def order(self, event_id: EventId, orders: LineOrders) -> bool:
        """An operator says something. False: there is no such line."""
        said = (orders.paused, orders.per_second_max, orders.is_drained)
        return bool(await self._transactions.fetch(_SQL["order_line"], event_id, *said))

    async def set_rules(self, event_id: EventId, rules: LineRules, *, cap: int, visit_seconds: int) -> bool:
        """False: the line has opened, or there is none."""
        row = (rules.policy.value, round(rules.gathering_seconds), rules.tranche_seconds)
        more = (rules.jitter_seconds, rules.tau_seconds, cap, visit_seconds)
        return bool(await self._transactions.fetch(_SQL["set_line"], event_id, *row, *more))

    async def set_cap(self, event_id: EventId, *, cap: int, visit_seconds: int) -> bool:
        """False: there is no such line."""
        return bool(await self._transactions.fetch(_SQL["set_cap"], event_id, cap, visit_seconds))


def _terms(row: asyncpg.Record) -> LineTerms:
    return LineTerms(
        event_id=EventId(row["event_id"]),
        rules=LineRules(
            policy=Policy(row["policy"]),
            tranche_seconds=row["tranche_seconds"],
            jitter_seconds=row["jitter_seconds"],
            tau_seconds=row["tau_seconds"],
            gathering_seconds=float(row["opens_seconds"]),
        ),
        seed=row["seed"],
        opens_at=row["on_sale_at"] - row["opens_seconds"],
        on_sale_at=row["on_sale_at"],
        ends_at=row["ends_at"],
        seats_unsold=row["seats_unsold"],
        cap=row["cap"],
        visit_seconds=row["visit_seconds"],
        is_cancelled=row["is_cancelled"],
        codes_until=row["codes_until"],
        paused=row["paused"],
        is_drained=row["is_drained"],
        per_second_max=row["per_second_max"],
        frontier=row["frontier"],
    )
