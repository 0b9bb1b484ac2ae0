"""Bringing a file of postal codes into a database."""

from pathlib import Path

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.postal_codes import keep
from frontrow.flows.import_postal_codes import import_postal_codes
from frontrow.halt import Halt


async def import_file(database_url: str, path: Path) -> int:
    """How many lines were imported."""
    try:
        lines = path.open("rb")
    except OSError as error:
        raise Halt(f"{path} cannot be read: {error.strerror}") from error
    with lines:
        database = await pool.connect(database_url, connections_max=1)
        try:
            return await import_postal_codes(database, keep, lines, name=str(path))
        except OSError as error:  # a folder opens, and is none of ours to read
            raise Halt(f"{path} cannot be read: {error.strerror}") from error
        finally:
            await database.close()
