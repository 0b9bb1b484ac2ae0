"""`python -m tests.browser` measures the pages in a real browser, and says which of the figures keep their limits.

It starts a copy of Frontrow with its demo and a browser that draws without a graphics card, so that pictures take
longer than on any phone. Times are the best of several: what the machine can do, not how busy it is. `--json` prints
one object. The exit code is 1 when a figure is over its limit; the sizes among them are tests too (test_budgets.py).
"""

import asyncio
import json
import shutil
import sys
from typing import Final

from playwright.async_api import Browser, async_playwright
from tests.browser import measuring
from tests.browser.conftest import BROWSERS, FLAGS, MISSING
from tests.browser.fans import Fan
from tests.browser.site import CINEMA, STADIUM, THEATRE, Site
from tests.processes.copies import new_copy, running

from frontrow.adapters.postgres import pool
from frontrow.processes.whereabouts import database_of
from frontrow.settings import Settings

TRIES: Final = 5
HOLD_SECONDS: Final = 2

# What each figure may be at most. Bytes are as they are sent, packed.
LIMITS: Final = {
    "event_script_bytes": 15_000,
    "map_script_bytes": 35_000,
    "event_first_paint_ms": 1_000,
    "map_first_paint_ms": 1_000,
    "search_first_paint_ms": 1_000,
    "parse_and_index_ms": 150,
    "map_data_bytes": 5_000_000,
    "frame_p95_ms": 20,
    "freed_seen_ms": 2_000,
}

Figures = dict[str, float]


async def measured(browser: Browser, site: Site) -> Figures:
    fan = await Fan.with_browser(browser, site)
    session = await fan.context.new_cdp_session(fan.page)
    event_id, stadium = site.event(THEATRE), site.event(STADIUM)
    figures: Figures = {}
    for name, path in (
        ("event", f"/events/{event_id}"),
        ("search", "/search?q=berlin"),
        ("map", f"/events/{stadium}/seats"),
    ):
        paints = [await measuring.first_paint_ms(fan.page, session, path) for _ in range(TRIES)]
        figures[f"{name}_first_paint_ms"] = min(paints)
        await fan.page.wait_for_load_state()
        figures[f"{name}_script_bytes"] = await measuring.script_bytes(fan.page)
    await fan.ready()
    figures["parse_and_index_ms"] = min(await measuring.parse_and_index_ms(fan.page, session, tries=TRIES))
    figures["map_data_bytes"] = await measuring.map_data_bytes(fan.page, session)
    journeys = [await measuring.frames(fan.page) for _ in range(2)]
    figures["frame_p95_ms"] = min(frames.frame_p95 for frames in journeys)
    figures["paint_p95_ms"] = min(frames.paint_p95 for frames in journeys)
    figures["freed_seen_ms"] = await freed_seen_ms(fan, browser)
    await fan.context.close()
    return figures


async def freed_seen_ms(looker: Fan, browser: Browser) -> float:
    """From the end of a hold until another browser has the seat as free."""
    site, seat = looker.site, 26
    event_id = site.event(CINEMA)
    await site.change(event_id, f"hold_seconds = {HOLD_SECONDS}")
    await looker.look_at(event_id)
    holder = await Fan.with_browser(browser, site)
    await holder.look_at(event_id, f"?seat={seat}")
    await holder.hold()
    await looker.until_state(seat, 1)
    ends_ms: float = await site.database.pool.fetchval(
        "SELECT (extract(epoch FROM max(expires_at)) * 1000)::double precision FROM hold WHERE event_id = $1", event_id
    )
    seen_ms: float = await looker.page.evaluate(
        """seat => new Promise(resolve => {
            const {live} = document.getElementById("map").seatMap
            const look = () => (live.codes[seat] === 0 ? resolve(Date.now()) : setTimeout(look, 5))
            look()
        })""",
        seat,
    )
    await holder.context.close()
    return seen_ms - ends_ms


async def main() -> Figures:
    path = next(filter(None, map(shutil.which, BROWSERS)), None) or sys.exit(MISSING)
    with new_copy() as copy, running(copy):
        database = await pool.connect(database_of(Settings(data_dir=copy.data_dir)), connections_max=2)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            figures = await measured(browser, await Site.of(copy, database))
            await browser.close()
        await database.close()
    return figures


figures = asyncio.run(main())
over = [name for name, limit in LIMITS.items() if figures[name] > limit]
if "--json" in sys.argv[1:]:
    print(json.dumps({name: round(figure, 1) for name, figure in figures.items()} | {"over": over}))  # noqa: T201 -- a command prints
else:
    for name, figure in sorted(figures.items()):
        limit = f"of {LIMITS[name]:,}" if name in LIMITS else ""
        print(f"{name:24}{figure:12,.1f}  {limit:14}{'over' if name in over else ''}".rstrip())  # noqa: T201 -- the same
sys.exit(bool(over))
