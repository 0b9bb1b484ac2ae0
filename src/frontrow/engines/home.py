"""Where the engines live: their data, sockets, logs and, where need be, a copy of their programs.

Normally all of it is in FRONTROW_DATA_DIR. As root, the engines run as another account. Where that account cannot
get at the folder (a clone below /root), they live in /var/lib/frontrow/<hash>, and the file `engines-elsewhere` in
the data folder names that place. The modes of folders that are not ours are never changed.

    up.lock                held by the copy of Frontrow that runs from here
    postgres/ valkey/      data; only the engines' account and root get in
    sockets/               the same; the way to both engines, there is no TCP port
    logs/                  what the engines write
    programs/              copies, only where the account cannot get at the installed ones
"""

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from frontrow.engines.account import ROOT_UID, Account, account_name
from frontrow.halt import Halt

ELSEWHERE: Final = Path("/var/lib/frontrow")
DISK_FREE_BYTES_MIN: Final = 300_000_000  # first start takes 60 MB, WAL of a busy hour about 200
SOCKET_PATH_BYTES_MAX: Final = 107  # sun_path of <sys/un.h>, without its zero
OURS_ALONE: Final = 0o700
SOCKET_NAME_LONGEST: Final = ".s.PGSQL.5432"
PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9_./+-]+")  # needs no quoting in a URL nor in PostgreSQL's settings


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one pair of engines."""

    folder: Path
    sockets: Path
    account: Account

    @property
    def logs(self) -> Path:
        return self.folder / "logs"


def make_data_dir(data_dir: Path) -> None:
    """Make the data folder if it is not there; passable for the engines' account if it is ours to decide."""
    with writing_to(data_dir):
        _refuse_full_disk(next(folder for folder in (data_dir, *data_dir.parents) if folder.is_dir()))
        if data_dir.is_dir():
            return
        if data_dir.exists() or data_dir.is_symlink():
            raise Halt(f"{data_dir} is no folder; move it away, or choose a folder: FRONTROW_DATA_DIR=…")
        data_dir.mkdir(parents=True, exist_ok=True)  # somebody may start at the same time
        data_dir.chmod(0o711 if os.geteuid() == ROOT_UID else 0o700)


def make_home(data_dir: Path, account: Account) -> Home:
    """The engines' home for this data folder, ready for use."""
    folder = _place(data_dir, account)
    with writing_to(folder):
        _refuse_full_disk(folder)
        for part in ("postgres", "valkey"):
            _refuse_other_owner(account.own(folder / part), account)
        (folder / "logs").mkdir(mode=0o700, exist_ok=True)
        sockets = _make_sockets(folder, account)
    return Home(folder=folder, sockets=sockets, account=account)


def sockets_made(data_dir: Path) -> Path:
    """The sockets of engines that run already, started by somebody else."""
    folder = _named_in(data_dir / "engines-elsewhere") or data_dir
    return _named_in(folder / "sockets-elsewhere") or folder / "sockets"


def leave_sockets(home: Home) -> None:
    """Remove the sockets' folder where it lies outside the home."""
    if home.sockets.parent != home.folder:
        shutil.rmtree(home.sockets, ignore_errors=True)
        (home.folder / "sockets-elsewhere").unlink(missing_ok=True)


@contextmanager
def writing_to(folder: Path) -> Generator[None]:
    """What the disk refuses becomes a line for the operator."""
    try:
        yield
    except OSError as error:
        place = Path(error.filename or folder)
        whose = f" (it belongs to {_owner(place)})" if isinstance(error, PermissionError) else ""
        raise Halt(
            f"cannot write to {place}: {error.strerror}{whose}; "
            "mend that, or choose another folder: FRONTROW_DATA_DIR=…"
        ) from error


def _place(data_dir: Path, account: Account) -> Path:
    note = data_dir / "engines-elsewhere"
    named = _named_in(note)
    ours = ELSEWHERE / sha256(os.fsencode(data_dir.resolve())).hexdigest()[:12]
    if named == ours and ours.is_dir():
        return ours
    if named is not None and named.is_dir():
        raise Halt(
            f"{note} names {named}, the data of a folder that was at another place; "
            "to begin with fresh data here remove that file, to keep the data move this folder back"
        )
    if not account.other or account.reaches(data_dir):
        return data_dir
    if (data_dir / "postgres").exists():
        _refuse_other_owner(data_dir / "postgres", account)
        raise Halt(
            f"{data_dir} holds data, but the account {account.name} cannot get into it any more; "
            "let it pass (chmod o+x on the folders above), or name another account: FRONTROW_ENGINE_USER=…"
        )
    with writing_to(ours):
        ours.mkdir(mode=0o755, parents=True, exist_ok=True)
        for folder in (ELSEWHERE, ours):
            folder.chmod(0o755)  # ours: whatever the umask was, the engines must get in
        note.write_text(f"{ours}\n", encoding="utf-8")
    if not account.reaches(ours):
        raise Halt(
            f"the account {account.name} can get neither into {data_dir} nor into {ours}; FRONTROW_DATA_DIR=… helps"
        )
    return ours


def _make_sockets(folder: Path, account: Account) -> Path:
    inside, note = folder / "sockets", folder / "sockets-elsewhere"
    if _fits(inside):
        note.unlink(missing_ok=True)  # of a time when the folder was at another place
        return account.own(inside)
    digest = sha256(os.fsencode(folder.resolve())).hexdigest()[:12]
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108 -- its owner and mode are checked below
        sockets = parent / f"frontrow-sockets-{digest}"
        if _fits(sockets) and account.reaches(parent):
            account.own(sockets)
            _refuse_foreign(sockets, account)
            note.write_text(f"{sockets}\n", encoding="utf-8")
            return sockets
    raise Halt(
        f"{folder} is too long a path for sockets, and so is the folder for temporary files; FRONTROW_DATA_DIR=… helps"
    )


def _fits(sockets: Path) -> bool:
    path = str(sockets / SOCKET_NAME_LONGEST)
    return PLAIN_PATH.fullmatch(path) is not None and len(os.fsencode(path)) <= SOCKET_PATH_BYTES_MAX


def _refuse_foreign(folder: Path, account: Account) -> None:
    """Everybody may write to /tmp, so what we find there by its name need not be ours."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != account.uid or stat.S_IMODE(found.st_mode) != OURS_ALONE:
        raise Halt(f"{folder} is not ours, although it has our name; remove it")


def _refuse_other_owner(folder: Path, account: Account) -> None:
    if folder.stat().st_uid != account.uid:
        owner = _owner(folder)
        raise Halt(
            f"the data in {folder} belong to {owner}, not to {account.name}; start Frontrow as {owner}, "
            f"or as root with FRONTROW_ENGINE_USER={owner}, or choose another folder: FRONTROW_DATA_DIR=…"
        )


def _refuse_full_disk(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < DISK_FREE_BYTES_MIN:
        raise Halt(
            f"the disk of {folder} is full: {free // 1_000_000} MB free, {DISK_FREE_BYTES_MIN // 1_000_000} MB needed; "
            "make room, or choose another folder: FRONTROW_DATA_DIR=…"
        )


def _owner(place: Path) -> str:
    """Whom a place belongs to, or would belong to: the nearest that we get to see says it."""
    for seen in (place, *place.parents):
        with suppress(OSError):
            return account_name(seen.stat().st_uid)
    return "somebody else"


def _named_in(note: Path) -> Path | None:
    try:
        named = note.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    return Path(named) if named else None
