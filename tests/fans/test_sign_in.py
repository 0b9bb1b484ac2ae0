"""Signing in, on a real PostgreSQL: a code is good once, for its time and its tries, and for its address alone."""

import asyncio
from collections.abc import Sequence
from typing import LiteralString

import asyncpg
import pytest
from tests.fans.reception import ADA, BOB, Reception, nameless, reception, wrong
from tests.postgres.watching import until_waiting

from frontrow import sql
from frontrow.adapters.postgres import fans as adapter
from frontrow.adapters.postgres.pool import Database
from frontrow.core.fans import CODE_AGAIN_SECONDS, CODE_SECONDS, CODE_TRIES, CODES_AT_ONCE, AskLater, CodeAsked
from frontrow.core.faults import OutcomeUnknownError, UnavailableError


async def test_the_first_code_makes_a_fan_and_the_next_finds_them(desk: Reception):
    fan_id = await desk.fan_of(ADA)
    assert await desk.fan_of(ADA) == fan_id
    assert await desk.fan_of(BOB) != fan_id
    who = await desk.sign_in.who(fan_id)
    assert who is not None
    assert who.email == ADA
    assert await desk.sign_in.who(nameless()) is None


async def test_the_mail_goes_to_the_address_and_has_the_code_in_every_form(desk: Reception):
    code = await desk.code_for(ADA)
    [row] = await desk.database.pool.fetch("SELECT * FROM kept_mail")
    assert row["recipient"] == ADA
    for part in ("subject", "words", "html"):
        assert code in row[part]
        assert "10 minutes" in row["words"]


async def test_a_code_is_good_once(desk: Reception):
    code = await desk.code_for()
    assert await desk.sign_in.verify(ADA, code, before=None)
    assert await desk.sign_in.verify(ADA, code, before=None) is None


async def test_of_two_with_the_same_code_one_is_let_in(desk: Reception):
    code = await desk.code_for()
    both = await asyncio.gather(*(desk.sign_in.verify(ADA, code, before=None) for _ in range(2)))
    assert sorted(entry is None for entry in both) == [False, True]


async def test_a_wrong_code_is_wrong_and_the_right_one_good_afterwards(desk: Reception):
    code = await desk.code_for()
    assert await desk.sign_in.verify(ADA, wrong(code), before=None) is None
    assert await desk.sign_in.verify(BOB, code, before=None) is None  # another address, which asked for none
    assert await desk.sign_in.verify(ADA, code, before=None)


async def test_after_so_many_tries_the_right_one_comes_too_late(desk: Reception):
    code = await desk.code_for()
    for _ in range(CODE_TRIES):
        assert await desk.sign_in.verify(ADA, wrong(code), before=None) is None
    assert await desk.sign_in.verify(ADA, code, before=None) is None
    assert await desk.sign_in.verify(ADA, await desk.code_for(), before=None)  # another code, other tries


async def test_guessing_side_by_side_gives_no_more_tries(desk: Reception):
    code = await desk.code_for()
    guesses = [wrong(code)] * (3 * CODE_TRIES)
    await asyncio.gather(*(desk.sign_in.verify(ADA, guess, before=None) for guess in guesses))
    assert await desk.database.pool.fetchval("SELECT tries_left FROM sign_in") == 0
    assert await desk.sign_in.verify(ADA, code, before=None) is None


async def test_the_last_try_may_be_the_right_one(desk: Reception):
    code = await desk.code_for()
    for _ in range(CODE_TRIES - 1):
        await desk.sign_in.verify(ADA, wrong(code), before=None)
    assert await desk.sign_in.verify(ADA, code, before=None)


@pytest.mark.parametrize(("seconds", "is_good"), [(CODE_SECONDS - 60, True), (CODE_SECONDS, False)])
async def test_it_ends_at_its_time(desk: Reception, seconds: float, *, is_good: bool):
    code = await desk.code_for()
    await desk.let_pass(seconds)
    assert (await desk.sign_in.verify(ADA, code, before=None) is not None) is is_good


async def test_another_code_makes_the_one_before_void(desk: Reception):
    first, second = await desk.code_for(), await desk.code_for()
    assert await desk.sign_in.verify(ADA, first, before=None) is None
    assert await desk.sign_in.verify(ADA, second, before=None)


async def test_an_address_asks_so_often_and_then_later(desk: Reception):
    last = [await desk.code_for() for _ in range(CODES_AT_ONCE)][-1]
    answer = await desk.sign_in.ask(ADA)
    assert isinstance(answer, AskLater)
    assert CODE_AGAIN_SECONDS - 60 < answer.seconds <= CODE_AGAIN_SECONDS
    assert isinstance(await desk.sign_in.ask(BOB), CodeAsked)  # each by itself
    assert await desk.sign_in.verify(ADA, last, before=None)  # the last one sent is still good
    assert isinstance(await desk.sign_in.ask(ADA), AskLater)  # … and signing in gives no more of them
    await desk.let_pass(CODE_AGAIN_SECONDS)
    assert isinstance(await desk.sign_in.ask(ADA), CodeAsked)
    assert isinstance(await desk.sign_in.ask(ADA), AskLater)
    await desk.let_pass(CODES_AT_ONCE * CODE_AGAIN_SECONDS)
    answers = [await desk.sign_in.ask(ADA) for _ in range(CODES_AT_ONCE + 1)]
    assert [isinstance(answer, CodeAsked) for answer in answers] == [True] * CODES_AT_ONCE + [False]


async def test_refused_asking_mails_nothing_and_changes_nothing(desk: Reception):
    for _ in range(CODES_AT_ONCE):
        await desk.code_for()
    before = await desk.database.pool.fetch("SELECT * FROM sign_in"), await mails(desk)
    await desk.sign_in.ask(ADA)
    assert (await desk.database.pool.fetch("SELECT * FROM sign_in"), await mails(desk)) == before


async def mails(desk: Reception) -> Sequence[str]:
    await desk.do_jobs.look()
    await desk.do_jobs.finish()
    return [mail.subject for mail in await desk.database.mails.newest(limit=100)]


async def test_asking_at_once_from_many_processes_gives_no_more_codes(database: Database):
    desks = [reception(database) for _ in range(4)]
    answers = await asyncio.gather(*(desk.sign_in.ask(ADA) for desk in desks * 5))
    assert sum(isinstance(answer, CodeAsked) for answer in answers) == CODES_AT_ONCE


async def test_known_and_unknown_addresses_are_told_apart_by_nothing(desk: Reception):
    await desk.fan_of(ADA)
    known, unknown = await desk.sign_in.ask(ADA), await desk.sign_in.ask(BOB)
    assert type(known) is type(unknown)
    assert [await desk.sign_in.verify(email, "00000000", before=None) for email in (ADA, BOB)] == [None, None]


async def test_nothing_in_the_database_tells_a_code_that_is_on_its_way(desk: Reception):
    """Not even the job that mails it. What is kept for the page of mails is, as its words say, for trying things."""
    await desk.sign_in.ask(ADA)
    tables = (
        await desk.database.pool.fetch("SELECT * FROM sign_in"),
        await desk.database.pool.fetch("SELECT * FROM job"),
    )
    stored = " ".join(str(dict(row)) for rows in tables for row in rows)
    assert await desk.mailed_code() not in stored


async def test_the_code_and_its_mail_are_stored_together_or_not_at_all(
    desk: Reception, monkeypatch: pytest.MonkeyPatch
):
    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(desk.database.jobs), "add", broken)
    with pytest.raises(ZeroDivisionError):
        await desk.sign_in.ask(ADA)
    assert await desk.database.pool.fetchval("SELECT count(*) FROM sign_in") == 0


async def test_a_fan_with_an_address_becomes_another_and_stays_who_they_were(desk: Reception):
    ada = await desk.fan_of(ADA)
    assert await desk.fan_of(BOB, before=ada) != ada
    assert await desk.fan_of(ADA) == ada


async def test_a_nameless_id_never_becomes_a_name(desk: Reception):
    """Somebody else may have a token of it: the one before at the same machine."""
    before = nameless()
    assert await desk.fan_of(ADA, before=before) != before
    assert await desk.fan_of(BOB, before=before) != before


async def test_postgres_away_is_told(desk: Reception):
    code = await desk.code_for()
    await refuse(desk.database)
    with pytest.raises((UnavailableError, OutcomeUnknownError)):
        await desk.sign_in.verify(ADA, code, before=None)
    with pytest.raises((UnavailableError, OutcomeUnknownError)):
        await desk.sign_in.ask(BOB)


async def refuse(database: Database) -> None:
    """End all connections, and let no new one be made."""
    await database.pool.close()


async def test_old_askings_are_forgotten_and_no_others(desk: Reception):
    await desk.code_for(ADA)
    await desk.let_pass(2 * CODE_SECONDS)
    await desk.code_for(BOB)
    assert await desk.database.fans.forget(limit=10) == 1
    assert [row["email"] for row in await desk.database.pool.fetch("SELECT email FROM sign_in")] == [BOB]


async def test_who_has_asked_often_is_not_forgotten_before_they_have_rested(desk: Reception):
    for _ in range(CODES_AT_ONCE):
        await desk.code_for(ADA)
    await desk.let_pass(2 * CODE_SECONDS)
    assert await desk.database.fans.forget(limit=10) == 0


# Each guard is taken away, and then what it prevents happens: the tests above would see it.
GUARDS: list[tuple[str, LiteralString, LiteralString]] = [
    ("spend_try", "AND nonce IS NOT NULL AND tries_left > 0", "AND nonce IS NOT NULL"),
    ("spend_try", "tries_left = tries_left - 1", "tries_left = tries_left"),
    ("spend_try", " AND expires_at > clock_timestamp()", ""),
    ("use_code", "SET nonce = NULL", "SET nonce = nonce"),
    ("ask_code", "SET nonce      = excluded.nonce", "SET nonce      = sign_in.nonce"),
    (
        "ask_code",
        "rested_at <= clock_timestamp() +",
        "rested_at <= 'infinity' OR sign_in.rested_at <= clock_timestamp() +",
    ),
]


async def no_harm(desk: Reception) -> None:
    """What the guards are for, in short. AssertionError where one is missing."""
    first = await desk.code_for(ADA)
    code = await desk.code_for(ADA)
    assert first == code or await desk.sign_in.verify(ADA, first, before=None) is None
    assert await desk.sign_in.verify(ADA, code, before=None) is not None
    assert await desk.sign_in.verify(ADA, code, before=None) is None
    code = await desk.code_for(ADA)
    for _ in range(CODE_TRIES):
        await desk.sign_in.verify(ADA, wrong(code), before=None)
    assert await desk.sign_in.verify(ADA, code, before=None) is None
    code = await desk.code_for(ADA)
    await desk.let_pass(CODE_SECONDS)
    assert await desk.sign_in.verify(ADA, code, before=None) is None
    answers = [await desk.sign_in.ask(BOB) for _ in range(CODES_AT_ONCE + 1)]
    assert isinstance(answers[-1], AskLater)


async def test_with_all_guards_there_is_no_harm(desk: Reception):
    await no_harm(desk)


@pytest.mark.parametrize(("statement", "words", "others"), GUARDS)
async def test_control_without_a_guard_there_is(
    desk: Reception, monkeypatch: pytest.MonkeyPatch, statement: str, words: str, others: str
):
    statements: dict[str, str] = dict(sql.statements("fans"))
    assert statements[statement].count(words) == 1
    statements[statement] = statements[statement].replace(words, others)
    monkeypatch.setattr(adapter, "_SQL", statements)
    with pytest.raises((AssertionError, asyncpg.PostgresError, UnavailableError)):
        await no_harm(desk)


async def test_whose_turn_it_is_to_use_a_code_the_row_decides(database: Database, database_url: str):
    """One is using it up, and has not ended; the other waits for that, and then finds it used."""
    desk = reception(database)
    code = await desk.code_for()
    keeper = await asyncpg.connect(database_url)
    await keeper.execute("BEGIN; SELECT FROM sign_in FOR UPDATE")
    other = asyncio.create_task(desk.sign_in.verify(ADA, code, before=None))
    await until_waiting(keeper, 1)
    await keeper.execute("UPDATE sign_in SET nonce = NULL; COMMIT")
    assert await other is None
    await keeper.close()
