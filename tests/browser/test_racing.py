"""Several fans at once: one seat, two who want it; seats that go while somebody looks, and seats that come back."""

import asyncio
from typing import Final

import pytest
from playwright.async_api import expect
from tests.browser.conftest import NewFan
from tests.browser.fans import Fan
from tests.browser.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROW_C: Final = 26  # of the demo's cinema: its first seat
FREE, HELD = 0, 1


async def two(new_fan: NewFan) -> tuple[Fan, Fan]:
    return await new_fan(), await new_fan()


@pytest.mark.slow
async def test_one_wins_and_the_other_gets_an_offer(new_fan: NewFan, site: Site):
    event_id = site.event()
    fans = await two(new_fan)
    for fan in fans:
        await fan.page.goto(f"/events/{event_id}/seats?seat={ROW_C + 6}&seat={ROW_C + 7}")
        await fan.ready()
        await fan.page.evaluate("document.getElementById('map').seatMap.live.pause()")  # neither is told in time
    await asyncio.gather(*(fan.page.locator("#hold").click() for fan in fans))
    await asyncio.gather(*(fan.arrive() for fan in fans))
    held = await site.held(event_id)
    assert sorted(map(len, held)) == [2, 2]
    assert [ROW_C + 6, ROW_C + 7] in held
    told = [await fan.page.locator("#notice").inner_text() for fan in fans]
    [loser] = [words for words in told if words]
    assert "Someone was faster" in loser
    assert "row C, seats 7 and 8 went to another fan first" in loser
    assert "at the same price" in loser


async def test_a_seat_lost_while_looking_is_told_and_others_are_held_already(new_fan: NewFan, site: Site):
    event_id = site.event()
    looker, buyer = await two(new_fan)
    await looker.look_at(event_id)
    await looker.click(ROW_C + 6)
    assert await looker.picked() == [ROW_C + 6, ROW_C + 7]
    await buyer.look_at(event_id, f"?seat={ROW_C + 7}")
    await buyer.hold()
    offer = looker.page.get_by_role("dialog")
    await expect(offer).to_be_visible()
    await expect(offer).to_contain_text("Someone was faster")
    await expect(offer).to_contain_text("row C, seats 7 and 8 went to another fan first")
    assert len(await site.held(event_id)) == 2  # before anything was pressed
    await offer.get_by_role("link", name="Keep these").click()
    await looker.arrive()


@pytest.mark.slow
async def test_an_offer_that_is_let_go_is_free_again(new_fan: NewFan, site: Site):
    event_id = site.event()
    looker, buyer = await two(new_fan)
    await looker.look_at(event_id)
    await looker.click(ROW_C + 6)
    await buyer.look_at(event_id, f"?seat={ROW_C + 6}")
    await buyer.hold()
    await looker.page.get_by_role("button", name="Let them go").click()
    await expect(looker.page.locator("#said")).to_have_text("Given back. Choose others.")
    assert await site.held(event_id) == [[ROW_C + 6]]
    assert await looker.picked() == [ROW_C + 7]  # this one is still there
    await looker.hold()


@pytest.mark.slow
async def test_a_seat_that_is_not_picked_goes_without_a_word(new_fan: NewFan, site: Site):
    event_id = site.event()
    looker, buyer = await two(new_fan)
    await looker.look_at(event_id)
    await looker.click(ROW_C)
    said = await looker.said()
    await buyer.look_at(event_id, f"?seat={ROW_C + 9}")
    await buyer.hold()
    await looker.until_state(ROW_C + 9, HELD)
    assert not await looker.page.get_by_role("dialog").is_visible()
    assert await looker.said() in {said, ""}


async def test_what_expires_says_so_and_is_free_for_everybody(new_fan: NewFan, site: Site):
    event_id = site.event()
    await site.change(event_id, "hold_seconds = 3")
    holder, looker = await two(new_fan)
    await looker.look_at(event_id)
    await holder.look_at(event_id, f"?seat={ROW_C}")
    await holder.hold()
    await looker.until_state(ROW_C, HELD)
    await expect(holder.page.get_by_text("The time is over")).to_be_visible()
    await looker.until_state(ROW_C, FREE)
    await looker.click(ROW_C)
    assert ROW_C in await looker.picked()
    await site.change(event_id, "hold_seconds = 300")
    await holder.press("Try the same seats again")
    await holder.arrive()


@pytest.mark.slow
async def test_what_is_given_back_is_free_for_everybody(new_fan: NewFan, site: Site):
    event_id = site.event()
    holder, looker = await two(new_fan)
    await looker.look_at(event_id)
    await holder.look_at(event_id, f"?seat={ROW_C}")
    await holder.hold()
    await looker.until_state(ROW_C, HELD)
    await holder.press("Give them back")
    await looker.until_state(ROW_C, FREE)


@pytest.mark.slow
async def test_a_change_is_drawn_where_it_is_and_nowhere_else(new_fan: NewFan, site: Site):
    event_id = site.event()
    looker, buyer = await two(new_fan)
    await looker.look_at(event_id)
    await looker.come_close(ROW_C + 6)
    await looker.page.mouse.move(2, 2)
    before = await pictures(looker)
    await buyer.look_at(event_id, f"?seat={ROW_C + 6}")
    await buyer.hold()
    await looker.until_state(ROW_C + 6, HELD)
    after = await pictures(looker)
    assert before[ROW_C + 6] != after[ROW_C + 6]
    for seat in (ROW_C + 4, ROW_C + 5, ROW_C + 7, ROW_C + 8):
        assert before[seat] == after[seat], seat


async def pictures(fan: Fan) -> dict[int, bytes]:
    """What some seats look like, two frames from now."""
    await fan.page.evaluate("(async () => { for (const _ of [1, 2]) await new Promise(requestAnimationFrame) })()")
    found: dict[int, bytes] = {}
    for seat in range(ROW_C + 4, ROW_C + 9):
        x, y = await fan.where(seat)
        found[seat] = await fan.page.screenshot(clip={"x": x - 11, "y": y - 11, "width": 22, "height": 22})
    return found
