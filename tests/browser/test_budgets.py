"""What the browser is sent, and what the stadium takes up in it. Times are measured by `python -m tests.browser`."""

from typing import Final

import pytest
from tests.browser import measuring
from tests.browser.fans import Fan
from tests.browser.site import STADIUM, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

EVENT_SCRIPT_BYTES_MAX: Final = 15_000  # as sent, packed; so is the next
MAP_SCRIPT_BYTES_MAX: Final = 35_000
MAP_DATA_BYTES_MAX: Final = 5_000_000


@pytest.mark.slow
async def test_the_stadium_keeps_its_sizes(fan: Fan, site: Site):
    event_id = site.event(STADIUM)
    await fan.page.goto(f"/events/{event_id}")
    assert 0 < await measuring.script_bytes(fan.page) <= EVENT_SCRIPT_BYTES_MAX
    await fan.look_at(event_id)
    sent = await measuring.script_bytes(fan.page)
    assert EVENT_SCRIPT_BYTES_MAX < sent <= MAP_SCRIPT_BYTES_MAX  # control: scripts are counted
    session = await fan.context.new_cdp_session(fan.page)
    taken = await measuring.map_data_bytes(fan.page, session)
    assert 1_000_000 < taken <= MAP_DATA_BYTES_MAX  # control: a hundred thousand seats take up something
