"""The files of statements: each has its name and its words, each is valid, each is used."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Final, LiteralString

import asyncpg
import pytest

from frontrow import sql
from frontrow.adapters import postgres

FILES: Final = sorted(
    path.name.removesuffix(".sql") for path in (sql.FOLDER / "queries").iterdir() if path.name.endswith(".sql")
)
STATEMENTS: Final[Mapping[str, LiteralString]] = {
    f"{file}.{name}": text for file in FILES for name, text in sql.statements(file).items()
}
every_statement = pytest.mark.parametrize("name", STATEMENTS)


@every_statement
async def test_it_is_valid_in_todays_schema(passing: asyncpg.Connection, name: str):
    text = STATEMENTS[name]
    if "SET LOCAL" in text:  # may be several: they take no parameters, and are undone with the SQL transaction
        await passing.execute(text)
    else:
        await passing.prepare(text)


@every_statement
def test_it_is_used(name: str):
    file, _, statement = name.partition(".")
    sources = [path.read_text("utf-8") for path in Path(postgres.__file__).parent.rglob("*.py")]
    using = [source for source in sources if f'statements("{file}")' in source]
    assert any(f'"{statement}"' in source for source in using)


@every_statement
def test_it_begins_with_its_name_for_whoever_watches_the_server(name: str):
    assert STATEMENTS[name].startswith(f"/* {name} */ ")


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_statement_is_all_that_follows_its_words(tmp_path: Path):
    text = """\
        -- About the file.

        -- name: seats_of
        -- All seats.
        -- Each once.
        SELECT 1
          FROM a; -- b

        -- name: none
        -- None.
        X;
        Y;
    """
    found = sql.statements("seats", write(tmp_path, "seats.sql", dedent(text)))
    assert found == {"seats_of": "/* seats.seats_of */ SELECT 1\n  FROM a; -- b", "none": "/* seats.none */ X;\nY;"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-- name: seats\nSELECT 1;\n", "a line that says what it does"),
        ("-- name: Seats\n-- All.\nSELECT 1;\n", "a name"),  # one way to write names
        ("-- name: seats\n-- All.\n", "and a statement"),
        ("-- name: seats\n-- All.\nSELECT 1;\n-- name: seats\n-- All.\nSELECT 2;\n", "seats is there twice"),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str, words: str):
    with pytest.raises(ValueError, match=words):
        sql.statements("seats", write(tmp_path, "seats.sql", text))


@pytest.mark.parametrize(
    "names",
    [
        ["0002_expand_seats.sql"],  # begins with the second
        ["0001_expand_seats.sql", "0001_expand_rows.sql"],  # two branches made the same number
        ["0001_change_seats.sql"],  # neither expands nor contracts
        ["1_expand_seats.sql"],
        ["0001_expand_Seats.sql"],
    ],
)
def test_migrations_in_disorder_are_refused(tmp_path: Path, names: list[str]):
    for name in names:
        write(tmp_path, name, "-- Seats.\n")
    with pytest.raises(ValueError, match=r"numbered 0001, 0002|named NNNN_expand"):
        sql.migrations(tmp_path)


def test_migrations_come_in_order_with_the_hash_of_their_bytes(tmp_path: Path):
    write(tmp_path, "0002_contract_rows.sql", "")
    write(tmp_path, "0001_expand_seats.sql", "-- Seats.\n")
    write(tmp_path, "notes.txt", "")
    first, second = sql.migrations(tmp_path)
    assert (first.number, first.kind, second.number, second.kind) == (1, "expand", 2, "contract")
    assert second.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
