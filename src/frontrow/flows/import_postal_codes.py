"""Importing postal codes: all lines of a file or none, and its number for whoever has to mend one."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol, TypeVar

from frontrow.core.postal_codes import BadLine, PostalCode, postal_code
from frontrow.halt import Halt

LINES_AT_ONCE: Final = 5_000  # in one statement, a moment each: the largest file there is has 1.6 million lines

Connection = TypeVar("Connection")
Connection_co = TypeVar("Connection_co", covariant=True)
Keep = Callable[[Connection, Sequence[PostalCode]], Awaitable[None]]


class Store(Protocol[Connection_co]):
    """Where postal codes are kept: whatever opens SQL transactions."""

    def transaction(self) -> AbstractAsyncContextManager[Connection_co]: ...


async def import_postal_codes(
    store: Store[Connection], keep: Keep[Connection], lines: Iterable[bytes], *, name: str
) -> int:
    """How many lines were imported. A line that is wrong ends it, and nothing was."""
    imported = 0
    read: list[PostalCode] = []
    async with store.transaction() as connection:
        for number, line in enumerate(lines, start=1):
            code = _read(line, where=f"{name}, line {number}")
            if code is not None:
                read.append(code)
            if len(read) == LINES_AT_ONCE:
                await keep(connection, read)
                imported += len(read)
                read.clear()
        await keep(connection, read)
    return imported + len(read)


def _read(line: bytes, *, where: str) -> PostalCode | None:
    """One line; nothing, where there is nothing in it."""
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Halt(f"{where} is not UTF-8; nothing was imported") from None
    if not text.strip():
        return None
    code = postal_code(text)
    if isinstance(code, BadLine):
        raise Halt(f"{where} {code.why}; nothing was imported")
    return code
