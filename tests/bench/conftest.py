"""What tests of measuring may ask for beside tests/conftest.py."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from frontrow.bench.on_sale import HALLS
from frontrow.bench.strategies import STRATEGIES, AtWork, Strategy, Workbench


@dataclass(frozen=True)
class Stage:
    """A strategy at work, and what it works with."""

    strategy: Strategy
    bench: Workbench
    at_work: AtWork


@pytest.fixture(params=["published", "tuned"])
def form(request: pytest.FixtureRequest) -> str:
    """The form in which a strategy works."""
    return str(request.param)


@pytest.fixture(params=list(STRATEGIES))
async def stage(
    request: pytest.FixtureRequest, form: str, empty_database_url: str, valkey_url: str
) -> AsyncIterator[Stage]:
    """Each strategy, in both forms, in the smallest hall there is."""
    strategy = STRATEGIES[request.param]
    bench = Workbench(
        database_url=empty_database_url,
        valkey_url=valkey_url,
        prefix="test:",
        hall=HALLS["cinema"](),
        tuned=form == "tuned",
    )
    async with AsyncExitStack() as ending:
        yield Stage(strategy, bench, await ending.enter_async_context(strategy.at_work(bench)))
