"""`frontrow doctor`: every setting with its origin, and a verdict on what it looks at."""

import socket

import pytest
from tests.processes.copies import Copy

from frontrow.settings import Settings


def test_a_healthy_copy(up: Copy) -> None:
    said = up.says("doctor")
    assert (said.status, said.err) == (0, "")
    for name in Settings.model_fields:
        assert f"FRONTROW_{name.upper()} " in said.out
    assert f"{up.port}  (environment)" in said.out
    for found in (
        "ok    postgres: PostgreSQL 1",
        "ok    clock:",
        "ok    valkey: Valkey ",
        "ok    disk:",
        "note  port:",
    ):
        assert found in said.out


def test_a_copy_that_was_never_started_is_healthy(copy: Copy) -> None:
    said = copy.says("doctor")
    assert said.status == 0
    assert "`frontrow up` starts it" in said.out
    assert not copy.data_dir.exists(), "looking makes nothing"


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("FRONTROW_PROT", "8001", "FRONTROW_PROT is not a setting; did you mean FRONTROW_PORT?"),  # a typing mistake
        ("FRONTROW_DATABASE_URL", "postgresql://fan:hush@127.0.0.1:1/shop", "MEND  postgres: "),  # nobody there
        ("FRONTROW_VALKEY_URL", "redis://fan:hush@127.0.0.1:1/0", "MEND  valkey: "),  # nobody there either
        ("FRONTROW_VALKEY_URL", "redis://fan:hush@here:port/0", "MEND  valkey: "),  # no port
    ],
)
def test_what_has_to_be_mended(copy: Copy, variable: str, value: str, told: str) -> None:
    said = copy.says("doctor", **{variable: value})
    assert said.status == 1
    assert told in said.out
    assert "hush" not in said.out + said.err, "a password is never shown"
    assert "Traceback" not in said.err


def test_a_port_that_somebody_else_has(copy: Copy) -> None:
    with socket.create_server(("127.0.0.1", copy.port)):
        said = copy.says("doctor")
    assert said.status == 1
    assert f"MEND  port: port {copy.port} is taken" in said.out
