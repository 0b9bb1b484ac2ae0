"""The waiting page in a browser: one waits, is let in, and is told so; and the page is for everybody."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import PHONE, Fan
from tests.browser.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def with_line(site: Site, seconds: float) -> int:
    """An event with a waiting room, on sale after so long."""
    event_id = site.event()
    await site.database.pool.execute(
        "UPDATE event SET waiting_room = true, on_sale_at = $2 WHERE event_id = $1",
        event_id,
        datetime.now(UTC) + timedelta(seconds=seconds),
    )
    return event_id


@pytest.mark.slow
async def test_one_waits_and_is_let_in(fan: Fan, site: Site):
    event_id = await with_line(site, 4)
    await fan.page.goto(f"/events/{event_id}/line")
    await fan.page.get_by_role("button", name="Join the line").click()
    await expect(fan.page.locator("#said")).to_contain_text("You are in line.")
    await fan.page.get_by_label("Play a sound").check()
    await expect(fan.page.locator("#big")).to_have_text("It is your turn")
    await expect(fan.page).to_have_title("It is your turn · " + (await fan.page.title()).partition(" · ")[2])
    await fan.page.wait_for_url(f"**/events/{event_id}/seats")
    await fan.ready()
    assert any(cookie.get("name") == f"frontrow-session-{event_id}" for cookie in await fan.context.cookies())


@pytest.mark.slow
async def test_on_a_phone_it_fits(new_fan: NewFan, site: Site):
    fan = await new_fan(**PHONE)
    await fan.page.goto(f"/events/{await with_line(site, 900)}/line")
    await fan.page.get_by_role("button", name="Join the line").click()
    await expect(fan.page.locator("#big")).to_contain_text("14 min")
    width = await fan.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
