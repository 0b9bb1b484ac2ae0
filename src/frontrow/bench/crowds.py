"""The crowd of the laboratory: so many fans at once, each of whom waits for an answer before the next wish.

Latencies are therefore those of a closed loop: a way of holding seats that is slow is also asked less often. Every
wish is for two seats with numbers side by side, by a fan who has none yet.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from types import MappingProxyType
from typing import Final
from uuid import UUID

from frontrow.bench.quiet import undisturbed
from frontrow.bench.strategies import AtWork
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.seats import SeatNo

WANTED_SEATS: Final = 500  # what all of a contended crowd wants at a time: two sections close to the stage
WISHES_PER_SEAT: Final = 8  # so often each of them is wished for before the crowd moves on to the next 500

Wish = tuple[SeatNo, SeatNo]
Load = Callable[[int], Iterator[Wish]]  # what a crowd wishes for in a hall of so many seats, in order


def spread(seats: int) -> Iterator[Wish]:
    """Seats that nobody else wants."""
    for seat in range(0, seats - 1, 2):
        yield SeatNo(seat), SeatNo(seat + 1)


def contended(seats: int) -> Iterator[Wish]:
    """All want the same seats, until most of them have been refused; then the next."""
    chance = random.Random(0)  # noqa: S311 -- the same crowd each time
    for first in range(0, seats - 1, WANTED_SEATS):
        wanted = min(WANTED_SEATS, seats - first)
        for _ in range(wanted * WISHES_PER_SEAT):
            seat = first + chance.randrange(max(wanted - 1, 1))
            yield SeatNo(seat), SeatNo(seat + 1)


LOADS: Final[Mapping[str, Load]] = MappingProxyType({"spread": spread, "contended": contended})


@dataclass(slots=True)
class Heard:
    """What the crowd was told."""

    seconds: float = 0.0  # from the first wish to the last answer
    held: list[HoldRequest] = field(default_factory=list[HoldRequest])
    took: list[float] = field(default_factory=list[float])  # of each answer, in seconds

    @property
    def refused(self) -> int:
        return len(self.took) - len(self.held)


async def come(at_work: AtWork, event_id: EventId, wishes: Iterator[Wish], *, fans: int, seconds: float) -> Heard:
    """So many at once, for so long or until nobody wishes for more. Whoever waits for an answer then still gets it."""
    heard = Heard()
    chance = random.Random(event_id)  # noqa: S311 -- ids that are new in this database are enough
    until = 0.0

    async def fan() -> None:
        for seats in wishes:  # shared: each wish is one fan's
            began = perf_counter()
            if began >= until:
                return
            request = HoldRequest(
                HoldId(UUID(int=chance.getrandbits(128))), FanId(UUID(int=chance.getrandbits(128))), seats
            )
            if await at_work.hold(event_id, request):
                heard.held.append(request)
            heard.took.append(perf_counter() - began)

    with undisturbed():
        began = perf_counter()
        until = began + seconds
        async with asyncio.TaskGroup() as crowd:
            for _ in range(fans):
                crowd.create_task(fan())
        heard.seconds = perf_counter() - began
    return heard
