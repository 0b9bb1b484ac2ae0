"""The pool of connections a process works with, and what of it other layers see."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.access_codes import PostgresAccessBook
from frontrow.adapters.postgres.catalogue import PostgresCatalogue
from frontrow.adapters.postgres.connection import (
    CONNECT_SECONDS_MAX,
    FAULTS,
    Connection,
    ReadingPool,
    halting,
    lent,
    sql_transaction,
)
from frontrow.adapters.postgres.fans import PostgresFans
from frontrow.adapters.postgres.jobs import PostgresJobs
from frontrow.adapters.postgres.journal import PostgresJournal
from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.adapters.postgres.lines import PostgresLines
from frontrow.adapters.postgres.mail import KeptMails
from frontrow.adapters.postgres.migrations import ensure_understood, misunderstanding, schema_state
from frontrow.adapters.postgres.orders import PostgresOrders
from frontrow.adapters.postgres.payments import PostgresAttempts
from frontrow.adapters.postgres.tickets import PostgresTickets
from frontrow.adapters.postgres.transactions import Transactions

COMMAND_SECONDS_MAX: Final = 8.0  # beyond the server's own limit below: only a frozen server or network gets here
TROUBLE_SECONDS_MAX: Final = 1.5  # /readyz promises an answer within 2 s

SESSION: Final = {
    "application_name": "frontrow",
    "statement_timeout": "5s",  # a request is given up after 15 s; no statement of ours needs one
    "lock_timeout": "2s",  # waiting longer for a row than a fan waits for a page helps nobody
    "idle_in_transaction_session_timeout": "5s",  # a frozen process must let go of the rows it took
    "default_transaction_isolation": "read committed",  # what the statements are written for
    "synchronous_commit": "on",  # a yes is on the disk, whatever was set for this database or account
    "jit": "off",  # our statements take a millisecond; compiling one takes a hundred
}


class PostgresPart:
    """PostgreSQL as /readyz asks about it. At most one question is under way, however many ask and however it hangs."""

    name: str = "postgres"

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._question: asyncio.Task[str | None] | None = None

    async def trouble(self) -> str | None:
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(self._ask())
        done, _ = await asyncio.wait({self._question}, timeout=TROUBLE_SECONDS_MAX)
        return self._question.result() if done else f"no answer within {TROUBLE_SECONDS_MAX} s"

    async def close(self) -> None:
        if self._question is not None:
            self._question.cancel()
            await asyncio.wait({self._question})

    async def _ask(self) -> str | None:
        try:
            async with lent(self._pool) as connection:
                return misunderstanding(await schema_state(connection), sql.migrations())
        except FAULTS as error:
            return str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Database:
    """A process's PostgreSQL: what it offers to flows and pages, and its end."""

    pool: asyncpg.Pool
    catalogue: PostgresCatalogue
    ledger: PostgresLedger
    journal: PostgresJournal
    transactions: Transactions
    fans: PostgresFans
    jobs: PostgresJobs
    mails: KeptMails
    lines: PostgresLines
    orders: PostgresOrders
    access_codes: PostgresAccessBook
    tickets: PostgresTickets
    part: PostgresPart

    def attempts(self, provider: str) -> PostgresAttempts:
        """Attempts to pay that are made at this provider."""
        return PostgresAttempts(self.transactions, provider=provider)

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """A connection with an open SQL transaction. Await nothing outside PostgreSQL inside."""
        async with self.pool.acquire() as connection, sql_transaction(connection):
            yield connection

    async def close(self) -> None:
        await self.part.close()
        await self.pool.close()


async def connect(url: str, *, connections_max: int) -> Database:
    """Connect, or Halt: PostgreSQL out of reach, or a schema that this program does not understand."""
    with halting(url):
        pool = await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=connections_max,
            timeout=CONNECT_SECONDS_MAX,
            command_timeout=COMMAND_SECONDS_MAX,
            server_settings=SESSION,
            setup=_check_out,
            reset=_hand_back,
        )
    try:
        async with pool.acquire() as connection:
            await ensure_understood(connection)
    except BaseException:
        await pool.close()
        raise
    reading, transactions = ReadingPool(pool), Transactions(pool)
    return Database(
        pool,
        PostgresCatalogue(reading),
        PostgresLedger(pool),
        PostgresJournal(reading),
        transactions,
        PostgresFans(reading, transactions),
        PostgresJobs(transactions),
        KeptMails(reading, transactions),
        PostgresLines(reading, transactions),
        PostgresOrders(reading, transactions),
        PostgresAccessBook(reading, transactions),
        PostgresTickets(reading),
        PostgresPart(pool),
    )


async def _check_out(connection: asyncpg.pool.PoolConnectionProxy) -> None:
    """A connection that carries somebody's open SQL transaction would take our writes down with it. It is closed."""
    assert not connection.is_in_transaction(), "a pooled connection carries an open SQL transaction"


async def _hand_back(_: asyncpg.Connection) -> None:
    """Undo nothing: asyncpg rolls back what is open, before this is called.

    Our statements change no session (SET LOCAL at most), so the round trip of the usual RESET is saved each time.
    """
