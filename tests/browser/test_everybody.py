"""Whether everybody can use the pages: axe's findings on each, in each size and scheme, and what axe cannot see."""

from importlib.resources import files
from typing import Any, Final

import pytest
from tests.browser.conftest import NewFan
from tests.browser.fans import Fan
from tests.browser.site import THEATRE, Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE: Final = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
WIDTHS: Final = (360, 768, 1440)
RULES: Final[dict[str, Any]] = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}
TARGET_MIN: Final = 24  # pixels, WCAG 2.5.8


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
async def test_axe_finds_nothing(new_fan: NewFan, site: Site, width: int, scheme: str):
    fan = await new_fan(viewport={"width": width, "height": 800}, color_scheme=scheme)
    event_id = site.event(THEATRE)
    seats = f"/events/{event_id}/seats"
    found: dict[str, list[str]] = {}
    for path in (f"/events/{event_id}", f"{seats}/list", f"{seats}/list?section=Circle+left"):
        await fan.page.goto(path)
        found[path] = await violations(fan)
    await fan.page.goto(f"{seats}/list?section=Circle+left&row=B&seat=1")
    found["row"] = await violations(fan)
    await fan.look_at(event_id, "?seat=400&seat=401")
    await fan.come_close(400)
    found["plan"] = await violations(fan)
    await fan.hold()
    found["held"] = await violations(fan)
    assert {path: findings for path, findings in found.items() if findings} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
async def test_axe_finds_nothing_where_one_looks_around(new_fan: NewFan, site: Site, width: int, scheme: str):
    assert site
    fan = await new_fan(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found: dict[str, list[str]] = {}
    for path in (
        "/",
        "/cities",
        "/cities/1",
        "/cities/1/films",
        "/productions/1",
        "/venues/1",
        "/search?q=odessa&from=x",
        "/search?q=xylophone&city=1",
        "/nothing",
    ):
        await fan.page.goto(path)
        found[path] = await violations(fan)
    assert {path: findings for path, findings in found.items() if findings} == {}


async def violations(fan: Fan) -> list[str]:
    """What axe has against a page: the rule, and the first element that breaks it."""
    await fan.page.evaluate("Promise.all(document.getAnimations().map(animation => animation.finished))")
    await fan.page.evaluate(AXE)
    found: list[list[str]] = await fan.page.evaluate(
        "async rules => (await axe.run(rules)).violations.map(one => [one.id, one.nodes[0].html])", RULES
    )
    return [f"{rule}: {html[:200]}" for rule, html in found]


async def test_axe_would_find_something(fan: Fan, site: Site):
    """The control: a button without a name, and grey on grey."""
    await fan.look_at(site.event())
    await fan.page.evaluate(
        """() => {
            const button = document.createElement("button")
            const words = document.createElement("p")
            words.textContent = "Hard to read"
            words.style.color = "#777"
            words.style.background = "#888"
            document.querySelector(".tools").append(button, words)
        }"""
    )
    rules = {finding.partition(":")[0] for finding in await violations(fan)}
    assert {"button-name", "color-contrast"} <= rules


@pytest.mark.parametrize("width", WIDTHS)
async def test_what_is_pressed_is_large_enough(new_fan: NewFan, site: Site, width: int):
    fan = await new_fan(viewport={"width": width, "height": 800}, has_touch=True)
    await fan.look_at(site.event(THEATRE), "?seat=400")
    small = await fan.page.evaluate(
        """least => [...document.querySelectorAll("main a, main button, main select, main label, header a")]
            .filter(element => element.checkVisibility({visibilityProperty: true}) && !element.closest("svg, .skip"))
            .map(element => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
            .filter(([, {width, height}]) => width && (width < least || height < least))
            .map(([html]) => html)""",
        TARGET_MIN,
    )
    assert small == []


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
async def test_nothing_sticks_out(new_fan: NewFan, site: Site, width: int):
    fan = await new_fan(viewport={"width": width, "height": 800})
    event_id = site.event(THEATRE)
    for path in (
        "/",
        "/search?q=berlin",
        "/cities/1/films",
        "/productions/6",
        "/venues/1",
        f"/events/{event_id}",
        f"/events/{event_id}/seats",
        f"/events/{event_id}/seats/list?section=Stalls+centre&row=C",
    ):
        await fan.page.goto(path)
        assert await fan.page.evaluate("document.documentElement.scrollWidth") == width, path


@pytest.mark.parametrize("width", WIDTHS)
async def test_the_plan_has_most_of_the_window(new_fan: NewFan, site: Site, width: int):
    fan = await new_fan(viewport={"width": width, "height": 800})
    await fan.look_at(site.event(THEATRE))
    assert await fan.page.evaluate("document.getElementById('map').clientHeight") > 800 / 2


async def test_whoever_wants_less_motion_gets_none(new_fan: NewFan, site: Site):
    fan = await new_fan(reduced_motion="reduce")
    await fan.look_at(site.event(THEATRE))
    await fan.page.get_by_role("button", name="Closer").click()
    assert await fan.page.evaluate("document.getElementById('map').seatMap.camera.gliding") == 0
    assert await fan.page.evaluate("document.getElementById('map').seatMap.camera.zoom") > 1.5


async def test_zooming_needs_no_dragging(fan: Fan, site: Site):
    await fan.look_at(site.event(THEATRE))
    zoom = "document.getElementById('map').seatMap.camera.zoom"
    await fan.page.get_by_role("button", name="Closer").click()
    await fan.until(f"{zoom} > 1.5")
    await fan.page.get_by_role("button", name="Farther away").click()
    await fan.until(f"{zoom} < 1.1")


@pytest.mark.slow
async def test_the_end_of_a_hold_is_announced_in_time_and_not_all_the_time(fan: Fan, site: Site):
    event_id = site.event()
    await site.change(event_id, "hold_seconds = 123")
    await fan.look_at(event_id)
    await fan.hold()
    timer = fan.page.locator(".countdown")
    assert await timer.get_attribute("aria-live") == "off"
    warning = fan.page.locator("#warning")
    await fan.until("document.getElementById('warning').textContent !== ''")
    assert "Two minutes left" in await warning.inner_text()
    assert await warning.get_attribute("aria-live") == "polite"
