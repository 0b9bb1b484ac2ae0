"""How quick pages and the plan of the stadium are, and what they take: for tests, and `python -m tests.browser`."""

from dataclasses import dataclass
from statistics import quantiles
from typing import Any, Final, Protocol

from playwright.async_api import Page

PARSE_THROTTLE: Final = 6  # a cheap phone, against the machine that this runs on
PAINT_THROTTLE: Final = 4

# What each module exports, by the names of the files; the page knows their addresses.
MODULES: Final = """
async () => {
    const links = [...document.querySelectorAll("link[rel=modulepreload]")].map(link => link.href)
    const find = name => import(links.find(address => address.includes(`/${name}.`)))
    const [{Hall}, {SeatGrid}] = await Promise.all([find("seat-hall"), find("seat-grid")])
    const plan = document.getElementById("map")
    const text = await (await fetch(plan.dataset.seatMap)).text()
    const levels = JSON.parse(plan.dataset.levels)
    window.measured = {text, make: () => {
        const hall = new Hall(JSON.parse(text), levels)
        return [hall, new SeatGrid(hall.x, hall.y, hall.box, hall.pitch), new Uint8Array(hall.seats)]
    }}
}
"""
PARSE: Final = """
() => {
    const began = performance.now()
    window.measured.kept = window.measured.make()
    return performance.now() - began
}
"""
# From the whole hall down to single seats, along the stands, and back: as fingers do it, a step for each frame.
JOURNEY: Final = """
async () => {
    const {camera, painter} = document.getElementById("map").seatMap
    const frame = () => new Promise(requestAnimationFrame)
    const paints = []
    const paint = painter.paint.bind(painter)
    painter.paint = now => {
        const began = performance.now()
        paint(now)
        paints.push(performance.now() - began)
    }
    const intervals = []
    let before = await frame()
    const step = async move => {
        move()
        const now = await frame()
        intervals.push(now - before)
        before = now
    }
    camera.zoomAt(1e-6, 0, 0)
    const {width, height} = camera
    for (let turn = 0; turn < 90; turn++) await step(() => camera.zoomAt(1.042, width * 0.3, height * 0.25))
    for (let turn = 0; turn < 90; turn++) await step(() => camera.pan(-9, turn % 30 < 15 ? 4 : -4))
    for (let turn = 0; turn < 90; turn++) await step(() => camera.zoomAt(1 / 1.042, width / 2, height / 2))
    delete painter.paint
    return {intervals, paints}
}
"""


class Session(Protocol):
    """The browser's debugging protocol, of which Playwright does not know the types."""

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Frames:
    """One journey over the plan, in milliseconds."""

    frame_p50: float
    frame_p95: float
    paint_p50: float
    paint_p95: float
    paint_max: float


async def throttle(session: Session, rate: float) -> None:
    await session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


async def parse_and_index_ms(page: Page, session: Session, *, tries: int) -> list[float]:
    """JSON to seats that can be drawn and found, on a slow processor."""
    await page.evaluate(MODULES)
    await throttle(session, PARSE_THROTTLE)
    try:
        return [await page.evaluate(PARSE) for _ in range(tries)]
    finally:
        await throttle(session, 1)


async def map_data_bytes(page: Page, session: Session) -> int:
    """What the seats of a hall take up: objects and arrays."""
    await page.evaluate(MODULES)
    await page.evaluate("window.measured.make() && undefined")  # what is compiled once is not data
    before = await _heap(session)
    await page.evaluate("window.measured.kept = window.measured.make(), undefined")
    return await _heap(session) - before


async def script_bytes(page: Page) -> int:
    """What the scripts of a page are when they are sent."""
    return await page.evaluate(
        """performance.getEntriesByType("resource")
            .filter(one => new URL(one.name).pathname.endsWith(".js"))
            .reduce((all, one) => all + one.encodedBodySize, 0)"""
    )


async def frames(page: Page) -> Frames:
    measured: dict[str, list[float]] = await page.evaluate(JOURNEY)
    intervals, paints = measured["intervals"], measured["paints"]
    return Frames(_p(intervals, 50), _p(intervals, 95), _p(paints, 50), _p(paints, 95), max(paints))


async def first_paint_ms(page: Page, session: Session, address: str) -> float:
    """First contentful paint, on a slow processor, with nothing in the browser's cache."""
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await throttle(session, PAINT_THROTTLE)
    try:
        await page.goto(address)
        return await page.evaluate(
            """() => new Promise(resolve => new PerformanceObserver(list => {
                const paint = list.getEntriesByName("first-contentful-paint")[0]
                if (paint) resolve(paint.startTime)
            }).observe({type: "paint", buffered: true}))"""
        )
    finally:
        await throttle(session, 1)
        await session.send("Network.setCacheDisabled", {"cacheDisabled": False})


async def _heap(session: Session) -> int:
    for _ in range(3):
        await session.send("HeapProfiler.collectGarbage")
    usage = await session.send("Runtime.getHeapUsage")
    return int(usage["usedSize"] + usage.get("backingStorageSize", 0))


def _p(values: list[float], percent: int) -> float:
    return quantiles(values, n=100)[percent - 1]
