"""The statements: schema, migrations, named queries. Readable without Python.

This file only reads them. In queries/*.sql each statement has a name and says what it does:

    -- name: listing_of_event
    -- One event as the public knows it.
    SELECT ...

Texts are LiteralString, so the type checker refuses SQL that was put together at run time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Literal, LiteralString, cast

FOLDER: Final = files(__name__)

_STATEMENT: Final = re.compile(
    r"-- name: (?P<name>[a-z][a-z0-9_]*)\n(?P<about>(?:-- [^\n]+\n)+)(?P<text>[^-].+?)\s*", re.DOTALL
)
_MIGRATION: Final = re.compile(r"(?P<number>\d{4})_(?P<kind>expand|contract)_[a-z0-9_]+")


@cache
def statements(file: str, folder: Traversable = FOLDER / "queries") -> Mapping[str, LiteralString]:
    """The statements of one file by name. Each begins with its name, for whoever reads pg_stat_activity."""
    _, *parts = re.split(r"^(?=-- name:)", (folder / f"{file}.sql").read_text("utf-8"), flags=re.MULTILINE)
    found: dict[str, LiteralString] = {}
    for part in parts:
        match = _STATEMENT.fullmatch(part)
        if match is None:
            raise ValueError(f"{file}.sql: a name, a line that says what it does, and a statement: {part[:60]!r}")
        if match["name"] in found:
            raise ValueError(f"{file}.sql: {match['name']} is there twice")
        found[match["name"]] = cast("LiteralString", f"/* {file}.{match['name']} */ {match['text']}")
    return found


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of migrations/. Its number orders it; expand runs before the new program, contract after the old."""

    number: int
    kind: Literal["expand", "contract"]
    name: str
    text: LiteralString
    sha256: str


@cache
def migrations(folder: Traversable = FOLDER / "migrations") -> tuple[Migration, ...]:
    """All migrations in order, numbered from 1, each number once. One may be missing: its branch is not here yet."""
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".sql")), key=lambda path: path.name)
    found = tuple(_migration(path) for path in paths)
    numbers = [migration.number for migration in found]
    if numbers[:1] != [1] or len(set(numbers)) < len(numbers):
        raise ValueError(f"migrations are numbered 0001, 0002, … each once: {[path.name for path in paths]}")
    return found


def _migration(path: Traversable) -> Migration:
    name = path.name.removesuffix(".sql")
    match = _MIGRATION.fullmatch(name)
    if match is None:
        raise ValueError(f"a migration is named NNNN_expand_what.sql or NNNN_contract_what.sql: {path.name}")
    content = path.read_bytes()
    return Migration(
        number=int(match["number"]),
        kind="expand" if match["kind"] == "expand" else "contract",
        name=name,
        text=cast("LiteralString", content.decode()),
        sha256=sha256(content).hexdigest(),
    )
