"""`frontrow up` as a whole: it starts, serves, mends what breaks, stops, and leaves nothing behind."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.processes.copies import Copy, Started, free_port, new_copy, processes_of, running, wait_for


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    with new_copy() as copy:
        yield copy


@pytest.fixture(scope="module")
def up(copy: Copy) -> Iterator[Started]:
    """One copy for the tests that leave it as they found it: up."""
    with running(copy, "--no-demo") as up:
        yield up


def pid_of(copy: Copy, pattern: str) -> int:
    """The oldest process of a copy whose command line fits."""
    return min(pid for pid, command in processes_of(copy).items() if re.search(pattern, command))


def test_is_ready_when_it_says_where_it_is(copy: Copy, up: Started) -> None:
    assert copy.url in up.said
    assert copy.status("/readyz") == 200
    assert copy.status("/") == 200


@pytest.mark.slow
def test_a_service_that_ends_is_started_again(copy: Copy, up: Started) -> None:
    killed = pid_of(copy, "frontrow api")
    os.kill(killed, signal.SIGKILL)
    up.until_says(r"api ended \(killed by SIGKILL\); starting it again")
    assert copy.status("/healthz") == 200, "who comes meanwhile waits, and is not refused"
    assert pid_of(copy, "frontrow api") != killed


def test_an_engine_that_ends_is_started_again(copy: Copy, up: Started) -> None:
    os.kill(pid_of(copy, "valkey-server"), signal.SIGKILL)
    up.until_says(r"Valkey \d+ ended by itself .*; starting it again")
    wait_for(lambda: copy.says("doctor").out.count("ok    valkey: Valkey"), lambda: up.said)
    assert copy.status("/readyz") == 200


@pytest.mark.usefixtures("up")
def test_a_second_one_on_the_port_is_refused_before_it_starts_anything(copy: Copy) -> None:
    with new_copy() as other:
        said = other.says("up", FRONTROW_PORT=str(copy.port))
        assert (said.status, said.out) == (1, "")
        assert said.err.startswith(f"frontrow: port {copy.port} is taken")
        assert not other.data_dir.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("up")
def test_a_second_one_in_the_folder_is_told_of_the_first(copy: Copy) -> None:
    said = copy.says("up", FRONTROW_PORT=str(free_port()))
    assert said.status == 1
    assert copy.url in said.err
    assert said.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("up")
def test_two_copies_work_side_by_side(copy: Copy) -> None:
    with new_copy() as other, running(other, "--no-demo", FRONTROW_WORKERS="2"):
        assert (copy.status("/"), other.status("/")) == (200, 200)
        workers = [command for command in processes_of(other).values() if "frontrow api" in command]
        assert len(workers) == 2


def test_nothing_outlives_a_copy_that_is_killed_and_the_next_one_starts() -> None:
    with new_copy() as own:
        killed = own.start("up", "--no-demo").until_says("Frontrow is at")
        killed.stop(signal.SIGKILL)
        wait_for(lambda: not processes_of(own), lambda: processes_of(own))
        with running(own, "--no-demo") as again:
            assert own.status("/readyz") == 200
            assert "schema: ran" not in again.said, "the data were kept"
        assert again.process.returncode == 0, "SIGTERM is an ordinary end"
        assert not processes_of(own)


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGHUP], ids=["Ctrl-C", "the terminal is closed"])
def test_a_request_to_stop_while_it_starts_is_granted(by: signal.Signals) -> None:
    with new_copy() as own:
        starting = own.start("up").until_says("PostgreSQL")
        assert starting.stop(by) == 0
        assert not processes_of(own)


@pytest.mark.slow
def test_stops_with_its_parent_when_told_to() -> None:
    with new_copy() as own:
        script = "import subprocess, sys; subprocess.run([sys.executable, '-P', '-m', 'frontrow', *sys.argv[1:]])"
        log = own.data_dir.parent / "said"
        with log.open("wb") as said:
            parent = subprocess.Popen(
                [sys.executable, "-c", script, "up", "--no-demo", "--with-parent"],
                env=own.environment, stdout=said, stderr=said,
            )  # fmt: skip
        wait_for(lambda: "Frontrow is at" in log.read_text(), log.read_text)
        parent.kill()
        parent.wait()
        wait_for(lambda: not processes_of(own), log.read_text)
        assert "stopping PostgreSQL" in log.read_text(), "it ended in order"


@pytest.mark.slow
def test_goes_on_without_a_valkey_that_is_out_of_reach(database_url: str) -> None:
    with new_copy() as own, socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # taken, and not listening
        valkey = f"redis://127.0.0.1:{nobody.getsockname()[1]}"
        named = {"DATABASE_URL": database_url, "VALKEY_URL": valkey, "SIGNING_KEYS": "k" * 32, "PSP_SIM_URL": own.url}
        with running(own, **{f"FRONTROW_{name}": value for name, value in named.items()}) as up:
            assert "goes on without valkey" in up.said
            assert own.status("/readyz") == 200
            assert not own.data_dir.exists(), "servers, key and provider are named: nothing is made"
