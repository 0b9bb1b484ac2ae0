# noqa: INP001 -- a script, run by name
"""What it costs PostgreSQL that processes read the journal, and how soon they know (docs/decisions/0012).

    .venv/bin/python bench/following.py

So many followers, each with its own connection and its own look four times a second, follow all events on sale while a
thousand seats a second change. The first line is without any: what the changes cost by themselves.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from time import perf_counter

from frontrow.adapters.postgres import pool
from frontrow.bench.changes import Changing
from frontrow.bench.effort import cpu_seconds
from frontrow.bench.figures import MS, at_share
from frontrow.bench.on_sale import HALLS, HallName, put_on_sale
from frontrow.bench.own_service import Engines, database_pid, own_engines
from frontrow.core.catalogue import EventId
from frontrow.flows.at_hand import EventsAtHand
from frontrow.processes.alongside import alongside
from frontrow.processes.stopping import run, until_stopped
from frontrow.settings import Settings

FOLLOWERS = (0, 1, 4, 16)
CHANGES_PER_SECOND = 1_000
BATCHES_PER_SECOND = 100
WARM_UP_SECONDS = 2.0
USED_SECONDS = 1.0


class Follower:
    """One process's way to know, and how old each update was when it knew."""

    def __init__(self, database: pool.Database, events: Sequence[EventId], changing: Changing) -> None:
        self.events = EventsAtHand(database.catalogue, database.journal)
        self.ages: list[float] = []
        self._ids = events
        self._changing = changing
        self._known = dict.fromkeys(events, 0)

    async def load(self) -> None:
        for event_id in self._ids:
            at_hand = await self.events.get(event_id)
            assert at_hand is not None
            self._known[event_id] = at_hand.seats.update_no

    async def run(self) -> None:
        while True:
            await self.events.looked.wait()
            self.events.looked.clear()
            now = perf_counter()
            for event_id in self._ids:
                at_hand = self.events.known(event_id)
                assert at_hand is not None, "it is used all the time"
                asked_at = self._changing.done.asked_at[event_id]
                for update_no in range(self._known[event_id] + 1, at_hand.seats.update_no + 1):
                    if update_no in asked_at:  # its answer may still be on the way to us
                        self.ages.append(now - asked_at[update_no])
                self._known[event_id] = at_hand.seats.update_no


async def measure(engines: Engines, followers: int, events: Sequence[EventId], seats: int, seconds: float) -> str:
    async with AsyncExitStack() as ending:
        writing = await pool.connect(engines.database_url, connections_max=2)
        ending.push_async_callback(writing.close)
        changing = Changing(writing.ledger, events, seats=seats)
        following: list[Follower] = []
        for _ in range(followers):
            reading = await pool.connect(engines.database_url, connections_max=2)
            ending.push_async_callback(reading.close)
            following.append(Follower(reading, events, changing))
            await following[-1].load()
        works = [work for follower in following for work in (follower.events.follow(), follower.run())]
        if works:
            await ending.enter_async_context(alongside(*works))
        await ending.enter_async_context(
            changing.at_a_pace(per_second=CHANGES_PER_SECOND, batches_per_second=BATCHES_PER_SECOND)
        )
        await asyncio.sleep(WARM_UP_SECONDS)
        postmaster = await database_pid(engines)
        began, before, changed = perf_counter(), cpu_seconds(postmaster), changing.done.seats
        for follower in following:
            follower.ages.clear()
        await asyncio.sleep(seconds)
        passed, cpu, changed = perf_counter() - began, cpu_seconds(postmaster) - before, changing.done.seats - changed
        ages = sorted(age for follower in following for age in follower.ages)
    p50, p95 = (at_share(ages, share) * MS for share in (0.5, 0.95))
    rates = f"{changed / passed:>9.0f}  {cpu / passed:>14.3f}"
    return f"{followers:>9}  {len(events):>6}  {rates}  {p50:>6.0f}  {p95:>6.0f}"


def say(piece: str) -> None:
    sys.stderr.write(piece)


def main() -> None:
    options = argparse.ArgumentParser(description="What following the journal costs.")
    options.add_argument("--events", type=int, default=20)
    options.add_argument("--seconds", type=float, default=10.0)
    chosen = options.parse_args()
    hall = HALLS[HallName.THEATRE]()
    with until_stopped() as pause, own_engines(Settings.read(), say=say, pause=pause) as engines:
        print("followers  events  changes/s  postgres cores  p50 ms  p95 ms")  # noqa: T201 -- a command prints
        for followers in FOLLOWERS:
            events = run(put_on_sale(engines.database_url, hall, events=chosen.events), pause)
            line = run(measure(engines, followers, events, hall.seats, chosen.seconds), pause)
            print(line, flush=True)  # noqa: T201 -- as above


if __name__ == "__main__":
    main()
