"""A wall clock that is wrong by SKEW_SECONDS. Python runs this at its start where PYTHONPATH names this folder.

Nothing has to be installed or allowed for it, unlike other ways to set the clock of one process. Clocks that only count
(those of event loops and time limits) are as they were.
"""

import datetime as dt
import os
import time
from typing import Any, Final

SKEW_SECONDS: Final = float(os.environ["SKEW_SECONDS"])
_SKEW: Final = dt.timedelta(seconds=SKEW_SECONDS)
_Datetime: Final = dt.datetime
_time, _time_ns = time.time, time.time_ns


class _Kind(type):
    """Ordinary times count as made by the skewed class, which makes no others."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _Datetime)


class _Skewed(_Datetime, metaclass=_Kind):
    """What `from datetime import datetime` gets: only what it is now is another time."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 -- as the class that it stands for
        return _Datetime(*args, **kwargs)

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Any:  # noqa: ANN401 -- the same
        return _Datetime.now(tz) + _SKEW

    @classmethod
    def utcnow(cls) -> Any:  # noqa: ANN401 -- the same
        return _Datetime.now(dt.UTC).replace(tzinfo=None) + _SKEW


time.time = lambda: _time() + SKEW_SECONDS
time.time_ns = lambda: _time_ns() + int(SKEW_SECONDS * 1_000_000_000)
dt.datetime = _Skewed
