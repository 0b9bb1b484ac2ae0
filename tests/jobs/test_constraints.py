"""The constraints of fans, jobs and kept mails: each lets its edge pass, and refuses what lies beyond by its name."""

from collections.abc import Sequence
from typing import Final

import asyncpg
import pytest

NONCE: Final = "substr(sha256('n'), 1, {})"
TABLES: Final = {"fan", "sign_in", "job", "kept_mail"}

FAN: Final = {
    "fan_id": "gen_random_uuid()",
    "email": "'ada@example.org'",
    "met_at": "now()",
    "signed_in_at": "now()",
}
SIGN_IN: Final = {
    "email": "'ada@example.org'",
    "nonce": NONCE.format(16),
    "tries_left": "5",
    "expires_at": "now()",
    "rested_at": "now()",
}
JOB: Final = {
    "kind": "'plain'",
    "job_key": "'key'",
    "payload": "'{}'",
    "state": "'waiting'",
    "urgency": "5",
    "attempts": "0",
    "due_at": "now()",
    "made_at": "now()",
    "last_error": "NULL",
}
KEPT_MAIL: Final = {
    "message_id": "'m1'",
    "recipient": "'ada@example.org'",
    "subject": "''",
    "words": "''",
    "html": "''",
    "kept_at": "now()",
}
ROWS: Final = {"fan": FAN, "sign_in": SIGN_IN, "job": JOB, "kept_mail": KEPT_MAIL}

# (constraint, column, the last value that is good, the first that is bad): every value an SQL expression
CHECKS: Final = [
    ("fan_email_shape", "email", "'a@b'", "'a@b@c'"),
    ("fan_email_shape", "email", "'ü@b.example'", "'a@bü.example'"),  # the network's form of a domain
    ("fan_email_shape", "email", "'a@b'", "E'a\\nb@c'"),
    ("fan_email_shape", "email", "'a@' || repeat('b', 252)", "'a@' || repeat('b', 253)"),
    ("fan_times_finite", "met_at", "now()", "'-infinity'"),
    ("fan_met_before_seen", "met_at", "now()", "now() + interval '1 s'"),
    ("sign_in_email_shape", "email", "'a@b'", "'a b@c'"),
    ("sign_in_nonce_length", "nonce", "NULL", NONCE.format(15)),
    ("sign_in_nonce_length", "nonce", NONCE.format(16), NONCE.format(17)),
    ("sign_in_tries_range", "tries_left", "0", "-1"),
    ("sign_in_tries_range", "tries_left", "10", "11"),
    ("sign_in_times_finite", "rested_at", "now()", "'infinity'"),
    ("job_kind_name", "kind", "'a'", "'A'"),
    ("job_kind_name", "kind", "repeat('a', 40)", "repeat('a', 41)"),
    ("job_key_length", "job_key", "'k'", "''"),
    ("job_key_length", "job_key", "repeat('k', 200)", "repeat('k', 201)"),
    ("job_payload_is_object", "payload", "'{}'", "'[]'"),
    (
        "job_payload_size",
        "payload",
        "jsonb_build_object('a', repeat('x', 65527))",
        "jsonb_build_object('a', repeat('x', 65528))",
    ),
    ("job_done_is_forgotten", "(state, payload)", "('done', '{}'::jsonb)", "('done', '{\"a\": 1}'::jsonb)"),
    ("job_state_known", "state", "'done'", "'doing'"),
    ("job_urgency_range", "urgency", "9", "10"),
    ("job_urgency_range", "urgency", "0", "-1"),
    ("job_attempts_count", "attempts", "0", "-1"),
    ("job_times_finite", "due_at", "now()", "'infinity'"),
    ("job_dead_of_something", "(state, last_error)", "('dead', 'why')", "('dead', NULL::text)"),
    ("job_error_length", "last_error", "repeat('ü', 500)", "repeat('ü', 501)"),
    ("kept_mail_lengths", "recipient", "repeat('x', 254)", "repeat('x', 255)"),
    ("kept_mail_lengths", "message_id", "repeat('x', 254)", "repeat('x', 255)"),
    ("kept_mail_lengths", "subject", "repeat('x', 998)", "repeat('x', 999)"),
    ("kept_mail_lengths", "words", "repeat('x', 65536)", "repeat('x', 65537)"),
    ("kept_mail_lengths", "html", "repeat('x', 262144)", "repeat('x', 262145)"),
]  # fmt: skip -- a table

# (constraint, what is different in the same row once more)
KEYS: Final[Sequence[tuple[str, dict[str, str]]]] = [
    ("fan_pkey", {"email": "'b@example.org'"}),
    ("fan_email_once", {"fan_id": "gen_random_uuid()"}),
    ("sign_in_pkey", {}),
    ("job_pkey", {"job_key": "'another'"}),
    ("job_once", {"job_id": "job_id + 1", "state": "'done'"}),  # also when it is done
    ("kept_mail_pkey", {"message_id": "'another'"}),
    ("kept_mail_once", {"mail_id": "mail_id + 1"}),
]
IDENTITIES: Final = {"job": ["job_id"], "kept_mail": ["mail_id"]}


def table_of(constraint: str) -> str:
    return max((table for table in TABLES if constraint.startswith(f"{table}_")), key=len)


async def insert(connection: asyncpg.Connection, table: str) -> None:
    row = ROWS[table]
    columns, values = ", ".join(row), ", ".join(row.values())
    await connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})")  # noqa: S608 -- ROWS is ours


@pytest.mark.parametrize(("constraint", "column", "good", "bad"), CHECKS)
async def test_check(passing: asyncpg.Connection, constraint: str, column: str, good: str, bad: str):
    table = table_of(constraint)
    await insert(passing, table)
    await passing.execute(f"UPDATE {table} SET {column} = {good}")  # noqa: S608 -- CHECKS is ours
    with pytest.raises(asyncpg.CheckViolationError) as refused:
        await passing.execute(f"UPDATE {table} SET {column} = {bad}")  # noqa: S608 -- CHECKS is ours
    assert refused.value.constraint_name == constraint


@pytest.mark.parametrize(("constraint", "different"), KEYS)
async def test_key(passing: asyncpg.Connection, constraint: str, different: dict[str, str]):
    table = table_of(constraint)
    await insert(passing, table)
    columns = [*IDENTITIES.get(table, []), *ROWS[table]]
    values = ", ".join(different.get(column, column) for column in columns)
    again = f"INSERT INTO {table} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE SELECT {values} FROM {table}"  # noqa: S608 -- all ours
    with pytest.raises(asyncpg.UniqueViolationError) as refused:
        await passing.execute(again)
    assert refused.value.constraint_name == constraint


async def test_every_constraint_has_its_test(passing: asyncpg.Connection):
    rows = await passing.fetch(
        """
        SELECT conname FROM pg_constraint
         WHERE conrelid::regclass::text = ANY ($1) AND contype IN ('c', 'f', 'p', 'u', 'x')
        """,
        TABLES,
    )  # fmt: skip -- one statement
    assert {constraint for constraint, *_ in (*CHECKS, *KEYS)} == {row["conname"] for row in rows}


async def test_what_may_be_unknown(passing: asyncpg.Connection):
    rows = await passing.fetch(
        """
        SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
         WHERE attrelid::regclass::text = ANY ($1) AND attnum > 0 AND NOT attnotnull AND NOT attisdropped
         ORDER BY 1
        """,
        TABLES,
    )  # fmt: skip -- one statement
    assert [row["name"] for row in rows] == ["job.last_error", "sign_in.nonce"]
