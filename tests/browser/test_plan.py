"""What the plan says around its seats: what goes first, where the window is, what a seat is; and where it begins."""

import pytest
from playwright.async_api import expect
from tests.browser.fans import Fan
from tests.browser.site import THEATRE, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

CAMERA = "document.getElementById('map').seatMap.camera"


async def test_before_the_sale_what_goes_first_is_pointed_out(fan: Fan, site: Site):
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    legend = fan.page.locator(".legend", has_text="likely to go first")
    assert await legend.count() == 0  # while seats can be had, they say it themselves
    await site.change(event_id, "on_sale_at = ends_at - interval '1 second'")
    await fan.look_at(event_id)
    await expect(legend).to_contain_text("Premium")  # with its price, long before the sale
    hot = await fan.page.evaluate("[...document.getElementById('map').seatMap.painter.sight.hot]")
    sections = await fan.page.evaluate("document.getElementById('map').seatMap.hall.sections.length")
    assert 0 < len(hot) < sections / 2
    titles = await fan.page.locator("#overview title", has_text="Likely to go first").count()
    assert titles == len(hot)


async def test_an_address_with_a_section_begins_there(fan: Fan, site: Site):
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    await fan.until_still()
    assert await fan.page.evaluate(f"{CAMERA}.zoom") < 1.1
    await expect(fan.page.locator(".in-small")).to_be_hidden()
    await fan.look_at(event_id, "?section=Circle+left")
    await fan.until_still()
    assert await fan.page.evaluate(f"{CAMERA}.zoom") > 1.5
    x, box = await fan.page.evaluate(f"[{CAMERA}.x, document.getElementById('map').seatMap.wishes.section.box]")
    assert box["left"] < x < box["right"]
    await expect(fan.page.locator(".in-small")).to_be_visible()


async def test_the_hall_in_small_leads_where_one_points(fan: Fan, site: Site):
    await fan.look_at(site.event(THEATRE), "?section=Circle+left")
    await fan.until_still()
    before = await fan.page.evaluate(f"{CAMERA}.x")
    box = await fan.page.locator("#overview").bounding_box()
    assert box is not None
    await fan.page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.7)
    await fan.until_still()
    assert await fan.page.evaluate(f"{CAMERA}.x") > before


async def test_a_seat_that_is_pointed_at_says_what_it_is(fan: Fan, site: Site):
    await fan.look_at(site.event(THEATRE))
    await fan.page.mouse.move(*await fan.come_close(400))
    card = fan.page.locator(".card-of-seat")
    await expect(card).to_be_visible()
    words, price = await fan.page.evaluate(
        """() => {
            const {hall} = document.getElementById("map").seatMap
            return [hall.words(400), hall.price(400).price]
        }"""
    )
    await expect(card).to_contain_text(words)
    await expect(card).to_contain_text(price)
    await fan.page.mouse.move(5, 5)
    await expect(card).to_be_hidden()
