"""Back, refresh, a second tab: at every step what was chosen is still there, and nothing happens twice."""

from typing import Final

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import Fan
from tests.browser.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROW_C: Final = 26  # of the demo's cinema: its first seat


async def test_a_refresh_keeps_what_is_picked(fan: Fan, site: Site):
    await fan.look_at(site.event())
    await fan.click(ROW_C)
    await fan.page.reload()
    await fan.ready()
    assert await fan.picked() == [ROW_C, ROW_C + 1]


@pytest.mark.slow
async def test_going_to_the_list_takes_what_is_picked_along(fan: Fan, site: Site):
    await fan.look_at(site.event())
    await fan.click(ROW_C)
    await fan.page.get_by_role("link", name="Choose from a list").last.click()
    await expect(fan.page.get_by_text("Hall, row C, seats 1 and 2")).to_be_visible()
    await fan.page.go_back()
    await fan.ready()
    assert await fan.picked() == [ROW_C, ROW_C + 1]


async def test_a_refresh_of_what_is_held_is_the_same_hold(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id, f"?seat={ROW_C}")
    await fan.hold()
    await fan.page.reload()
    await expect(fan.page.get_by_text("Held for you")).to_be_visible()
    assert await site.held(event_id) == [[ROW_C]]


async def test_going_back_to_the_plan_shows_what_is_held(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id, f"?seat={ROW_C}")
    await fan.hold()
    await fan.page.go_back()
    await fan.ready()
    await expect(fan.page.get_by_text("You hold 1 seat here until")).to_be_visible()
    await fan.page.get_by_role("link", name="See what you hold").click()
    await fan.arrive()
    assert await site.held(event_id) == [[ROW_C]]


@pytest.mark.slow
async def test_after_going_back_other_seats_take_the_place_of_those_held(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id, f"?seat={ROW_C}")
    await fan.hold()
    await fan.page.go_back()
    await fan.ready()
    await fan.click(ROW_C + 6)
    await expect(fan.page.locator("#hold")).to_contain_text("instead")
    await fan.hold()
    [seats] = await site.held(event_id)
    assert ROW_C + 6 in seats
    assert len(seats) == len(await site.held(event_id)) + 1  # the pair; the first seat is free again


@pytest.mark.slow
async def test_a_second_tab_knows_of_the_hold(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id, f"?seat={ROW_C}")
    second = Fan(fan.context, await fan.context.new_page(), site)
    await second.look_at(event_id, f"?seat={ROW_C + 6}")
    await fan.hold()
    await second.page.locator("#hold").click()  # it was opened before, and knows of nothing
    await expect(second.page.locator("#said")).to_contain_text("You hold seats here already")
    assert await site.held(event_id) == [[ROW_C]]
    await second.page.reload()
    await second.ready()
    assert await second.picked() == [ROW_C + 6]
    await second.hold()
    assert await site.held(event_id) == [[ROW_C + 6]]


@pytest.mark.slow
async def test_the_same_seats_in_two_tabs_are_one_hold(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id, f"?seat={ROW_C}")
    second = Fan(fan.context, await fan.context.new_page(), site)
    await second.look_at(event_id, f"?seat={ROW_C}")
    await fan.page.bring_to_front()
    await fan.hold()
    await second.page.bring_to_front()
    await expect(second.page.locator("#said")).to_contain_text("You hold seats here already")
    assert await site.held(event_id) == [[ROW_C]]


async def test_pressing_twice_holds_once(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.page.locator("#hold").dblclick()
    await fan.arrive()
    assert len(await site.held(event_id)) == 1


async def test_pressing_twice_without_scripts_holds_once(new_fan: NewFan, site: Site):
    fan = await new_fan(java_script_enabled=False)
    event_id = site.event()
    await fan.page.goto(f"/events/{event_id}/seats")
    await fan.page.locator("#hold").dblclick()
    await fan.arrive()
    assert len(await site.held(event_id)) == 1


async def test_a_tab_that_nobody_sees_keeps_no_connection(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.until("document.getElementById('map').seatMap.live.stream?.readyState === 1")
    await fan.page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    assert await fan.page.evaluate("document.getElementById('map').seatMap.live.stream === undefined")
    await fan.page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    await fan.until("document.getElementById('map').seatMap.live.stream?.readyState === 1")
