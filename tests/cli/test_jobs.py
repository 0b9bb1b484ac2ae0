"""`frontrow jobs`: what waits, what was given up, and what an operator does about it; on a copy that runs."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest
from tests.processes.copies import Copy, wait_for

from frontrow.engines.pair import running_urls

GIVEN_UP = """
INSERT INTO job (kind, job_key, payload, state, urgency, attempts, due_at, made_at, last_error)
VALUES ('sign-in-mail', 'a', '{}', 'dead', 0, 8, now(), now(), 'no answer'),
       ('sign-in-mail', 'b', '{}', 'dead', 0, 8, now(), now(), 'no answer')
RETURNING job_id
"""


def ask(copy: Copy, statement: str) -> list[asyncpg.Record]:
    async def asked() -> list[asyncpg.Record]:
        urls = running_urls(copy.data_dir)
        assert urls is not None
        connection = await asyncpg.connect(urls.database_url)
        try:
            return await connection.fetch(statement)
        finally:
            await connection.close()

    return asyncio.run(asked())


@pytest.fixture
def given_up(up: Copy) -> Iterator[tuple[int, int]]:
    first, second = (row["job_id"] for row in ask(up, GIVEN_UP))
    yield first, second
    ask(up, "DELETE FROM job")


@pytest.mark.slow
def test_what_was_given_up_is_listed_and_the_audit_tells_it(up: Copy, given_up: tuple[int, int]) -> None:
    for words in (("jobs",), ("jobs", "list")):
        said = up.says(*words)
        assert said.status == 1
        assert "sign-in-mail: 2 dead" in said.out
        for job_id in given_up:
            assert f"job {job_id} sign-in-mail" in said.out
        assert "after 8 attempts: no answer" in said.out
    assert up.says("audit").out.count("inv_job_dead") == 2


@pytest.mark.slow
def test_it_is_tried_again_and_dropped(up: Copy, given_up: tuple[int, int]) -> None:
    first, second = given_up
    assert up.says("jobs", "drop", str(first)).out == f"job {first} is dropped\n"
    assert up.says("jobs", "retry", str(second)).out == f"job {second} waits again\n"
    # Its payload says nothing, so the sweeper gives it up once more, and says why.
    wait_for(lambda: ask(up, "SELECT FROM job WHERE last_error LIKE 'not understood%'"))
    assert up.says("jobs", "retry", "--all").out == f"job {second} waits again\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("retry",), "name the jobs to try again, or say --all"),
        (("retry", "--all", "7"), "name the jobs to try again, or say --all"),
        (("drop", "999999"), "not among those that were given up: 999999"),
        (("retry", "999999"), "not among those that were given up: 999999"),
    ],
)
def test_what_cannot_be_is_said(up: Copy, words: tuple[str, ...], says: str) -> None:
    said = up.says("jobs", *words)
    assert (said.status, said.err) == (1, f"frontrow: {says}\n")


@pytest.mark.parametrize(
    "words", [("drop",), ("drop", "x"), ("drop", "0"), ("drop", "-1"), ("drop", str(2**63)), ("no",)]
)
def test_what_is_no_command_is_refused(up: Copy, words: tuple[str, ...]) -> None:
    said = up.says("jobs", *words)
    assert said.status == 2
    assert "Traceback" not in said.err
