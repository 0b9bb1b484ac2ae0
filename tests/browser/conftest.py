"""What tests in a browser may ask for: Frontrow with its demo, a Chromium, and fans with a browser of their own each.

The Chromium is the system's, never one that a package downloads. Where there is none the tests are left out, and say
so; in CI that is a failure.
"""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright
from tests.browser.fans import Fan
from tests.browser.site import Site
from tests.processes.copies import Copy, new_copy, running

from frontrow.adapters.postgres import pool
from frontrow.processes.whereabouts import database_of
from frontrow.settings import Settings

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
MISSING: Final = "no Chromium on this machine (Debian and Ubuntu: apt-get install chromium)"
FLAGS: Final = (
    "--no-sandbox",  # it has none for root, and loads nothing but our own pages
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

NewFan = Callable[..., Awaitable[Fan]]


@pytest.fixture(scope="session")
def chromium_path() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and os.environ.get("CI"):
        pytest.fail(MISSING)
    return found or pytest.skip(MISSING)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(chromium_path: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=list(FLAGS))
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def copy(chromium_path: str) -> Iterator[Copy]:
    """Frontrow with its demo."""
    assert chromium_path  # without a browser nothing needs to be started
    with new_copy() as copy, running(copy):
        yield copy


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site(copy: Copy) -> AsyncIterator[Site]:
    database = await pool.connect(database_of(Settings(data_dir=copy.data_dir)), connections_max=2)
    yield await Site.of(copy, database)
    await database.close()


@pytest_asyncio.fixture(loop_scope="session")
async def new_fan(chromium: Browser, site: Site) -> AsyncIterator[NewFan]:
    """A fan with a browser that nobody has used before. What a page complains about fails the test."""
    fans: list[Fan] = []

    async def new_fan(**looks: Any) -> Fan:  # noqa: ANN401 -- of Browser.new_context
        fan = await Fan.with_browser(chromium, site, **looks)
        fans.append(fan)
        return fan

    yield new_fan
    for fan in fans:
        await fan.context.close()
    assert [complaint for fan in fans for complaint in fan.complaints] == []


@pytest_asyncio.fixture(loop_scope="session")
async def fan(new_fan: NewFan) -> Fan:
    return await new_fan()
