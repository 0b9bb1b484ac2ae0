"""From a name that somebody has in mind to seats that are held: suggested, without scripts, by keyboard alone."""

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import PHONE, Fan
from tests.browser.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.slow
async def test_from_a_few_letters_to_held_seats_by_keyboard(fan: Fan, site: Site):
    await fan.page.goto("/")
    field = fan.page.get_by_role("combobox", name="Search events")
    await field.focus()
    await fan.page.keyboard.type("forty ac")
    meant = fan.page.get_by_role("option", name="Forty Acres of Sky Event")
    await expect(meant).to_be_visible()
    await fan.page.keyboard.press("ArrowDown")
    assert await field.get_attribute("aria-activedescendant") == await meant.get_attribute("id")
    await fan.page.keyboard.press("Enter")
    await expect(fan.page.get_by_role("heading", level=1, name="Forty Acres of Sky")).to_be_visible()
    await tab_to(fan, "#dates .time")
    await fan.page.keyboard.press("Enter")
    await fan.page.wait_for_url("**/events/*")
    event_id = int(fan.page.url.rpartition("/")[2])
    await tab_to(fan, ".sale .button")
    await fan.page.keyboard.press("Enter")
    await fan.ready()
    await tab_to(fan, "#hold")
    await fan.page.keyboard.press("Enter")
    await fan.arrive()
    assert len(await site.held(event_id)) >= 1
    await tab_to(fan, "form .button")
    await fan.page.keyboard.press("Tab")
    await fan.press("Give them back")


async def tab_to(fan: Fan, selector: str) -> None:
    """Press Tab until what has the focus is one of these."""
    for _ in range(80):
        await fan.page.keyboard.press("Tab")
        if await fan.page.evaluate("wanted => document.activeElement?.matches(wanted)", selector):
            return
    pytest.fail(f"no way to {selector} by keyboard")


async def test_a_suggestion_can_be_clicked_and_escape_closes_them(fan: Fan, site: Site):
    assert site
    await fan.page.goto("/search")
    field = fan.page.locator("[data-suggest]")
    await field.fill("lisbo")
    city = fan.page.get_by_role("option", name="Lisbon City")
    await expect(city).to_be_visible()
    await field.press("Escape")
    await expect(city).to_be_hidden()
    await field.press("End")
    await field.type("n")
    await city.click()
    await expect(fan.page.get_by_role("heading", level=1, name="on in Lisbon")).to_be_visible()


async def test_what_is_typed_and_sent_is_searched_whatever_was_suggested(fan: Fan, site: Site):
    assert site
    await fan.page.goto("/")
    field = fan.page.get_by_role("combobox", name="Search events")
    await field.fill("lamplighter")
    await field.press("Enter")
    await expect(fan.page.get_by_role("link", name="Lamplighter on Io").first).to_be_visible()
    await fan.page.go_back()
    await fan.page.go_forward()
    await expect(fan.page.locator("[data-suggest]")).to_have_value("lamplighter")


@pytest.mark.slow
async def test_without_scripts_from_the_search_to_held_seats(new_fan: NewFan, site: Site):
    fan = await new_fan(java_script_enabled=False, **PHONE)
    await fan.page.goto("/")
    await fan.page.get_by_role("searchbox").fill("nutkraker theatre harbour")
    await fan.page.get_by_role("button", name="Search").click()
    await fan.page.goto("/search?q=film&city=1&sort=date")
    await fan.page.get_by_text("Narrow it down").click()
    await fan.page.get_by_role("checkbox", name="Only with seats left").check()
    await fan.press("Show what fits")
    assert "available=true" in fan.page.url
    assert "sort=date" in fan.page.url
    await fan.page.locator(".time.on_sale").last.click()
    event_id = int(fan.page.url.rpartition("/")[2])
    before = len(await site.held(event_id))
    await fan.page.get_by_role("link", name="Choose your seats").click()
    await fan.press("Hold the best 2 together")
    await fan.arrive()
    assert len(await site.held(event_id)) == before + 1
    await fan.press("Give them back")


async def test_where_the_fan_is_goes_into_the_address_to_a_kilometre(new_fan: NewFan, site: Site):
    assert site
    fan = await new_fan(geolocation={"latitude": 52.481234, "longitude": 13.435678}, permissions=["geolocation"])
    await fan.page.goto("/search?city=3")
    await fan.press("Near me")
    await fan.page.wait_for_url("**near=52.48%2C13.44**")
    await expect(fan.page.get_by_text("Lumen Neukölln").first).to_be_visible()
    await expect(fan.page.get_by_role("link", name="Without near you")).to_be_visible()


async def test_until_seats_are_known_the_server_s_plan_stays(fan: Fan, site: Site):
    """Nobody sees a hall where all is gone because an answer is slow."""
    event_id = site.event()
    asked: list[str] = []
    await fan.page.route("**/seats.bin", lambda route: asked.append(route.request.url))
    await fan.page.goto(f"/events/{event_id}/seats")
    await fan.until("performance.getEntriesByType('resource').some(one => one.name.includes('/seat-maps/'))")
    await expect(fan.page.locator("#overview")).to_be_visible()
    assert await fan.page.locator("#map canvas").count() == 0
