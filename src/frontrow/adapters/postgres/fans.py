"""Fans and their codes in PostgreSQL. Satisfies `flows.ports.Fans`."""

from collections.abc import Sequence
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection, Reading
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.catalogue import EventId
from frontrow.core.fans import (
    CODE_AGAIN_SECONDS,
    CODE_SECONDS,
    CODE_TRIES,
    CODES_AT_ONCE,
    AskLater,
    CodeAsked,
    EmailAddress,
    Nonce,
)
from frontrow.core.holds import FanId, HoldId

_SQL: Final = sql.statements("fans")


class PostgresFans:
    """Who is who, by address."""

    def __init__(self, reading: Reading, transactions: Transactions) -> None:
        self._reading = reading
        self._transactions = transactions

    async def ask_code(self, connection: Connection, email: EmailAddress, nonce: Nonce) -> CodeAsked | AskLater:
        """From now on this address has the code of this nonce, and no other. In the caller's SQL transaction."""
        asked = await connection.fetchrow(
            _SQL["ask_code"], email, nonce, CODE_SECONDS, CODE_TRIES, CODES_AT_ONCE, CODE_AGAIN_SECONDS
        )
        if asked is not None:
            return CodeAsked(asked["expires_at"])
        wait = await connection.fetchrow(_SQL["wait_for_code"], email, CODES_AT_ONCE, CODE_AGAIN_SECONDS)
        return AskLater(max(1, wait["seconds"] if wait else 1))

    async def spend_try(self, email: EmailAddress) -> Nonce | None:
        """The nonce that a code for this address is made from, for one try; None: no code can be right."""
        rows = await self._transactions.fetch(_SQL["spend_try"], email)
        return Nonce(rows[0]["nonce"]) if rows else None

    async def sign_in(
        self, connection: Connection, email: EmailAddress, nonce: Nonce, *, new_fan: FanId
    ) -> FanId | None:
        """The fan of this address, whose code is used up by it; None: it was used before.

        `new_fan`: the id of a fan whom we meet now.
        """
        if await connection.fetchrow(_SQL["use_code"], email, nonce) is None:
            return None
        return FanId(await connection.fetchval(_SQL["sign_in_fan"], email, new_fan))

    async def email_of(self, fan_id: FanId) -> EmailAddress | None:
        """A fan's address; None: they are nameless."""
        row = await self._reading.fetchrow(_SQL["email_of_fan"], fan_id)
        return EmailAddress(row["email"]) if row else None

    async def live_holds(self, fan_id: FanId) -> Sequence[tuple[EventId, HoldId]]:
        """What a fan holds now, at whatever events."""
        rows = await self._reading.fetch(_SQL["live_holds_of_fan"], fan_id)
        return [(EventId(row["event_id"]), HoldId(row["hold_id"])) for row in rows]

    async def forget(self, *, limit: int) -> int:
        """Forget who asked for a code that is over. Answers how many, at most so many."""
        return len(await self._transactions.fetch(_SQL["forget_sign_ins"], limit))
