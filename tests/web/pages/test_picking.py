"""The pages on which seats are chosen: what is left, what is wished for, and the way through the list."""

import re
from datetime import timedelta

import pytest
from tests.ledger.on_sale import FAR_AHEAD, LONG_AGO
from tests.web.fans import FANS, KEYS, Service
from tests.web.pages.browsing import Browser
from tests.web.pages.test_pages import check_whole

from frontrow.core.catalogue import Event, Publication
from frontrow.core.sessions import Session
from frontrow.web.pages.what_is_left import HowMuch, how_much


def seats(event: Event, more: str = "") -> str:
    return f"/events/{event.event_id}/seats{more}"


async def test_the_plan_says_what_is_left_and_what_it_costs(browser: Browser, event: Event):
    page = (await browser.open(seats(event))).page
    assert browser.status == 200
    for words in ("Twelve Moons, first night", "Stalls", "€48", "Floor", "€27", "Hold the best 2 together"):
        assert words in page.text
    assert len(page.all("polygon")) == 3  # the stage, the row, the floor
    assert [shape.attributes["data-level"] for shape in page.all("svg") if "data-level" in shape.attributes] == [
        "0",
        "1",
    ]


async def test_the_list_is_the_first_thing_a_keyboard_comes_to(browser: Browser, event: Event):
    page = (await browser.open(seats(event))).page
    first = next(element for element in page.elements if element.name in {"a", "button", "input", "select"})
    assert (first.words, first.attributes["href"]) == ("Choose from a list", seats(event, "/list"))


async def test_pages_are_whole(browser: Browser, event: Event):
    for more in ("", "/list", "/list?section=Stalls", "/list?section=Floor", "/list?section=Stalls&row=1"):
        check_whole((await browser.open(seats(event, more))).page)
        assert browser.status == 200
    await (await browser.open(seats(event))).press("Hold the best 2 together")
    check_whole(browser.page)


async def test_nobody_else_s_page_is_kept_by_a_cache(browser: Browser, event: Event):
    answer = await browser.ask("GET", seats(event))
    assert answer.headers["cache-control"] == "no-store"
    assert "frontrow-fan=" in answer.headers["set-cookie"]


async def test_wishes_travel_in_the_address(browser: Browser, event: Event):
    await browser.open(seats(event, "?party=3&price_max=2700&accessible=1&section=Floor"))
    method, address, written = browser.form("Hold the best 3 together")
    assert (method, address) == ("post", f"/events/{event.event_id}/holds")
    assert {("party", "3"), ("price_max", "2700"), ("accessible", "1"), ("section", "Floor")} <= set(written)


@pytest.mark.parametrize(
    "query",
    [
        "party=0",
        "party=-1",
        "party=99999999999999999999",
        "party=x",
        "price_max=",
        "price_max=-5",
        "section=Nowhere",
        "seat=-1&seat=7&seat=100000000&seat=x&seat=%00",
        "accessible=yes",
        "&".join(f"seat={number}" for number in range(200)),
    ],
)
async def test_wishes_that_make_no_sense_are_left_out(browser: Browser, event: Event, query: str):
    await browser.open(seats(event, f"?{query}"))
    assert browser.status == 200
    assert "Hold" in browser.text


async def test_what_is_too_dear_is_not_left(browser: Browser, event: Event):
    await browser.open(seats(event, "/list?price_max=2700"))
    rows = [re.sub(r"\s+", " ", row.words) for row in browser.page.all("tr")]
    assert rows[1:] == ["Stalls gone €48", "Floor standing some 3 €27"]


async def test_the_list_leads_to_the_seats_one_by_one(browser: Browser, event: Event):
    await browser.open(seats(event, "/list"))
    await browser.follow("Stalls")
    await browser.follow("Row 1")
    assert [box.attributes["value"] for box in browser.page.all("input") if box.attributes["type"] == "checkbox"] == [
        "0", "1", "2", "3",
    ]  # fmt: skip
    await browser.press("Choose more in another row", {"seat": ["1", "2"]})
    assert "Stalls, row 1, seats 2 and 3" in browser.text
    assert "€96" in browser.text
    await browser.press("Hold 2 seats")
    assert browser.address.startswith("/holds/")


async def test_a_taken_seat_cannot_be_ticked(browser: Browser, event: Event, service: Service):
    assert (await service.fan(1, event).hold(event, "a", 1)).status == 201
    await browser.open(seats(event, "/list?section=Stalls&row=1"))
    boxes = [box.attributes["value"] for box in browser.page.all("input") if box.attributes["type"] == "checkbox"]
    assert boxes == ["0", "2", "3"]
    assert "held by someone" in browser.text


async def test_there_is_no_page_for_what_is_not_there(browser: Browser, event: Event):
    for more in ("/list?section=Nowhere", "/list?section=Stalls&row=99", "/list?row=1"):
        assert (await browser.open(seats(event, more))).status == 404, more
    for path in ("/events/0/seats", "/events/99999/seats", "/events/x/seats/list"):
        assert (await browser.open(path)).status == 404, path


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"on_sale_at": FAR_AHEAD - timedelta(days=1)}, "On sale in"),
        ({"publication": Publication.CANCELLED}, "This event does not take place."),
        (
            {"starts_at": LONG_AGO, "ends_at": LONG_AGO + timedelta(hours=1), "on_sale_at": LONG_AGO},
            "This event is over.",
        ),
        ({"waiting_room": True}, "This event has a waiting room."),
    ],
)
async def test_where_nothing_can_be_held_the_plan_is_still_there(
    browser: Browser, service: Service, terms: dict[str, object], words: str
):
    event = await service.sell(**terms)
    await browser.open(seats(event))
    assert words in browser.text
    assert [button.words for button in browser.page.all("button") if button.words.startswith("Hold")] == []
    assert browser.page.all("polygon")
    await browser.open(seats(event, "/list?section=Stalls&row=1"))
    assert browser.status == 200
    assert [button.words for button in browser.page.all("button")] == []


async def test_an_event_that_is_full_says_so(browser: Browser, service: Service):
    event = await service.sell(seats_per_hold_max=10, tickets_per_fan_max=10)
    assert (await service.fan(1, event).hold(event, "all", *range(7))).status == 201
    await browser.open(seats(event))
    assert "All seats are taken at the moment." in browser.text


async def test_a_draft_has_no_plan(browser: Browser, service: Service):
    event = await service.sell(publication=Publication.DRAFT)
    assert (await browser.open(seats(event))).status == 404


async def test_hostile_labels_are_labels(browser: Browser, service: Service, event: Event):
    hostile = "\"><script>alert('x')</script>"
    await service.database.pool.execute("UPDATE event SET name = $1", hostile)
    await service.database.pool.execute("UPDATE price_level SET name = $1", hostile)
    for more in ("", "/list", "/list?section=Stalls&row=1"):
        page = (await browser.open(seats(event, more))).page
        assert {element.attributes.get("type") for element in page.all("script")} <= {"module"}
        assert hostile in page.text


@pytest.mark.parametrize(
    ("left", "of", "said"),
    [
        (0, 100, HowMuch.GONE),
        (1, 100, HowMuch.LAST_FEW),
        (10, 100, HowMuch.LAST_FEW),  # a tenth
        (11, 100, HowMuch.SOME),
        (39, 100, HowMuch.SOME),
        (40, 100, HowMuch.PLENTY),
        (21, 2000, HowMuch.SOME),  # twenty are the most that are few
        (20, 2000, HowMuch.LAST_FEW),
        (4, 4, HowMuch.SOME),  # a box that is free is not plenty
        (1, 4, HowMuch.SOME),
    ],
)
def test_how_much_is_left_in_a_word(left: int, of: int, said: HowMuch):
    assert how_much(left, of) is said


async def test_a_fan_who_was_let_in_chooses_where_there_is_a_waiting_room(browser: Browser, service: Service):
    event = await service.sell(waiting_room=True)
    await browser.open(seats(event))
    fan_id = FANS.fan(browser.cookies["frontrow-fan"].encode(), now=0)
    assert fan_id is not None

    browser.cookies[f"frontrow-session-{event.event_id}"] = KEYS.token(Session(event.event_id, fan_id, 1, 2**40))
    await (await browser.open(seats(event))).press("Hold the best 2 together")
    assert "Held for you" in browser.text
    browser.cookies[f"frontrow-session-{event.event_id}"] = KEYS.token(Session(event.event_id, fan_id, 1, 1))
    assert "This event has a waiting room." in (await browser.open(seats(event))).text
