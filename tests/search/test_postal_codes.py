"""Postal codes: one is known however it is written, and a file of them is imported whole or not at all."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.postal_codes import keep
from frontrow.core.catalogue import Place
from frontrow.core.postal_codes import BadLine, PostalCode, postal_code, spellings
from frontrow.flows.import_postal_codes import import_postal_codes
from frontrow.flows.search import Search
from frontrow.halt import Halt
from frontrow.processes.postal_codes import import_file

BERN = "CH\t3011\tBern\tKanton Bern\tBE\tBern-Mittelland\t246\tBern\t351\t46.9479\t7.4446\t4"


@pytest.mark.parametrize(
    ("written", "as_known"),
    [
        ("12043", ["12043"]),
        (" 12043 ", ["12043"]),
        ("se15 5by", ["SE155BY", "SE15", "SE"]),
        ("SE155BY", ["SE155BY", "SE15", "SE"]),
        ("E1 6AN", ["E16AN", "E1", "E"]),  # E1, and not E16
        ("SW1A 1AA", ["SW1A1AA", "SW1A", "SW1", "SW"]),
        ("1150-014", ["1150014", "1150"]),
        ("10001-1234", ["100011234", "10001"]),
        ("", []),
        ("'; DROP TABLE", []),
        ("1" * 17, []),
    ],
)
def test_the_same_code_ever_more_roughly(written: str, as_known: Sequence[str]):
    assert list(spellings(written)) == as_known


@given(st.text())
def test_whatever_is_typed_is_codes_or_none(written: str):
    assert all(code.isascii() and code.isalnum() for code in spellings(written))


def test_a_line():
    assert postal_code(BERN + "\n") == PostalCode("CH", "3011", "Bern", Place(46.9479, 7.4446))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("CH 3011 Bern", "has 1 fields"),  # blanks between them
        (BERN.replace("CH\t", "Switzerland\t"), "field 1"),
        (BERN.replace("3011", "?"), "field 2"),
        (BERN.replace("\tBern\tKanton", f"\t{'B' * 201}\tKanton"), "field 3"),
        (BERN.replace("46.9479", "north"), "fields 10 and 11"),
        (BERN.replace("46.9479", "nan"), "fields 10 and 11"),
        (BERN.replace("7.4446", "181"), "fields 10 and 11"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(line: str, why: str):
    found = postal_code(line)
    assert isinstance(found, BadLine)
    assert why in found.why


@given(st.text())
def test_any_line_is_a_code_or_told_why_not(line: str):
    assert isinstance(postal_code(line), PostalCode | BadLine)


class TestImport:
    async def test_all_lines_are_kept(self, database: Database, small_search: Search):
        lines = [BERN.encode(), b"", BERN.replace("3011", "3012").replace("46.9479", "46.95").encode()]
        assert await import_postal_codes(database, keep, lines, name="CH.txt") == 2
        assert await small_search.place_of_postal_code("3011", None) == Place(46.9479, 7.4446)
        assert await small_search.place_of_postal_code("3012", "CH") == Place(46.95, 7.4446)
        assert await small_search.place_of_postal_code("3012", "DE") is None

    async def test_the_last_of_a_code_counts_and_moves_the_one_before(self, database: Database, small_search: Search):
        await import_postal_codes(database, keep, [BERN.encode()], name="CH.txt")
        twice = [BERN.replace("46.9479", "47").encode(), BERN.replace("46.9479", "48").encode()]
        await import_postal_codes(database, keep, twice, name="CH.txt")
        assert await small_search.place_of_postal_code("3011", None) == Place(48, 7.4446)

    @pytest.mark.parametrize("bad", [b"CH\t3012", BERN.replace("Bern", "Bärn").encode("latin-1")])
    async def test_one_bad_line_is_named_and_nothing_is_kept(self, database: Database, bad: bytes):
        with pytest.raises(Halt, match=r"CH\.txt, line 3 .*; nothing was imported"):
            await import_postal_codes(database, keep, [BERN.encode(), b"\n", bad], name="CH.txt")
        assert await database.pool.fetchval("SELECT count(*) FROM postal_code") == 0

    async def test_more_lines_than_go_into_one_statement(self, database: Database):
        lines = [BERN.replace("3011", f"{number:05}").encode() for number in range(12_001)]
        assert await import_postal_codes(database, keep, lines, name="CH.txt") == 12_001
        assert await database.pool.fetchval("SELECT count(*) FROM postal_code") == 12_001

    @pytest.mark.parametrize("name", ["nothing.txt", "."])
    async def test_a_file_that_is_none(self, database_url: str, tmp_path: Path, name: str):
        with pytest.raises(Halt, match="cannot be read"):
            await import_file(database_url, tmp_path / name)


async def test_of_several_countries_the_one_with_a_city_of_ours_is_closest(season: Database, search: Search):
    """10115 is in Berlin, and in New York."""
    assert await season.pool.fetchval("SELECT count(*) FROM postal_code WHERE code = '10115'") == 1
    assert await search.place_of_postal_code("10115", None) == Place(52.532, 13.385)
    assert await search.place_of_postal_code("E16 2QT", None) == Place(51.511, 0.024)
    assert await search.place_of_postal_code("1150-014", None) == Place(38.722, -9.137)
