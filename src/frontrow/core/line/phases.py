"""The life of a line, as a table. The diagram in docs/states.md is printed from it."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class LinePhase(StrEnum):
    """What everybody may know of a line."""

    CLOSED = "closed"  # it opens later
    GATHERING = "gathering"  # everybody may join; nobody is before anybody yet
    ADMITTING = "admitting"
    PAUSED = "paused"  # for a reason that is told; places stay
    SOLD_OUT = "sold_out"  # nothing is left; seats that come back open it again
    OVER = "over"  # the seed is revealed


class LineChange(StrEnum):
    """What may happen to a line."""

    OPEN = "open"  # by the clock
    BEGIN = "begin"  # by the clock: the on-sale
    PAUSE = "pause"
    RESUME = "resume"
    SELL_OUT = "sell out"
    REOPEN = "reopen"
    END = "end"


TRANSITIONS: Final[Mapping[tuple[LinePhase, LineChange], LinePhase]] = MappingProxyType(
    {
        (LinePhase.CLOSED, LineChange.OPEN): LinePhase.GATHERING,
        (LinePhase.CLOSED, LineChange.BEGIN): LinePhase.ADMITTING,  # nobody was there to open it
        (LinePhase.GATHERING, LineChange.BEGIN): LinePhase.ADMITTING,
        (LinePhase.ADMITTING, LineChange.PAUSE): LinePhase.PAUSED,
        (LinePhase.PAUSED, LineChange.RESUME): LinePhase.ADMITTING,
        (LinePhase.ADMITTING, LineChange.SELL_OUT): LinePhase.SOLD_OUT,
        (LinePhase.PAUSED, LineChange.SELL_OUT): LinePhase.SOLD_OUT,
        (LinePhase.SOLD_OUT, LineChange.REOPEN): LinePhase.ADMITTING,
        (LinePhase.CLOSED, LineChange.END): LinePhase.OVER,
        (LinePhase.GATHERING, LineChange.END): LinePhase.OVER,
        (LinePhase.ADMITTING, LineChange.END): LinePhase.OVER,
        (LinePhase.PAUSED, LineChange.END): LinePhase.OVER,
        (LinePhase.SOLD_OUT, LineChange.END): LinePhase.OVER,
    }
)
