"""The laboratory: each strategy on the same load, one after the other, in a database of its own.

A cell is one strategy with one load and so many clients at once. Its event is new, and its crowd wants all of its
seats; a cell ends early when they are gone. Afterwards the database is asked whether what the crowd was told is true.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import product
from secrets import token_hex
from typing import Final
from urllib.parse import urlsplit

import asyncpg

from frontrow.bench.crowds import LOADS, come
from frontrow.bench.figures import Latency, per_second
from frontrow.bench.own_service import Engines, own_engines
from frontrow.bench.proof import Proof, Told, prove
from frontrow.bench.strategies import STRATEGIES, AtWork, Strategy, Workbench
from frontrow.core.seat_maps import SeatMap
from frontrow.engines.children import Pause, Say
from frontrow.processes.stopping import run
from frontrow.settings import Settings

CLIENTS: Final = (64, 256, 1024)
CELL_SECONDS: Final = 4.0  # with three crowds and two loads, all strategies take four minutes
WARM_UP_SECONDS: Final = 0.3  # statements are prepared, connections opened, scripts loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is tried with each strategy."""

    hall: SeatMap
    seconds: float = CELL_SECONDS
    loads: Sequence[str] = tuple(LOADS)
    clients: Sequence[int] = CLIENTS
    tuned: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one strategy with one load and so many clients."""

    load: str
    clients: int
    holds_per_s: float
    refusals_per_s: float
    latency: Latency  # of every answer


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of one strategy."""

    strategy: Strategy
    cells: Sequence[Cell]
    proof: Proof

    def document(self) -> dict[str, object]:
        """As `--json` prints it."""
        strategy = self.strategy
        cells = [{**asdict(cell), **asdict(cell.latency)} for cell in self.cells]
        for cell in cells:
            del cell["latency"]
        return {
            "strategy": strategy.name,
            "title": strategy.title,
            "durable": strategy.durable,
            "violations": self.proof.violations,
            "cells": cells,
        }


@dataclass(slots=True)
class _Examination:
    """One strategy at work, and all that its crowds were told."""

    plan: Plan
    at_work: AtWork
    told: list[Told] = field(default_factory=list[Told])

    async def cell(self, load: str, clients: int, seconds: float) -> Cell:
        event_id = await self.at_work.put_on_sale()
        wishes = LOADS[load](self.plan.hall.seats)
        heard = await come(self.at_work, event_id, wishes, fans=clients, seconds=seconds)
        self.told += [Told(event_id, request) for request in heard.held]
        return Cell(
            load,
            clients,
            per_second(len(heard.held), heard.seconds),
            per_second(heard.refused, heard.seconds),
            Latency.of(heard.took),
        )


def laboratory(settings: Settings, plan: Plan, *, say: Say, pause: Pause) -> Sequence[Examined]:
    """Every strategy, one after the other, on the same engines."""
    with own_engines(settings, say=say, pause=pause) as engines:
        return [run(examine(strategy, plan, engines, say=say), pause) for strategy in STRATEGIES.values()]


async def examine(strategy: Strategy, plan: Plan, engines: Engines, *, say: Say) -> Examined:
    """Try all that is planned, and see whether it was true."""
    async with own_database(engines, f"lab_{strategy.name}") as database_url:
        bench = Workbench(
            database_url=database_url,
            valkey_url=engines.valkey_url,
            prefix=f"lab:{token_hex(4)}:",  # keys of an earlier run may still be there
            hall=plan.hall,
            tuned=plan.tuned,
        )
        async with strategy.at_work(bench) as at_work:
            examination = _Examination(plan, at_work)
            await examination.cell("spread", max(plan.clients), min(WARM_UP_SECONDS, plan.seconds))
            cells: list[Cell] = []
            for load, clients in product(plan.loads, plan.clients):
                say(f"{strategy.title}, {load}, {clients} clients … ")
                cell = await examination.cell(load, clients, plan.seconds)
                say(f"{cell.holds_per_s:,.0f} holds/s\n")
                cells.append(cell)
            await at_work.settle()
            proof = await prove(database_url, examination.told, stored=strategy.stored, audited=strategy.audited)
    return Examined(strategy, cells, proof)


@asynccontextmanager
async def own_database(engines: Engines, name: str) -> AsyncGenerator[str]:
    """A new database with nothing in it, gone afterwards."""
    server = await asyncpg.connect(engines.database_url)
    try:
        await server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlsplit(engines.database_url)._replace(path=f"/{name}").geturl()
        finally:
            await server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    finally:
        await server.close()
