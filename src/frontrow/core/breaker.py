"""A circuit breaker: who has not answered several times in a row is let be for a while.

Time arrives as an argument, in seconds of a clock that never goes back.
"""

from dataclasses import dataclass
from typing import Final

FAILURES_MAX: Final = 5  # in a row; one that is lost now and then is no outage
REST_SECONDS: Final = 10.0  # then one is let through, to see


@dataclass(slots=True)
class Breaker:
    """Closed: everybody may ask. Open: nobody. Half open: one, and the others wait for how that went."""

    failures_max: int = FAILURES_MAX
    rest_seconds: float = REST_SECONDS
    failures: int = 0
    open_until: float | None = None  # None: closed

    def may_ask(self, now: float) -> bool:
        """Whether whoever asks this may go on. Of those who ask while it is half open, the first may."""
        if self.open_until is None:
            return True
        if now < self.open_until:
            return False
        self.open_until = now + self.rest_seconds  # for the others, until this one knows
        return True

    def answered(self) -> None:
        """There was an answer, whatever it said."""
        self.failures, self.open_until = 0, None

    def failed(self, now: float) -> None:
        """There was none."""
        self.failures += 1
        if self.failures >= self.failures_max:
            self.open_until = now + self.rest_seconds

    @property
    def is_open(self) -> bool:
        return self.open_until is not None
