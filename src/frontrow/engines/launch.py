"""The last step of a child before it becomes its program: a script of its own, run by its path.

It takes on the account, asks the kernel to be told when the parent dies, and turns into the program. Doing this here
and not between fork and exec keeps the parent free of code that must not run there (threads, allocations).
Only the standard library is at hand: it is started without any site packages.
"""

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # <linux/prctl.h>
CANNOT_RUN: Final = 126  # what a shell exits with


def die_with_parent(death_signal: int, *, parent: int) -> bool:
    """Have this process signalled when its parent ends. False: the parent has ended already.

    The kernel forgets the wish when the account changes, so ask after that. A parent that ended before we asked
    sends nothing any more: we have a new parent by then, and see it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(death_signal), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    return os.getppid() == parent


def become(program: list[str], *, uid: int, gid: int, death_signal: int, parent: int) -> None:
    """Turn into the program. Returns only if the parent is gone."""
    if uid != os.geteuid():
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    # The supervisor blocks signals, and Python ignores some: the program must inherit neither. SIGINT ends us from here
    # on; noted by Python, it would be forgotten when the program takes over.
    for sign in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(sign, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    if die_with_parent(death_signal, parent=parent):
        os.execv(program[0], program)  # noqa: S606 -- this is what the file is for


if __name__ == "__main__":
    _parent, _signal, _uid, _gid = (int(word) for word in sys.argv[1:5])
    try:
        become(sys.argv[5:], uid=_uid, gid=_gid, death_signal=_signal, parent=_parent)
    except OSError as error:
        sys.stderr.write(f"FATAL:  cannot run {sys.argv[5]}: {error.strerror}\n")
        sys.exit(CANNOT_RUN)
