"""`db`, `demo` and `audit`: on the database of a copy that is up, on one that is named, and on one that sleeps."""

import asyncio

import asyncpg
import pytest
from tests.processes.copies import Copy, processes_of


async def run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@pytest.mark.slow
def test_beside_a_copy_that_is_up(up: Copy) -> None:
    status = up.says("db", "status")
    assert (status.status, status.err) == (0, "")
    assert status.out.startswith("PostgreSQL ")
    assert "0001_expand_catalogue  ran 20" in status.out
    assert up.says("db", "migrate").out == "nothing to run: the schema is up to date\n"
    assert up.says("demo").out == "nothing to plant: the demo has dates ahead\n"


def test_audit_is_silent_when_all_is_well(up: Copy) -> None:
    said = up.says("audit")
    assert (said.status, said.out, said.err) == (0, "", "")


@pytest.mark.slow
def test_an_embedded_database_is_started_for_the_time_of_a_command(copy: Copy) -> None:
    before = copy.says("audit")
    assert before.status == 1
    assert "run `frontrow db migrate`" in before.err
    assert "ran 0001_expand_catalogue\n" in copy.says("db", "migrate").out
    assert copy.says("audit").status == 0
    assert not processes_of(copy)


@pytest.mark.slow
def test_a_database_of_ones_own(copy: Copy, empty_database_url: str) -> None:
    status = copy.says("db", "status", FRONTROW_DATABASE_URL=empty_database_url)
    assert status.status == 1
    assert "0001_expand_catalogue  to run\n" in status.out
    assert copy.says("db", "migrate", FRONTROW_DATABASE_URL=empty_database_url).status == 0
    assert copy.says("demo", FRONTROW_DATABASE_URL=empty_database_url).out == "planted the demo's season\n"
    assert copy.says("audit", FRONTROW_DATABASE_URL=empty_database_url).status == 0
    assert not copy.data_dir.exists()


def test_audit_names_what_is_broken(copy: Copy, database_url: str) -> None:
    asyncio.run(run(database_url, "CREATE VIEW inv_of_a_test AS SELECT 7 AS seat, 'a\nb' AS name"))
    said = copy.says("audit", FRONTROW_DATABASE_URL=database_url)
    assert said.status == 1
    assert said.out == 'inv_of_a_test: seat=7 name="a\\nb"\n', "one line, whatever is in it"


def test_a_newer_schema_is_left_alone(copy: Copy, database_url: str) -> None:
    asyncio.run(
        run(
            database_url,
            "INSERT INTO schema_migration (number, name, sha256) VALUES (9999, '9999_contract_all', repeat('0', 64))",
            "UPDATE schema_compat SET oldest_program = 9999",
        )
    )
    for words in (("up",), ("audit",), ("db", "migrate"), ("demo",), ("api",)):
        said = copy.says(
            *words,
            FRONTROW_DATABASE_URL=database_url,
            FRONTROW_VALKEY_URL="redis://127.0.0.1:1",
            FRONTROW_LOG_LEVEL="error",
        )
        assert (said.status, said.out) == (1, ""), words
        assert said.err.startswith("frontrow: the database is at 9999, this Frontrow understands up to"), words
        assert said.err.count("\n") == 1


@pytest.mark.slow
def test_an_older_schema_names_the_command(copy: Copy, empty_database_url: str) -> None:
    said = copy.says("api", FRONTROW_DATABASE_URL=empty_database_url, FRONTROW_VALKEY_URL="redis://127.0.0.1:1")
    assert said.status == 1
    assert said.err.rstrip().endswith("run `frontrow db migrate`")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://fan:hush@127.0.0.1:1/shop", "is it running"),  # nobody listens on port 1
        ("postgresql://fan:hush@/shop?host=/nowhere", "is it running"),  # no such socket
        ("postgresql://fan:hush@127.0.0.1:port/shop", "FRONTROW_DATABASE_URL"),  # no port
        ("mysql://fan:hush@127.0.0.1/shop", "should start with postgresql://"),  # another server
    ],
)
def test_a_database_out_of_reach(copy: Copy, url: str, told: str) -> None:
    for words in (("audit",), ("db", "status"), ("demo",)):
        said = copy.says(*words, FRONTROW_DATABASE_URL=url)
        assert (said.status, said.out) == (1, "")
        assert said.err.startswith("frontrow: ")
        assert said.err.count("\n") == 1
        assert told in said.err
        assert "hush" not in said.err, "a password is never shown"
