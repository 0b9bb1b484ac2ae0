"""How often one client or fan may do what costs us something, counted in the memory of each process.

A flood then costs no more than a look at a dictionary. What all processes count together is in `flows/guard.py`; who a
client is, in `clients.py`.
"""

from collections.abc import Hashable

from frontrow.core.rates import KEYS_MAX, SECOND_US, Rates, rate
from frontrow.web.problems import Problem, problem


class Pace:
    """The same for every client: so many times at once, then one every so many seconds."""

    def __init__(self, *, at_once: int, again_seconds: float, clients_max: int = KEYS_MAX) -> None:
        self._rate = rate(at_once=at_once, again_seconds=again_seconds)
        self._rates = Rates(keys_max=clients_max)

    def wait(self, client: Hashable, *, now: float) -> int:
        """Seconds to wait; 0: go on, and it is counted. `now` is of a clock that never goes back."""
        return -(-self._rates.wait_us(client, self._rate, now_us=int(now * SECOND_US)) // SECOND_US)

    def too_fast(self, client: Hashable, *, now: float) -> Problem | None:
        """The same as what is answered."""
        wait = self.wait(client, now=now)
        return problem("slow-down", headers={"retry-after": str(wait)}) if wait else None
