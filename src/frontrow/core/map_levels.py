"""How much a process tells those who look at a map: every change, a snapshot now and then, or counts alone.

Too many streams make newcomers poll; too much polling leaves counts of sections. Both are left again when what is
asked for fits: with time in between, or the crowd would be sent up and down all the time.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """From everything to the least."""

    PUSH = "push"  # changes are pushed to whoever asks
    POLL = "poll"  # streams are full: newcomers ask for the snapshot every POLL_SECONDS
    COUNTS = "counts"  # polling is too much as well: what is left of each section, and nothing of single seats


POLL_SECONDS: Final = 2  # with a second in a cache, nobody sees what is older than MAP-5 allows by much
COUNTS_SECONDS: Final = 10  # a fifth of the load; counts that are ten seconds old still say where to look
LAG_SECONDS_MAX: Final = 0.25  # a process that gets to its work so late keeps everybody waiting, holds first of all
POLLS_HEAVY: Final = 1_000  # a second; below this, polling is not what makes a process late
TOO_MUCH_SECONDS: Final = 3  # in a row, before seats are hidden: a reload of many is over sooner
FITS_SECONDS: Final = 5  # in a row, before they are back
FITS_SHARE: Final = 0.8  # of what is allowed; the crowd that comes back is never just the one expected


@dataclass(frozen=True, slots=True)
class Load:
    """What one second brought."""

    polls: int  # snapshots and counts asked for
    lag_seconds: float  # so late a process came to what was due


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether seats are hidden, and for how many seconds in a row the load has spoken for the opposite."""

    is_hidden: bool = False
    seconds: int = 0


def after(before: Standing, load: Load, *, polls_max: int) -> Standing:
    """Where a process stands after one more second."""
    if before.is_hidden:
        speaks, needed = _would_fit(load, polls_max), FITS_SECONDS
    else:
        speaks, needed = _is_too_much(load, polls_max), TOO_MUCH_SECONDS
    seconds = before.seconds + 1 if speaks else 0
    return Standing(not before.is_hidden) if seconds == needed else Standing(before.is_hidden, seconds)


def level(standing: Standing, *, streams_are_full: bool) -> Level:
    if standing.is_hidden:
        return Level.COUNTS
    return Level.POLL if streams_are_full else Level.PUSH


def poll_seconds(at: Level) -> int:
    """How long whoever polls waits in between."""
    return COUNTS_SECONDS if at is Level.COUNTS else POLL_SECONDS


def _is_too_much(load: Load, polls_max: int) -> bool:
    return load.polls > polls_max or (load.lag_seconds > LAG_SECONDS_MAX and load.polls >= POLLS_HEAVY)


def _would_fit(load: Load, polls_max: int) -> bool:
    """Those who ask for counts now will ask so much oftener when seats are back."""
    then = load.polls * COUNTS_SECONDS / POLL_SECONDS
    return then < polls_max * FITS_SHARE and load.lag_seconds < LAG_SECONDS_MAX
