"""`frontrow sweeper`: what has to be done later."""

from frontrow.processes.sweeper import sweep
from frontrow.settings import Settings


def sweeper() -> None:
    """Do what has to be done later: end holds, send mails. Run as many as you like; `frontrow up` runs one."""
    sweep(Settings.read())
