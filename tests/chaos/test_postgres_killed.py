"""PostgreSQL killed in the middle of batches, under a load of holds: every yes is there when it is back.

The api goes on by itself. Of those who had no answer, each finds out by asking again with the same id.
"""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final, LiteralString

import asyncpg
import httpx
import pytest
from tests import servers
from tests.chaos.fans import Diary, Fan, Yes, ask, check, client_of, find_out
from tests.chaos.on_sale import open_sale
from tests.chaos.services import Service, api
from tests.engines.asking import engines_at_work
from tests.postgres.watching import until

from frontrow.core.catalogue import EventId
from frontrow.engines.pair import Engines

SEATS: Final = 20_000
AT_ONCE: Final = 32  # fans who ask at the same time
YES_MIN: Final = 300  # acknowledged before PostgreSQL is killed


@dataclass
class Sale:
    """A sale on a PostgreSQL of its own, and what its fans were told."""

    loop: asyncio.Runner
    data_dir: Path
    engines: Engines
    service: Service
    client: httpx.AsyncClient
    event_id: EventId
    diary: Diary = field(default_factory=Diary)
    _numbers: "count[int]" = field(default_factory=count)
    _goes_on: bool = False

    @property
    def url(self) -> str:
        assert self.engines.database_url is not None
        return self.engines.database_url

    def kill_under_load(self, kill: Callable[["Sale"], None]) -> None:
        """Have fans hold seats, kill PostgreSQL in the middle of it, and start it again."""
        self.loop.run(self._sell_until_killed(kill))
        assert self.engines.database is not None
        self.engines.database.stop()  # what is left of it
        self.engines.database.start()

    async def _sell_until_killed(self, kill: Callable[["Sale"], None]) -> None:
        async with self.selling():
            await self.more_yes()
            await asyncio.to_thread(kill, self)  # meanwhile it goes on

    @asynccontextmanager
    async def selling(self) -> AsyncGenerator[None]:
        """Fans ask, so many at the same time, one after the other; until the end of the block."""
        self._goes_on = True
        selling = [asyncio.create_task(self._sell()) for _ in range(AT_ONCE)]
        try:
            yield
        finally:
            self._goes_on = False
            await asyncio.gather(*selling)

    async def more_yes(self) -> None:
        before = len(self.diary.those_told(Yes))

        async def enough() -> bool:
            return len(self.diary.those_told(Yes)) - before >= YES_MIN

        await until(enough)

    async def _sell(self) -> None:
        while self._goes_on:
            fan = self._next_fan()
            self.diary.told[fan] = await ask(self.client, self.event_id, fan)

    def _next_fan(self) -> Fan:
        """Each wants two seats. Every eighth wants one that the fan before wants as well."""
        number = next(self._numbers)
        return Fan(number, (2 * number - (number % 8 == 0), 2 * number + 1) if number else (0, 1))

    async def find_out(self) -> None:
        await self.service.ready()
        await find_out(self.client, self.event_id, self.diary)

    async def check(self) -> None:
        watcher = await asyncpg.connect(self.url)
        try:
            await check(watcher, self.diary)
        finally:
            await watcher.close()


@contextmanager
def on_sale() -> Generator[Sale]:
    """Not on a loop of pytest's: engines are started where none runs."""
    with (
        servers.engines_folder() as data_dir,
        servers.embedded(data_dir, valkey=False) as engines,
        asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop,
    ):
        assert engines.database_url is not None
        loop.run(servers.migrate_at(engines.database_url))
        ending = AsyncExitStack()
        try:
            event_id = loop.run(open_sale(engines.database_url, seats=SEATS))
            service = loop.run(ending.enter_async_context(api(engines.database_url)))
            client = loop.run(ending.enter_async_context(client_of(service)))
            loop.run(service.ready())
            yield Sale(loop, data_dir, engines, service, client, event_id)
        finally:
            loop.run(ending.aclose())


def kill_all(sale: Sale) -> None:
    """As when the machine loses its power, but for the disk: the one that leads them first."""
    for pid in sorted(engines_at_work(sale.data_dir)):
        with suppress(ProcessLookupError):  # it has just gone with the first
            os.kill(pid, signal.SIGKILL)


def stop_immediately(sale: Sale) -> None:
    """`pg_ctl stop -m immediate`."""
    os.kill(min(engines_at_work(sale.data_dir)), signal.SIGQUIT)


@pytest.mark.parametrize("kill", [kill_all, pytest.param(stop_immediately, marks=pytest.mark.slow)])
def test_every_yes_is_kept(kill: Callable[[Sale], None]):
    with on_sale() as sale:
        sale.kill_under_load(kill)
        sale.loop.run(sale.find_out())
        sale.loop.run(sale.check())


@pytest.mark.slow
def test_every_yes_is_kept_each_time():
    with on_sale() as sale:
        for _ in range(10):
            sale.kill_under_load(kill_all)
            sale.loop.run(sale.find_out())
            sale.loop.run(sale.check())
        assert len(sale.diary.told) > len(sale.diary.those_told(Yes)), "somebody was told no"


@pytest.mark.slow
def test_a_sale_goes_on_when_postgres_starts_again_by_itself():
    """As it does when one of its processes is killed: it ends all others, too."""
    with on_sale() as sale:
        sale.loop.run(_sell_through_a_crash(sale))
        sale.loop.run(sale.find_out())
        sale.loop.run(sale.check())


async def _sell_through_a_crash(sale: Sale) -> None:
    async with sale.selling():
        await sale.more_yes()
        killed = await _pid_of_a_connection(sale.url)
        os.kill(killed, signal.SIGKILL)
        await sale.more_yes()


async def _pid_of_a_connection(url: str) -> int:
    watcher = await asyncpg.connect(url)
    try:
        return await watcher.fetchval("SELECT pid FROM pg_stat_activity WHERE application_name = 'frontrow' LIMIT 1")
    finally:
        await watcher.close()


# Nothing is waited for: what is committed is written some time, and here that is seldom.
NOT_WAITED_FOR: Final[LiteralString] = """
    ALTER FUNCTION take_lane_v1 RENAME TO take_lane_slowly;
    CREATE FUNCTION take_lane_v1(of_event bigint) RETURNS timestamptz LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN take_lane_slowly(of_event);
    END;
    $$
"""
SELDOM: Final[LiteralString] = "ALTER SYSTEM SET wal_writer_delay = '10s'"
IN_LARGE_PIECES: Final[LiteralString] = "ALTER SYSTEM SET wal_writer_flush_after = '1GB'"


@pytest.mark.slow
def test_control_a_yes_that_does_not_wait_for_the_disk_is_lost():
    with on_sale() as sale:
        for statement in (NOT_WAITED_FOR, SELDOM, IN_LARGE_PIECES, "SELECT pg_reload_conf()"):
            sale.loop.run(_execute(sale.url, statement))
        sale.kill_under_load(kill_all)
        with pytest.raises(AssertionError, match="a yes is lost"):
            sale.loop.run(sale.check())


async def _execute(url: str, statement: LiteralString) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()
