"""The stadium within its budgets. Times are the best of several: what the machine can do, not how busy it is."""

from typing import Final

import pytest
from tests.browser import measuring
from tests.browser.fans import Fan
from tests.browser.site import STADIUM, Site

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PARSE_MS_MAX: Final = 150  # at a sixth of the speed
FIRST_PAINT_MS_MAX: Final = 1_000  # at a quarter of it
MAP_DATA_BYTES_MAX: Final = 5_000_000
TRIES: Final = 5


async def test_the_stadium_keeps_its_budgets(fan: Fan, site: Site):
    event_id = site.event(STADIUM)
    session = await fan.context.new_cdp_session(fan.page)
    address = f"/events/{event_id}/seats"
    paints = [await measuring.first_paint_ms(fan.page, session, address) for _ in range(TRIES)]
    await fan.ready()
    parses = await measuring.parse_and_index_ms(fan.page, session, tries=TRIES)
    assert min(paints) <= FIRST_PAINT_MS_MAX
    assert min(parses) <= PARSE_MS_MAX
    assert await measuring.map_data_bytes(fan.page, session) <= MAP_DATA_BYTES_MAX
