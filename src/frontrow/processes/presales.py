"""Codes of presales: made by whoever has the signing key, asked for by an event until a time."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import datetime

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.access_codes import PostgresAccessBook
from frontrow.core.access_codes import NUMBER_BITS, AccessCodes, CodeNumber
from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.halt import Halt
from frontrow.processes.signing_keys import signing_secrets
from frontrow.settings import Settings


def make(settings: Settings, event_id: EventId, count: int, *, chance: Callable[[int], int]) -> Iterator[str]:
    """So many codes, no two alike. They need the signing key and no server. `chance` draws so many bits."""
    codes, made = AccessCodes(signing_secrets(settings)), set[int]()
    while len(made) < count:
        number = chance(NUMBER_BITS)
        if number not in made:
            made.add(number)
            yield codes.code(event_id, CodeNumber(number))


async def ask_until(url: str, event_id: EventId, until: datetime) -> None:
    """Until then the event lets in fans with a code alone."""
    async with _book(url) as book:
        if not await book.set_presale(event_id, until):
            raise Halt(f"there is no event {event_id}")


async def ask_no_more(url: str, event_id: EventId) -> bool:
    """The event lets everybody in from now on. False: it did before."""
    async with _book(url) as book:
        return await book.end_presale(event_id)


@asynccontextmanager
async def _book(url: str) -> AsyncGenerator[PostgresAccessBook]:
    database = await pool.connect(url, connections_max=1)
    try:
        yield database.access_codes
    except (UnavailableError, OutcomeUnknownError) as error:
        raise Halt(f"PostgreSQL: {error}; try again") from error
    finally:
        await database.close()
