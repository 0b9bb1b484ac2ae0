"""Codes of presales in PostgreSQL. Satisfies `flows.ports.AccessBook`."""

from datetime import datetime
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.access_codes import CodeNumber
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId

_SQL: Final = sql.statements("access_codes")


class PostgresAccessBook:
    """Which codes were used, and until when events ask for them."""

    def __init__(self, reading: Reading, transactions: Transactions) -> None:
        self._reading = reading
        self._transactions = transactions

    async def use(self, event_id: EventId, number: CodeNumber, fan_id: FanId) -> bool:
        """The fan has access by it, or had it before. False: the code is somebody else's."""
        if await self._transactions.fetch(_SQL["use_access_code"], event_id, number, fan_id):
            return True
        return await self._reading.fetchrow(_SQL["access_of_fan"], event_id, fan_id) is not None

    async def set_presale(self, event_id: EventId, until: datetime) -> bool:
        """False: there is no such event."""
        return bool(await self._transactions.fetch(_SQL["set_presale"], event_id, until))

    async def end_presale(self, event_id: EventId) -> bool:
        """False: there was none."""
        return bool(await self._transactions.fetch(_SQL["end_presale"], event_id))
