"""For each house rule: text that keeps it and text that breaks it, as if it stood in a file of that path."""

from dataclasses import dataclass
from textwrap import dedent
from typing import Final

from tests.tidy import places, reasons, sizes, statements, time_and_chance, transactions, words
from tests.tidy.rules import Rule


@dataclass(frozen=True)
class Case:
    rule: Rule
    path: str
    good: str
    bad: str
    bad_path: str


def _case(rule: Rule, path: str, *, good: str, bad: str, bad_path: str | None = None) -> Case:
    return Case(rule, path, dedent(good).lstrip("\n"), dedent(bad).lstrip("\n"), bad_path or path)


CORE: Final = "src/frontrow/core/holds.py"
FLOW: Final = "src/frontrow/flows/hold_seats.py"
ADAPTER: Final = "src/frontrow/adapters/postgres/holds.py"
QUERIES: Final = "src/frontrow/sql/queries/holds.sql"
PAGE: Final = "src/frontrow/web/pages/event.html"

TIME_AND_CHANCE: Final = (
    _case(
        time_and_chance.clock_read,
        CORE,
        good="from datetime import datetime\ndef has_ended(now: datetime) -> bool: ...",
        bad="from datetime import UTC, datetime as dt\ndef has_ended() -> bool: return dt.now(UTC) > END",
    ),
    _case(
        time_and_chance.clock_read,
        FLOW,
        good="import time\nstarted = time.monotonic()",
        bad="import time as t\nclock = t.time",
    ),
    _case(
        time_and_chance.clock_read,
        FLOW,
        good="from datetime import date\nday = date(2027, 1, 1)",
        bad="from datetime import date\nday = date.today()",
    ),
    _case(
        time_and_chance.chance_in_core,
        CORE,
        good="from uuid import UUID\ndef hold(hold_id: UUID) -> None: ...",
        bad="import uuid\ndef hold() -> None: return uuid.uuid4()",
    ),
)

TRANSACTIONS: Final = (
    _case(
        transactions.transaction_outside_flow,
        ADAPTER,
        good="async def keep(tx: Tx) -> None: await tx.execute(KEEP)",
        bad="async def keep(pool: Pool) -> None:\n    async with pool.transaction() as tx: await tx.execute(KEEP)",
    ),
    _case(
        transactions.transaction_outside_flow,
        ADAPTER,
        good="await tx.execute('SELECT 1')",
        bad="await tx.execute('commit')",
    ),
    _case(
        transactions.caught_in_transaction,
        FLOW,
        good="""
            try:
                async with ledger.transaction() as tx:
                    await tx.keep(seats)
            except Unknown:
                answer = ask_again()
        """,
        bad="""
            async with ledger.transaction() as tx:
                try:
                    await tx.keep(seats)
                except Unknown:
                    answer = ask_again()
        """,
    ),
    _case(
        transactions.caught_in_transaction,
        FLOW,
        good="""
            async with sql_transaction(connection):
                try:
                    async with connection.transaction():
                        await keep(seats)
                except UniqueViolationError:
                    await keep(others)
        """,
        bad="""
            from contextlib import suppress
            async with sql_transaction(connection):
                if seats:
                    with suppress(UniqueViolationError):
                        await keep(seats)
        """,
    ),
    _case(
        transactions.caught_in_transaction,
        FLOW,
        good="""
            async with ledger.transaction() as tx:
                try:
                    await tx.keep(seats)
                except Unknown as error:
                    raise Halt("ask again") from error
        """,
        bad="""
            async with ledger.transaction() as tx:
                try:
                    await tx.keep(seats)
                except Known:
                    raise
                except Unknown:
                    return None
        """,
    ),
)

REASONS: Final = (
    _case(
        reasons.swallowed_error,
        FLOW,
        good="from contextlib import suppress\nwith suppress(FileNotFoundError): path.unlink()  # gone is what we want",
        bad="try: path.unlink()\nexcept FileNotFoundError: pass",
    ),
    _case(
        reasons.swallowed_error,
        FLOW,
        good="from contextlib import suppress\nwith suppress(TimeoutError): settle()",
        bad="from contextlib import suppress\nwith suppress(Exception): settle()",
    ),
    _case(
        reasons.suppression_without_reason,
        CORE,
        good="CODE = '# noqa'\nLATITUDE_MAX = 90  # noqa: PLR2004, ERA001 -- the poles",
        bad="LATITUDE_MAX = 90  # noqa: PLR2004",
    ),
    _case(
        reasons.suppression_without_reason,
        CORE,
        good="rows = fetch()  # pyright: ignore[reportUnknownVariableType] -- asyncpg has no type for a row",
        bad="rows = fetch()  # pyright: ignore -- asyncpg has no type for a row",
    ),
    _case(
        reasons.suppression_without_reason,
        CORE,
        good="# this one is about types: it ignores nothing",
        bad="rows = fetch()  # type: ignore",
    ),
    _case(
        reasons.log_line_is_no_fact,
        FLOW,
        good="log.info('hold.placed', seats=3)",
        bad="log.info(f'placed a hold of {seats} seats')",
    ),
)

STATEMENTS: Final = (
    _case(
        statements.statement_without_header,
        QUERIES,
        good="-- Holds, from asking to ending.\nSELECT 1;",
        bad="SELECT 1;",
    ),
    _case(
        statements.statement_without_header,
        "src/frontrow/sql/migrations/0002_expand_holds.sql",
        good="-- Holds.\n\n-- Every seat asked for, or none of them.\nCREATE FUNCTION hold_seats_v1() ...",
        bad="-- Holds.\n\nCREATE FUNCTION hold_seats_v1() ...",
    ),
    _case(
        statements.function_without_version,
        "src/frontrow/sql/schema.sql",
        good="-- Every seat, or none.\nCREATE OR REPLACE FUNCTION hold_seats_v12() ...",
        bad="-- Every seat, or none.\nCREATE OR REPLACE FUNCTION hold_seats() ...",
    ),
)

WORDS: Final = (
    _case(
        words.word_outside_glossary,
        CORE,
        good="for key, value in fees.items(): total += value",
        bad="for item in fees: total += item",
    ),
    _case(words.word_outside_glossary, CORE, good="class HeldSeats: ...", bad="class ShoppingCarts: ..."),
    _case(words.word_outside_glossary, CORE, good="def hold(fan): ...", bad="def hold(user_id): ..."),
    _case(
        words.word_outside_glossary,
        CORE,
        good="def clock(block): ...  # neither word is a lock",
        bad="def seat_lock(): ...",
    ),
    _case(
        words.word_outside_glossary,
        QUERIES,
        good="-- The user is a fan.\nSELECT fan_id, 'user' FROM hold WHERE current_user = $1 FOR UPDATE",
        bad="SELECT user_id FROM hold",
    ),
    _case(
        words.word_outside_glossary_on_page,
        PAGE,
        good="<p>Seats held for you</p>",
        bad="<p>Reservation created</p>",
    ),
    _case(
        words.module_named_nothing,
        "src/frontrow/core/database.py",  # `base` is no word of it
        good="",
        bad="",
        bad_path="src/frontrow/seat_utils/money.py",
    ),
    _case(
        words.module_without_docstring,
        CORE,
        good='"""The life of one hold."""\nimport enum',
        bad="import enum",
    ),
)

LONG_BODY: Final = "    pass\n" * sizes.FUNCTION_LINES_MAX
SIZES: Final = (
    _case(
        sizes.file_too_long,
        CORE,
        good="A = 1\n" * sizes.FILE_LINES_MAX,
        bad="A = 1\n" * (sizes.FILE_LINES_MAX + 1),
    ),
    _case(
        sizes.function_too_long,
        CORE,
        good="def hold():\n" + LONG_BODY.removeprefix("    pass\n"),
        bad="async def hold():\n" + LONG_BODY,
    ),
)

PLACES: Final = (
    _case(
        places.registry_or_home,
        "requirements/run.txt",
        good="asyncpg==0.32.0 --hash=sha256:00",
        bad="--index-" + "url https://mirror.example/simple",
    ),
    _case(
        places.registry_or_home,
        "README.md",
        good="cd frontrow",
        bad="cd /ho" + "me/ada/frontrow",
    ),
    _case(
        places.environment_read,
        FLOW,
        good="import os\nos.replace(new, old)",
        bad="import os\nhost = os.environ.get('FRONTROW_HOST')",
    ),
    _case(
        places.environment_read,
        FLOW,
        good="from os import replace",
        bad="from os import getenv",
    ),
    _case(
        places.other_host_on_page,
        PAGE,
        good='<svg xmlns="http://www.w3.org/2000/svg"><a href="/events/1">',
        bad='<link rel="stylesheet" href="//fonts.example/css">',
    ),
)

CASES: Final = (*TIME_AND_CHANCE, *TRANSACTIONS, *REASONS, *STATEMENTS, *WORDS, *SIZES, *PLACES)
