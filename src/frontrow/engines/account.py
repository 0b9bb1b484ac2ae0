"""Who runs the engines: ourselves, or an unprivileged account when Frontrow is started as root.

PostgreSQL refuses to run as root, and rightly so. Which folders and programs that account can get at is found out
by trying, as that account: modes, ACLs and mount options all have a say in it, and only the kernel knows them all.
"""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from frontrow.halt import Halt

ROOT_UID: Final = 0
TRIAL_SECONDS_MAX: Final = 10.0  # a trial takes milliseconds; longer means a dead network mount


@dataclass(frozen=True, slots=True)
class Account:
    """The system account of the engines."""

    name: str
    uid: int
    gid: int
    other: bool  # not the one we run as; only root can have another

    def runs(self, *command: str | Path) -> bool:
        """Whether this account can run a command to a good end."""
        return self.told(*command) is not None

    def told(self, *command: str | Path) -> str | None:
        """What a command writes when this account runs it. None: it came to no good end."""
        try:
            trial = subprocess.run(  # noqa: S603 -- our own commands
                [str(word) for word in command],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=TRIAL_SECONDS_MAX,
                check=False,
                user=self.uid if self.other else None,
                group=self.gid if self.other else None,
                extra_groups=() if self.other else None,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return trial.stdout.decode(errors="replace") if trial.returncode == 0 else None

    def reaches(self, folder: Path) -> bool:
        """Whether this account can get into a folder."""
        return self.runs("/bin/sh", "-c", 'cd -- "$0"', folder)

    def own(self, folder: Path) -> Path:
        """Make a folder that only this account (and root) can get into."""
        folder.mkdir(mode=0o700, exist_ok=True)
        if self.other and folder.lstat().st_uid == ROOT_UID:
            os.chown(folder, self.uid, self.gid, follow_symlinks=False)  # in /tmp anybody may lead us to /etc
        return folder


def engine_account(engine_user: str) -> Account:
    """Ourselves; as root, the account of that name."""
    if os.geteuid() != ROOT_UID:
        return Account(name=account_name(os.geteuid()), uid=os.geteuid(), gid=os.getegid(), other=False)
    try:
        entry = pwd.getpwnam(engine_user)
    except KeyError:
        raise Halt(
            f"there is no account {engine_user!r} to run PostgreSQL and Valkey as (root must not); "
            "name an existing unprivileged one with FRONTROW_ENGINE_USER, or start Frontrow as an ordinary user"
        ) from None
    if entry.pw_uid == ROOT_UID:
        raise Halt(
            f"PostgreSQL refuses to run as {engine_user}; name an unprivileged account with FRONTROW_ENGINE_USER"
        )
    account = Account(name=engine_user, uid=entry.pw_uid, gid=entry.pw_gid, other=True)
    if not account.runs("/bin/sh", "-c", ":"):
        raise Halt(
            f"cannot start anything as {engine_user} although we are root; "
            "start Frontrow as an ordinary user, or allow changing the user (CAP_SETUID, CAP_SETGID)"
        )
    return account


def account_name(uid: int) -> str:
    """The name of an account, or its number: inside a container not every account has one."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
