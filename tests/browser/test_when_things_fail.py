"""The network goes, the service restarts, the session ends, the sale closes: the page says so and loses nothing."""

import os
import signal
from typing import Final

import pytest
from playwright.async_api import Route, expect
from tests.browser.fans import Fan
from tests.browser.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROW_C: Final = 26  # of the demo's cinema: its first seat
HELD: Final = 1


@pytest.mark.slow
async def test_without_a_network_the_picks_are_kept_and_the_button_works_again(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.click(ROW_C)
    await fan.context.set_offline(True)
    await fan.page.locator("#hold").click()
    await expect(fan.page.locator("#hold")).to_have_text("Holding…")  # at once, whatever the network does
    await expect(fan.page.locator("#said")).to_contain_text("We could not reach Frontrow")
    assert await fan.picked() == [ROW_C, ROW_C + 1]
    await fan.context.set_offline(False)
    await fan.hold()
    assert await site.held(event_id) == [[ROW_C, ROW_C + 1]]
    fan.complaints.clear()  # the browser's own, of the network that was gone


@pytest.mark.slow
async def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_held_twice(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    lost: list[str] = []

    async def lose_the_first(route: Route) -> None:
        if lost:
            await route.continue_()
        else:
            lost.append(route.request.url)
            await route.fetch()  # it arrives, and is carried out
            await route.abort()

    await fan.page.route("**/holds", lose_the_first)
    await fan.hold()
    assert lost
    assert len(await site.held(event_id)) == 1
    fan.complaints.clear()  # the browser's own, of the answer that was lost


@pytest.mark.slow
async def test_a_service_that_is_killed_is_back_before_the_fan_notices(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.click(ROW_C)
    os.kill(site.api_pid(), signal.SIGKILL)
    await fan.hold()
    assert await site.held(event_id) == [[ROW_C, ROW_C + 1]]
    fan.complaints.clear()  # the browser's own, of connections that broke


@pytest.mark.slow
async def test_the_plan_goes_on_after_a_restart(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.until("document.getElementById('map').seatMap.live.stream?.readyState === 1")
    os.kill(site.api_pid(), signal.SIGKILL)
    other = await Fan.with_browser(fan.context.browser, site) if fan.context.browser else fan
    await site.until_answers()
    await other.look_at(event_id, f"?seat={ROW_C}")
    await other.hold()
    await fan.until_state(ROW_C, HELD)
    await expect(fan.page.locator(".how-new")).to_have_text("Live")
    await other.context.close()
    fan.complaints.clear()


@pytest.mark.slow
async def test_a_hold_survives_a_restart(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.hold()
    os.kill(site.api_pid(), signal.SIGKILL)
    await site.until_answers()
    await fan.page.reload()
    await expect(fan.page.get_by_text("Held for you")).to_be_visible()
    assert len(await site.held(event_id)) == 1


@pytest.mark.slow
async def test_a_hold_that_ends_while_nobody_answers_says_so(fan: Fan, site: Site):
    event_id = site.event()
    await site.change(event_id, "hold_seconds = 3")
    await fan.look_at(event_id)
    await fan.hold()
    await fan.context.set_offline(True)
    await expect(fan.page.locator("#warning")).to_contain_text("we cannot reach Frontrow at the moment")
    await fan.context.set_offline(False)
    await expect(fan.page.get_by_text("The time is over", exact=True)).to_be_visible()
    fan.complaints.clear()


async def test_a_sale_that_closes_meanwhile_is_told_and_the_picks_are_kept(fan: Fan, site: Site):
    event_id = site.event()
    await fan.look_at(event_id)
    await fan.click(ROW_C)
    await site.change(event_id, "publication = 'cancelled'")
    await fan.page.locator("#hold").click()
    await expect(fan.page.locator("#said")).to_contain_text("The sale is closed")
    assert await fan.picked() == [ROW_C, ROW_C + 1]
    await fan.page.reload()
    await expect(fan.page.get_by_text("This event does not take place.")).to_be_visible()


async def test_before_the_sale_one_can_look_and_not_pick(fan: Fan, site: Site):
    event_id = site.event()
    await site.change(event_id, "on_sale_at = ends_at - interval '1 second'")
    await fan.look_at(event_id)
    await expect(fan.page.get_by_text("On sale in")).to_be_visible()
    await fan.click(ROW_C)
    said = await fan.said()
    assert said.startswith(("Hall, row C, seat 1, €", "Hall, row C, seat 1, £"))  # whichever city it is in
    assert await fan.page.locator("#picked").count() == 0
    assert await fan.page.locator("#hold").count() == 0


@pytest.mark.slow
async def test_the_plan_turns_into_the_sale_without_a_refresh(fan: Fan, site: Site):
    event_id = site.event()
    await site.change(event_id, "on_sale_at = now() + interval '2 seconds'")
    await fan.look_at(event_id)
    await expect(fan.page.locator("#hold")).to_be_visible()


@pytest.mark.slow
async def test_when_pushing_is_full_the_plan_is_asked_for_now_and_then(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.route("**/updates*", lambda route: route.fulfill(status=503, json={"poll_seconds": 2}))
    await fan.look_at(event_id)
    await expect(fan.page.locator(".how-new")).to_have_text("Updated every few seconds")
    other = await Fan.with_browser(fan.context.browser, site) if fan.context.browser else fan
    await other.look_at(event_id, f"?seat={ROW_C}")
    await other.hold()
    await fan.until_state(ROW_C, HELD)
    await other.context.close()


@pytest.mark.slow
async def test_when_even_that_is_too_much_sections_are_counted(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.route("**/seats.bin", lambda route: route.fulfill(status=503, json={"poll_seconds": 1}))
    await fan.look_at(event_id)
    await expect(fan.page.locator(".how-new")).to_contain_text("what is left of each section")
    assert not await fan.page.evaluate("document.getElementById('map').seatMap.painter.showsSeats")
    await fan.page.unroute("**/seats.bin")
    await expect(fan.page.locator(".how-new")).to_have_text("Live")  # and back again, by itself
    assert await fan.page.evaluate("document.getElementById('map').seatMap.painter.showsSeats")
    await fan.page.route("**/seats.bin", lambda route: route.fulfill(status=503, json={"poll_seconds": 1}))
    await fan.page.reload()
    await fan.hold()  # the best there are do not need the plan


async def test_without_the_seat_map_the_server_s_plan_stays(fan: Fan, site: Site):
    event_id = site.event()
    await fan.page.route("**/seat-maps/*", lambda route: route.fulfill(status=503, body="{}"))
    await fan.page.goto(f"/events/{event_id}/seats")
    await expect(fan.page.locator("#overview")).to_be_visible()
    await fan.page.locator("#hold").click()
    await fan.arrive()
    fan.complaints.clear()


async def test_a_waiting_room_lets_one_look(fan: Fan, site: Site):
    await site.change(site.gathering, "on_sale_at = now() - interval '1 hour'")
    await fan.look_at(site.gathering)
    await expect(fan.page.get_by_text("This event has a waiting room.")).to_be_visible()
    assert await fan.page.locator("#hold").count() == 0
