"""What tests of orders may ask for: a shop, and a psp-sim that is the module's."""

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.orders.shopping import Attempts, Shop, shop
from tests.psp_sim.program import Program

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event


@pytest.fixture(scope="module")
def program_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    program = Program(tmp_path_factory.mktemp("psp-sim"))
    program.start("--late-seconds=0")
    yield program
    program.end()


@pytest.fixture
def psp(program_of_module: Program) -> Program:
    """psp-sim without faults, asked by one test after the other."""
    Attempts.of_a_new_test()
    program_of_module.asked("DELETE", "/sim/faults")
    return program_of_module


@pytest.fixture
async def open_shop(database: Database, database_url: str, valkey_url: str, psp: Program) -> AsyncIterator[Shop]:
    async with shop(database, database_url, valkey_url, psp) as opened:
        yield opened


@pytest.fixture
async def event(open_shop: Shop) -> Event:
    """On sale: seven seats, four a hold, five tickets a fan."""
    return await open_shop.service.sell()
