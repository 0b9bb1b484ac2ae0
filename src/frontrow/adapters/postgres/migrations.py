"""Moving the schema forward, and telling whether this program and a database understand each other.

Each migration is one SQL transaction together with the line that records it: whatever ends it in the middle, even
kill -9, leaves the database before it or after it. Migrators take turns, so two of them do no harm.

The schema moves in two steps. An expand migration adds; yesterday's program runs on. A contract migration takes away
what no program uses any more, and raises schema_compat to the oldest program that still works.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.connection import Connection, sql_transaction
from frontrow.halt import Halt
from frontrow.sql import Migration

SERVER_MAJOR_MIN: Final = 15

_SQL: Final = sql.statements("migrations")


@dataclass(frozen=True, slots=True)
class Applied:
    """A migration that ran in this database."""

    number: int
    name: str
    sha256: str
    applied_at: datetime


@dataclass(frozen=True, slots=True)
class SchemaState:
    """What a database is, as far as migrations are concerned."""

    server_major: int
    server: str
    applied: tuple[Applied, ...]
    oldest_program: int  # the number of the newest migration that program must know; 0 in an empty database

    @property
    def newest(self) -> int:
        return max((applied.number for applied in self.applied), default=0)


async def schema_state(connection: Connection) -> SchemaState:
    version = connection.get_server_version()
    there = await connection.fetchval(_SQL["is_bookkeeping_there"])
    rows = await connection.fetch(_SQL["applied_migrations"]) if there else []
    return SchemaState(
        server_major=version.major,
        server=f"{version.major}.{version.minor}",
        applied=tuple(Applied(row["number"], row["name"], row["sha256"], row["applied_at"]) for row in rows),
        oldest_program=await connection.fetchval(_SQL["oldest_program"]) if there else 0,
    )


def pending(state: SchemaState, known: Sequence[Migration] | None = None) -> tuple[Migration, ...]:
    """The migrations this program has and the database has not, in order."""
    known = sql.migrations() if known is None else known
    ran = {applied.number for applied in state.applied}
    return tuple(migration for migration in known if migration.number not in ran)


def obstacle(state: SchemaState, known: Sequence[Migration]) -> str | None:
    """Why this program must leave the database alone, or None. In order of precedence."""
    if state.server_major < SERVER_MAJOR_MIN:
        return f"PostgreSQL {SERVER_MAJOR_MIN} or newer is needed, this is {state.server}; upgrade the server"
    sha256_of = {migration.number: migration.sha256 for migration in known}
    for applied in state.applied:
        if sha256_of.get(applied.number, applied.sha256) != applied.sha256:
            return (
                f"migration {applied.name} is not the one that ran in this database: a migration never changes; "
                "restore the file, or run the Frontrow that made the database"
            )
    if state.oldest_program > newest_of(known):
        return (
            f"the database is at {state.newest:04}, this Frontrow understands up to {newest_of(known):04}: "
            "run the newer Frontrow, or restore a backup from before its migration"
        )
    return None


def newest_of(known: Sequence[Migration]) -> int:
    """The number by which a program says how far it understands."""
    return max((migration.number for migration in known), default=0)


def misunderstanding(state: SchemaState, known: Sequence[Migration] | None = None) -> str | None:
    """Why this program cannot work with the database, or None: an obstacle, or migrations still to run."""
    known = sql.migrations() if known is None else known
    if pending(state, known):
        behind = obstacle(state, known)
        return behind or (
            f"the database is at {state.newest:04}, this Frontrow needs {newest_of(known):04}: "
            "run `frontrow db migrate`"
        )
    return obstacle(state, known)


async def ensure_understood(connection: Connection, known: Sequence[Migration] | None = None) -> None:
    """Halt where this program and the database do not understand each other."""
    trouble = misunderstanding(await schema_state(connection), sql.migrations() if known is None else known)
    if trouble:
        raise Halt(trouble)


async def migrate(connection: Connection, known: Sequence[Migration] | None = None) -> tuple[Migration, ...]:
    """Run what is pending, one SQL transaction each. Answers what this call ran: nothing, the second time."""
    known = sql.migrations() if known is None else known
    ran: list[Migration] = []
    while migration := await _migrate_once(connection, known):
        ran.append(migration)
    return tuple(ran)


async def _migrate_once(connection: Connection, known: Sequence[Migration]) -> Migration | None:
    """Run the next pending migration, if any. What is pending is read after the turn is ours."""
    async with sql_transaction(connection):
        await _take_turn(connection)
        state = await schema_state(connection)
        if reason := obstacle(state, known):
            raise Halt(reason)
        if not (todo := pending(state, known)):
            return None
        await _run(connection, todo[0])
    return todo[0]


async def _take_turn(connection: Connection) -> None:
    await connection.execute(_SQL["limit_turn_wait"])
    try:
        await connection.execute(_SQL["take_turn"])
    except asyncpg.LockNotAvailableError as error:
        raise Halt("another migration has been running for a minute; let it end, then try again") from error


async def _run(connection: Connection, migration: Migration) -> None:
    await connection.execute(_SQL["limit_migration"])
    try:
        await connection.execute(migration.text)
    except asyncpg.PostgresError as error:
        raise Halt(f"migration {migration.name} changed nothing: {_explained(error)}") from error
    await connection.execute(_SQL["record_migration"], migration.number, migration.name, migration.sha256)


def _explained(error: asyncpg.PostgresError) -> str:
    match error:
        case asyncpg.LockNotAvailableError():
            return f"{error}; something else works on the table: try again, or end what holds it"
        case asyncpg.QueryCanceledError():
            return f"{error}; try again at a quieter hour"
        case asyncpg.InsufficientPrivilegeError():
            return f"{error}; let the user of FRONTROW_DATABASE_URL own the database"
        case asyncpg.DuplicateTableError():
            return f"{error}; give Frontrow a database of its own"
        case _:
            return f"{error}; this is a fault of Frontrow: please report it"
