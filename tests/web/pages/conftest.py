"""What tests of pages may ask for: a small season in a database of its own, and the pages over it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import datetime
from uuid import uuid4

import pytest
from tests.postgres import small_season
from tests.postgres.small_season import SmallSeason
from tests.web.asking import BROWSER, HOST, Answer, Header, ask, service
from tests.web.fans import FANS, KEYS, Service
from tests.web.pages.browsing import Browser

from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.search import connected_for_search
from frontrow.core.holds import FanId
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.hold_seats import HoldSeats
from frontrow.flows.search import Search
from frontrow.web.admission import Admission
from frontrow.web.clients import Clients
from frontrow.web.pages.site import draw_problem, pages
from frontrow.web.pages.visits import Shop
from frontrow.web.search import SearchPace

Open = Callable[..., Awaitable[Answer]]


class Clock:
    """A clock that stands where it is put."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock(small_season.NOW)


@pytest.fixture
async def season(database: Database) -> SmallSeason:
    async with database.transaction() as connection:
        return await small_season.plant(connection)


@pytest.fixture
async def shop(database: Database, clock: Clock) -> AsyncIterator[Shop]:
    events = EventsAtHand(database.catalogue, database.journal)
    hold_seats = HoldSeats(database.ledger, database.journal, events, chance=lambda: 0.0)
    admission = Admission(
        KEYS, FANS, new_fan=lambda: FanId(uuid4()), clock=clock, is_over=lambda _event_id, _number: False
    )
    yield Shop(database.catalogue, clock, events, hold_seats, admission, uuid4, behind_tls=False)
    await hold_seats.close()


@pytest.fixture
async def search(database_url: str) -> AsyncIterator[Search]:
    async with connected_for_search(database_url) as index:
        yield Search(index)


@pytest.fixture
def opened(database: Database, search: Search, clock: Clock, shop: Shop) -> Open:
    """Open a page as a browser does."""
    pace = SearchPace(Clients())
    all_pages = pages(catalogue=database.catalogue, search=search, pace=pace, clock=clock, shop=shop)
    app = service(pages=all_pages, draw=draw_problem)

    async def opened(path: str, *, query: str = "", headers: Iterable[Header] = (HOST, BROWSER)) -> Answer:
        return await ask(app, path, query=query, headers=headers)

    return opened


@pytest.fixture
def browser(service: Service) -> Browser:
    """A browser that runs no scripts, on the service as it is wired."""
    return Browser(service.app)
