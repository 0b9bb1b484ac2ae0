"""From an event's page to held seats: by mouse, by finger, by keyboard, from the list, with and without scripts."""

from typing import Final

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import PHONE, Fan
from tests.browser.site import ARENA, STADIUM, THEATRE, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

# In the demo's cinema: row C has seats 26 to 41, in three groups.
ROW_C: Final = 26


async def test_by_clicking_on_the_plan(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.goto(f"/events/{event_id}")
    await fan.page.get_by_role("link", name="Choose your seats").click()
    await fan.ready()
    await fan.click(ROW_C + 5)
    assert await fan.picked() == [ROW_C + 5, ROW_C + 6]  # for two, as the page begins with
    await expect(fan.page.locator("#hint")).to_contain_text("with all fees")
    await fan.hold()
    assert await site.held(event_id) == [[ROW_C + 5, ROW_C + 6]]
    await expect(fan.page.get_by_text("row C, seats 6 and 7")).to_be_visible()


@pytest.mark.slow
async def test_as_many_together_as_are_wanted(fan: Fan, site: Site):
    await fan.look_at(site.event())
    await fan.page.get_by_role("radio", name="4").check()
    await expect(fan.page.locator("#hold")).to_have_text("Hold the best 4 together")
    await fan.click(ROW_C + 12)  # the last of its group: beyond it is an aisle
    assert await fan.picked() == [ROW_C + 9, ROW_C + 10, ROW_C + 11, ROW_C + 12]
    await fan.click(ROW_C + 10)  # again: not this one
    assert await fan.picked() == [ROW_C + 9, ROW_C + 11, ROW_C + 12]
    await expect(fan.page.locator("#hint")).to_contain_text("1 more to pick")
    await fan.page.get_by_role("button", name="Do not take Hall, row C, seat 10").click()
    assert await fan.picked() == [ROW_C + 11, ROW_C + 12]


async def test_the_best_there_are(fan: Fan, site: Site):
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    await fan.hold()
    [[first, second]] = await site.held(event_id)
    assert second == first + 1
    await expect(fan.page.get_by_text("Stalls centre, row ").first).to_be_visible()


async def test_the_best_there_are_at_a_price(fan: Fan, site: Site):
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    await fan.page.locator("select[name=price_max]").select_option(index=4)  # the cheapest of five
    await fan.hold()
    assert len(await site.held(event_id)) == 1
    await expect(fan.page.get_by_text("Balcony")).to_be_visible()


@pytest.mark.slow
async def test_from_the_list(fan: Fan, site: Site):
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    await fan.page.get_by_role("link", name="Choose from a list").last.click()
    await fan.page.get_by_role("link", name="Circle centre").click()
    await fan.page.get_by_role("link", name="Row B").click()
    await fan.page.get_by_role("checkbox", name="7", exact=True).check()
    await fan.page.get_by_role("checkbox", name="8", exact=True).check()
    await fan.press("Hold the chosen seats")
    await fan.arrive()
    await expect(fan.page.get_by_text("Circle centre, row B, seats 7 and 8")).to_be_visible()
    assert len(await site.held(event_id)) == 1


async def test_without_scripts(new_fan: NewFan, site: Site):
    fan = await new_fan(java_script_enabled=False)
    event_id = site.event(THEATRE)
    await fan.page.goto(f"/events/{event_id}")
    await fan.page.get_by_role("link", name="Choose your seats").click()
    await fan.page.locator("#overview").scroll_into_view_if_needed()
    await fan.page.get_by_role("radio", name="3").check()
    await fan.page.locator("select[name=section]").select_option("Circle left")
    await fan.press("Update the plan")
    await fan.press("Hold the best 3 together")
    await fan.arrive()
    await expect(fan.page.get_by_text("Circle left")).to_be_visible()
    await fan.press("Give them back")
    await expect(fan.page.get_by_role("heading", name="Given back")).to_be_visible()
    await fan.page.get_by_role("link", name="Choose from a list").last.click()
    await fan.page.get_by_role("link", name="Box C").click()
    await fan.page.get_by_role("link", name="Row 1").click()
    await fan.page.get_by_role("checkbox").first.check()
    await fan.press("Choose more in another row")
    await fan.page.get_by_role("link", name="Row 2").click()
    await fan.page.get_by_role("checkbox").first.check()
    await fan.press("Hold the chosen seats")
    await fan.arrive()
    assert [len(seats) for seats in await site.held(event_id)] == [5]  # three that were picked still, and two


async def test_without_scripts_a_section_of_the_plan_is_a_link(new_fan: NewFan, site: Site):
    fan = await new_fan(java_script_enabled=False)
    event_id = site.event(THEATRE)
    await fan.page.goto(f"/events/{event_id}/seats")
    await fan.page.locator("#overview .part").nth(1).click()
    await fan.page.wait_for_url("**/seats/list?section=Stalls+centre")


async def test_with_the_keyboard_alone(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.goto(f"/events/{event_id}/seats")
    await fan.ready()
    await fan.page.keyboard.press("Tab")
    first = fan.page.locator(":focus")
    await expect(first).to_have_text("Choose from a list")
    await expect(first).to_be_in_viewport()
    while await fan.page.evaluate("document.activeElement.id") != "map":
        await fan.page.keyboard.press("Tab")
    await fan.page.keyboard.press("ArrowRight")  # into the only section there is
    assert "row" in await fan.said()
    await fan.page.keyboard.press("ArrowUp")
    await fan.page.keyboard.press("ArrowLeft")
    said = await fan.said()
    await fan.page.keyboard.press("Enter")
    assert len(await fan.picked()) == 2
    assert said.split(",")[1] in await fan.said()  # the row that was told before is the one that was picked
    while await fan.page.evaluate("document.activeElement.id") != "hold":
        await fan.page.keyboard.press("Tab")
    await fan.page.keyboard.press("Enter")
    await fan.arrive()
    assert len(await site.held(event_id)) == 1


async def test_with_the_keyboard_from_section_to_section(fan: Fan, site: Site):
    await fan.look_at(site.event(THEATRE))
    await fan.page.locator("#map").focus()
    heard: list[str] = []
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
        await fan.page.keyboard.press(key)
        heard.append((await fan.said()).partition(":")[0])
    assert len(set(heard)) == 4
    await fan.page.keyboard.press("Enter")
    assert "row" in await fan.said()
    await fan.page.keyboard.press("Escape")
    assert ", from " in await fan.said()


@pytest.mark.slow
async def test_on_a_phone(new_fan: NewFan, site: Site):
    fan = await new_fan(**PHONE)
    event_id = site.event(THEATRE)
    await fan.look_at(event_id)
    assert await fan.page.evaluate("document.documentElement.scrollWidth") == 360  # nothing sticks out
    x, y = await fan.page.evaluate(
        "(() => { const {x, y} = document.getElementById('map').seatMap.where(400); return [x, y] })()"
    )
    await fan.page.touchscreen.tap(x, y)  # far away: comes closer
    await fan.until_still()
    assert await fan.picked() == []
    await fan.page.touchscreen.tap(*await fan.come_close(400))
    assert 400 in await fan.picked()
    await fan.hold()
    assert len(await site.held(event_id)) == 1


async def test_standing(fan: Fan, site: Site):
    event_id = site.event(ARENA)
    await fan.look_at(event_id)
    x, y = await fan.page.evaluate(
        """() => {
            const map = document.getElementById("map").seatMap
            const {centre} = map.hall.sections[1]
            const {left, top} = map.plan.getBoundingClientRect()
            return [left + map.camera.across(centre.x), top + map.camera.down(centre.y)]
        }"""
    )
    await fan.page.mouse.click(x, y)
    assert len(await fan.picked()) == 2
    await fan.hold()
    await expect(fan.page.get_by_text("Standing, 2 standing")).to_be_visible()


@pytest.mark.slow
async def test_in_the_stadium(fan: Fan, site: Site):
    event_id = site.event(STADIUM)
    await fan.look_at(event_id)
    await fan.page.locator("select[name=section]").select_option("340")
    await fan.until_still()
    seat = await fan.page.evaluate(
        "(() => { const map = document.getElementById('map').seatMap; return map.wishes.section.first + 100 })()"
    )
    await fan.click(seat)
    assert seat in await fan.picked()
    await fan.hold()
    await expect(fan.page.get_by_text("340, row")).to_be_visible()


async def test_wheelchair_places_are_for_those_who_ask_for_them(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    place = await fan.page.evaluate("document.getElementById('map').seatMap.hall.flags.findIndex(flags => flags & 1)")
    await fan.click(place)
    assert "is a wheelchair place" in await fan.said()
    assert await fan.picked() == []
    await fan.page.get_by_role("checkbox", name="Wheelchair places").check()
    await fan.click(place)
    assert place in await fan.picked()
    await fan.hold()
    await expect(fan.page.get_by_text("wheelchair place")).to_be_visible()
