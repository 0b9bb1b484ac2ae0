"""What dies in the middle: the process that owns the engines, or an engine. No orphan stays, and a start recovers."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import servers
from tests.engines.asking import ask, engines_at_work
from tests.engines.owner import RUNNING, SECONDS_MAX, owner

from frontrow.engines import pair
from frontrow.engines.account import Account
from frontrow.engines.children import until
from frontrow.engines.leftovers import at_work


@pytest.mark.parametrize("request_", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_to_stop_it_leaves_nothing(data_dir: Path, request_: signal.Signals):
    with owner(data_dir) as process:
        process.await_words(RUNNING)
        assert process.end(request_) == 0
        assert not engines_at_work(data_dir)
    assert not (data_dir / "postgres" / "data" / "postmaster.pid").exists()
    assert list((data_dir / "sockets").iterdir()) == []


@pytest.mark.slow
def test_killed_it_takes_the_engines_along_and_a_start_goes_on(data_dir: Path):
    with owner(data_dir) as process:
        process.await_words(RUNNING)
        urls = pair.running_urls(data_dir)
        assert urls is not None
        ask(urls.database_url, "CREATE TABLE kept ()")
        assert engines_at_work(data_dir)
        process.end(signal.SIGKILL)
        assert until(lambda: not engines_at_work(data_dir), seconds=SECONDS_MAX)
    assert pair.running_urls(data_dir) is None
    with servers.embedded(data_dir) as engines:
        assert ask(engines.database_url, "SELECT to_regclass('kept') IS NOT NULL") is True


def test_a_start_right_after_the_kill_waits_for_them(data_dir: Path):
    with owner(data_dir) as process:
        process.await_words(RUNNING)
        process.end(signal.SIGKILL)
    with servers.embedded(data_dir) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1


@pytest.mark.slow
def test_engines_that_did_not_hear_of_the_death_are_ended(
    data_dir: Path, account: Account, monkeypatch: pytest.MonkeyPatch
):
    """One that hangs, here because it is stopped, is ended by force after the patience."""
    monkeypatch.setattr("frontrow.engines.leftovers.PATIENT_SECONDS", 0.2)
    with owner(data_dir) as process:
        process.await_words(RUNNING)
        (valkey,) = at_work(data_dir / "valkey", "valkey-server", account)
        os.kill(valkey, signal.SIGSTOP)
        process.end(signal.SIGKILL)
    with servers.embedded(data_dir) as engines:
        assert engines.troubled() is None
        assert valkey not in at_work(data_dir / "valkey", "valkey-server", account)


def test_killed_while_it_makes_the_data_a_start_makes_them_anew(data_dir: Path):
    with owner(data_dir) as process:
        process.await_words("making its data")
        assert until((data_dir / "postgres" / "half" / "base").exists, seconds=SECONDS_MAX)
        process.end(signal.SIGKILL)
    with servers.embedded(data_dir, valkey=False) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1
    assert [place.name for place in (data_dir / "postgres").iterdir()] == ["data"]


@pytest.mark.slow
def test_an_engine_that_dies_is_noticed_and_revived_with_its_data(data_dir: Path, account: Account):
    with servers.embedded(data_dir) as engines:
        ask(engines.database_url, "CREATE TABLE kept ()")
        (valkey,) = at_work(data_dir / "valkey", "valkey-server", account)
        for pid in (_postmaster(data_dir), valkey):
            os.kill(pid, signal.SIGKILL)
        assert until(lambda: (engines.troubled() or "").count("killed by SIGKILL") == 2, seconds=SECONDS_MAX)

        engines.revive()
        assert engines.troubled() is None
        assert ask(engines.database_url, "SELECT to_regclass('kept') IS NOT NULL") is True
    assert not engines_at_work(data_dir)


def test_an_engine_that_died_is_no_obstacle_to_stopping(data_dir: Path):
    with servers.embedded(data_dir) as engines:
        os.kill(_postmaster(data_dir), signal.SIGKILL)
        assert until(lambda: engines.troubled() is not None, seconds=SECONDS_MAX)
    assert not engines_at_work(data_dir)


@pytest.mark.slow
def test_pid_files_that_name_a_stranger_are_no_obstacle(data_dir: Path, account: Account):
    """After a power cut, or in a new container, the number belongs to some other process of the same account."""
    with servers.embedded(data_dir, valkey=False):
        said = (data_dir / "postgres" / "data" / "postmaster.pid").read_text(encoding="utf-8")
    other = data_dir.with_name("other")
    with servers.embedded(other, postgres=False):
        (stranger,) = at_work(other / "valkey", "valkey-server", account)
        stale = "\n".join([str(stranger), *said.splitlines()[1:], ""])
        (data_dir / "postgres" / "data" / "postmaster.pid").write_text(stale, encoding="utf-8")
        (data_dir / "sockets" / ".s.PGSQL.5432.lock").write_text(stale, encoding="utf-8")
        with servers.embedded(data_dir, valkey=False) as engines:
            assert ask(engines.database_url, "SELECT 1") == 1


@pytest.mark.usefixtures("as_root")
def test_inside_a_container_root_still_sees_who_is_at_work(data_dir: Path):
    """There root may not trace other accounts' processes, so it cannot look where they work; the account can."""
    script = (
        "import sys; from pathlib import Path; from tests.engines.asking import engines_at_work;"
        "print(len(engines_at_work(Path(sys.argv[1]))))"
    )
    container = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all"]
    with servers.embedded(data_dir, postgres=False):
        said = subprocess.run(
            [*container, sys.executable, "-c", script, data_dir],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
    assert said.stdout == b"1\n"


def _postmaster(data_dir: Path) -> int:
    file = data_dir / "postgres" / "data" / "postmaster.pid"
    return int(file.read_text(encoding="utf-8").splitlines()[0])
