# noqa: INP001 -- a script, run by name
"""What it costs that claims and journal are split by event. Run `python bench/partitions.py [ROUNDS]`.

The same batches are decided in two databases of one server, by turns: in one the tables are as the schema has them,
in the other they are whole. What counts is PostgreSQL's processor time for a hold, as a ratio within a round: others
on the machine disturb that least.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import islice
from typing import Final

import asyncpg

from frontrow.bench.batches import decide
from frontrow.bench.effort import cpu_seconds
from frontrow.bench.figures import US, median
from frontrow.bench.hold_parts import spread
from frontrow.bench.hold_requests import Asked, ask
from frontrow.bench.lab import own_database
from frontrow.bench.on_sale import HALLS, put_on_sale
from frontrow.bench.own_service import Engines, database_pid, own_engines
from frontrow.core.seat_maps import SeatMap
from frontrow.flows.group_commit import BATCH_MAX
from frontrow.processes import preparing
from frontrow.settings import Settings

ROUNDS: Final = 8
EVENTS: Final = (1, 8)  # hot at once
HOLDS: Final = 40_000  # of one event or of all together, in each round
SECONDS_MAX: Final = 60.0

WHOLE: Final = """
CREATE TABLE whole_claim (LIKE claim INCLUDING ALL) WITH (fillfactor = 85);
CREATE TABLE whole_journal (LIKE journal INCLUDING ALL);
DROP TABLE claim, journal CASCADE;
ALTER TABLE whole_claim RENAME TO claim;
ALTER TABLE whole_journal RENAME TO journal;
"""


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with own_engines(Settings.read(), say=say, pause=time.sleep) as engines:
        asyncio.run(measure(engines, rounds))


async def measure(engines: Engines, rounds: int) -> None:
    hall = HALLS["stadium"]()
    async with AsyncExitStack() as ending:
        split = await ending.enter_async_context(own_database(engines, "split"))
        whole = await ending.enter_async_context(own_database(engines, "whole"))
        for url in (split, whole):
            await preparing.migrate(url)
        connection = await asyncpg.connect(whole)
        await connection.execute(WHOLE)
        await connection.close()
        server = await database_pid(engines)
        for events in EVENTS:
            say(f"\n{events} hot: split / whole, µs for a hold\n")
            ratios = [await one_round(server, split, whole, hall, events, number) for number in range(rounds + 1)]
            say(f"median: split takes {median(ratios[1:]):.3f} times as long\n")  # the first one warms up


async def one_round(server: int, split: str, whole: str, hall: SeatMap, events: int, number: int) -> float:
    """Both, in turns as to who is first."""
    took = {url: await us_per_hold(server, url, hall, events) for url in ((split, whole), (whole, split))[number % 2]}
    say(f"{took[split]:>8.1f} / {took[whole]:.1f} = {took[split] / took[whole]:.3f}\n")
    return took[split] / took[whole]


async def us_per_hold(server: int, url: str, hall: SeatMap, events: int) -> float:
    event_ids = await put_on_sale(url, hall, events)
    asked = [ask(islice(spread([event_id], hall.seats), HOLDS // events)) for event_id in event_ids]
    before = cpu_seconds(server)
    decided = await decide(url, taking_turns(asked), seconds=SECONDS_MAX)
    return (cpu_seconds(server) - before) / len(decided.told) * US


def taking_turns(asked: Sequence[Sequence[Asked]]) -> Sequence[Asked]:
    """A batch of each event, then the next batch of each."""
    starts = range(0, len(asked[0]), BATCH_MAX)
    return [each for start in starts for of_event in asked for each in of_event[start : start + BATCH_MAX]]


def say(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
