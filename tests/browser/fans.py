"""A fan with a browser: what they do on the pages where seats are chosen, and what they see."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final, Self

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect
from tests.browser.site import Site

MS_MAX: Final = 30_000  # a net below the tests, not a promise: machines are busy
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}

expect.set_options(timeout=MS_MAX)


@dataclass
class Fan:
    """One browser, with one window to begin with."""

    context: BrowserContext
    page: Page
    site: Site
    complaints: list[str] = field(default_factory=list[str])

    @classmethod
    async def with_browser(cls, browser: Browser, site: Site, **looks: Any) -> Self:  # noqa: ANN401 -- of new_context
        wanted: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, **looks}
        context = await browser.new_context(base_url=site.url, **wanted)
        context.set_default_timeout(MS_MAX)
        fan = cls(context, await context.new_page(), site)
        context.on("console", fan.hear)
        context.on("weberror", lambda error: fan.complain(error.error))
        return fan

    def hear(self, message: ConsoleMessage) -> None:
        """A refusal that the page expects is no complaint, though the browser writes it down."""
        if message.type in {"error", "warning"} and "the server responded with a status of" not in message.text:
            self.complaints.append(message.text)

    def complain(self, error: Error) -> None:
        self.complaints.append(str(error))

    async def look_at(self, event_id: int, query: str = "") -> None:
        """Open the plan, and wait until its seats are known."""
        await self.page.goto(f"/events/{event_id}/seats{query}")
        await self.ready()

    async def ready(self) -> None:
        await self.page.locator("#map[data-ready]").wait_for()

    async def come_close(self, seat: int) -> tuple[float, float]:
        """Bring a seat into view, close enough to pick; where it is then."""
        await self.page.evaluate(
            """seat => {
                const {hall, camera} = document.getElementById("map").seatMap
                camera.glide({x: hall.x[seat], y: hall.y[seat], scale: 30 / hall.pitch})
            }""",
            seat,
        )
        await self.until_still()
        return await self.where(seat)

    async def where(self, seat: int) -> tuple[float, float]:
        """Where a seat is in the window."""
        at = await self.page.evaluate("seat => document.getElementById('map').seatMap.where(seat)", seat)
        return at["x"], at["y"]

    async def until_still(self) -> None:
        await self.until("!document.getElementById('map').seatMap.camera.gliding")

    async def click(self, seat: int) -> None:
        await self.page.mouse.click(*await self.come_close(seat))

    async def picked(self) -> list[int]:
        """The seats in the bar."""
        fields = await self.page.locator("#picked input[name=seat]").all()
        return [int(await field.input_value()) for field in fields]

    async def state(self, seat: int) -> int:
        """What the page knows of a seat: the code of its state."""
        return await self.page.evaluate("seat => document.getElementById('map').seatMap.live.codes[seat]", seat)

    async def until_state(self, seat: int, code: int) -> None:
        await self.until(f"document.getElementById('map').seatMap.live.codes[{seat}] === {code}")

    async def until(self, true: str) -> None:
        """Wait until an expression is true. Playwright's own way evaluates in the page, which our policy forbids."""
        async with asyncio.timeout(MS_MAX / 1000):
            while not await self.page.evaluate(true):
                await self.page.wait_for_timeout(30)

    async def press(self, words: str) -> None:
        await self.page.get_by_role("button", name=words, exact=True).click()

    async def hold(self) -> None:
        """Press the one button of the bar, and arrive at what is held."""
        await self.page.locator("#hold").click()
        await self.arrive()

    async def arrive(self) -> None:
        await self.page.wait_for_url("**/holds/*")
        await expect(self.page.get_by_text("Held for you")).to_be_visible()

    async def said(self) -> str:
        return await self.page.locator("#said").inner_text()
