"""A connection to PostgreSQL: how our code sees it, how one is opened, and what is said when that fails.

The pool has its own file.
"""

import re
from collections.abc import AsyncGenerator, Generator, Iterable, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final, LiteralString, Protocol

import asyncpg

from frontrow.core.faults import UnavailableError
from frontrow.halt import Halt

CONNECT_SECONDS_MAX: Final = 5.0  # a server that needs longer is in trouble, and the operator wants to know

# What a call may fail with: the server says no, asyncpg does, or the way to the server is gone. asyncpg calls it an
# internal error when it is asked for more before it has noticed that.
FAULTS: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)

# A server that goes away while it commits may have committed. Every other error of a statement undoes all of it.
MAY_BE_STORED: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # TimeoutError is one
)


class Reading(Protocol):
    """What a statement that reads needs: a connection, or a pool that lends one for the statement."""

    async def fetch(self, query: LiteralString, /, *args: object) -> list[asyncpg.Record]: ...
    async def fetchrow(self, query: LiteralString, /, *args: object) -> asyncpg.Record | None: ...


class ReadingPool:
    """Reads for flows and pages: a PostgreSQL that is away is UnavailableError to them, whatever asyncpg calls it."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def fetch(self, query: LiteralString, /, *args: object) -> list[asyncpg.Record]:
        try:
            async with lent(self._pool) as connection:
                return await connection.fetch(query, *args)
        except FAULTS as error:
            raise UnavailableError(str(error) or type(error).__name__) from error

    async def fetchrow(self, query: LiteralString, /, *args: object) -> asyncpg.Record | None:
        try:
            async with lent(self._pool) as connection:
                return await connection.fetchrow(query, *args)
        except FAULTS as error:
            raise UnavailableError(str(error) or type(error).__name__) from error


@asynccontextmanager
async def lent(pool: asyncpg.Pool) -> AsyncGenerator[asyncpg.pool.PoolConnectionProxy]:
    """A connection, for statements that are a transaction each.

    The server gives up a statement before we do. So where we ran out of time, nobody heard us, or we do not hear the
    answer. That connection is ended at once, without waiting for the server to agree, and those of its age with it.
    """
    connection = await pool.acquire()
    try:
        yield connection
    except TimeoutError:
        connection.terminate()
        await pool.expire_connections()
        raise
    finally:
        await pool.release(connection)


class Connection(Reading, Protocol):
    """An asyncpg connection that takes no SQL made at run time: every text is a LiteralString."""

    async def fetchval(self, query: LiteralString, /, *args: object) -> Any: ...  # noqa: ANN401 -- one value of any type
    async def execute(self, query: LiteralString, /, *args: object) -> str: ...
    async def executemany(
        self,
        command: LiteralString,
        /,
        args: Iterable[Sequence[object]],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 -- asyncpg's own word
    ) -> None: ...
    def get_server_version(self) -> asyncpg.types.ServerVersion: ...
    def is_closed(self) -> bool: ...


class ErrorSwallowedError(Exception):
    """PostgreSQL rolled back at COMMIT: a statement had failed, and its error was caught as if nothing had happened."""


@asynccontextmanager
async def sql_transaction(connection: Connection) -> AsyncGenerator[None]:
    """One SQL transaction: stored as a whole, or an exception.

    asyncpg's own block ends without a word when an error inside it was caught, and stores nothing. This one does not:
    it compares PostgreSQL's answer to COMMIT. READ COMMITTED is said, not assumed: the statements are written for it.
    """
    await connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    try:
        yield
    except BaseException:
        with suppress(*FAULTS):  # the first fault is the one to tell
            await connection.execute("ROLLBACK")
        raise
    if await connection.execute("COMMIT") != "COMMIT":
        raise ErrorSwallowedError


@asynccontextmanager
async def connected(url: str, *, purpose: str) -> AsyncGenerator[Connection]:
    """One connection outside the pool, for a command of an operator. Its purpose shows in pg_stat_activity."""
    with halting(url):
        connection = await asyncpg.connect(
            url, timeout=CONNECT_SECONDS_MAX, server_settings={"application_name": f"frontrow {purpose}"}
        )
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def halting(url: str) -> Generator[None]:
    """Turn what may go wrong while connecting into a line for the operator. The password is never in it."""
    try:
        yield
    except (*FAULTS, ValueError, OverflowError) as error:
        raise Halt(f"PostgreSQL at {address(url)}: {_explained(error)}") from error


def address(url: str) -> str:
    """A database URL that may be shown: without password, and without parameters, which may hold one too."""
    bare = re.split(r"\?(?=\w+=)", url)[0]  # a password may hold a question mark
    return re.sub(r"(?<=://)([^:@/]*):.*@", r"\1:***@", bare)


def _explained(error: Exception) -> str:  # noqa: PLR0911 -- a table: one cause, one line
    match error:
        case asyncpg.InvalidCatalogNameError():
            return f"{error}; create it, or correct FRONTROW_DATABASE_URL"
        case asyncpg.InvalidAuthorizationSpecificationError():
            return f"{error}; correct user and password in FRONTROW_DATABASE_URL"
        case asyncpg.CannotConnectNowError():
            return f"{error}; try again in a moment"
        case asyncpg.TooManyConnectionsError():
            return f"{error}; lower FRONTROW_DATABASE_CONNECTIONS_MAX or raise the server's max_connections"
        case TimeoutError():
            return f"no answer within {CONNECT_SECONDS_MAX:.0f} s; is it running, and does a firewall let us through?"
        case OSError():
            return f"cannot be reached ({error}); is it running, and is FRONTROW_DATABASE_URL right?"
        case _:
            return f"{error}; correct FRONTROW_DATABASE_URL"
