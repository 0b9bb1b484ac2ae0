"""Holding seats with forms, without a script: placing, racing, changing one's mind, and all that may go wrong."""

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Final

import pytest
from tests.ledger.on_sale import FAR_AHEAD, LONG_AGO
from tests.web.asking import Header
from tests.web.fans import Service
from tests.web.pages.browsing import ORIGIN, Browser, Fields, values

from frontrow.core.catalogue import Event

SCRIPT: Final[Header] = ("accept", "application/json")
SECONDS_MAX: Final = 30.0  # a net below the test, not a promise


def seats(event: Event, *picked: int) -> str:
    return f"/events/{event.event_id}/seats?" + "&".join(f"seat={seat}" for seat in picked)


def holds(event: Event) -> str:
    return f"/events/{event.event_id}/holds"


async def form(browser: Browser, event: Event, *picked: int) -> Fields:
    """What the form on the plan would send, with these seats picked."""
    await browser.open(seats(event, *picked))
    return browser.form("Hold 1 seat" if len(picked) == 1 else f"Hold {len(picked)} seats")[2]


async def held(service: Service, event: Event) -> Sequence[list[int]]:
    """The seats of every hold that is held."""
    rows = await service.database.pool.fetch(
        "SELECT seats FROM hold WHERE event_id = $1 AND state = 'held' ORDER BY placed_at", event.event_id
    )
    return [list(row["seats"]) for row in rows]


async def test_picked_seats_are_held(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event, 1, 2))).press("Hold 2 seats")
    assert await held(service, event) == [[1, 2]]
    for words in ("Held for you", "4 min 5", "Stalls, row 1, seats 2 and 3", "€96", "Go on and pay €96"):
        assert words in browser.text
    assert not browser.page.all("h2")[0].words.startswith("Someone")  # nothing to be sorry for


async def test_the_best_are_held(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event))).press("Hold the best 2 together", {"party": "3"})
    [[*best]] = await held(service, event)
    assert len(best) == 3
    assert max(best) <= 3  # in the row, which is dearer and nearer


async def test_wishes_are_kept_to(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event))).press("Hold the best 2 together", {"price_max": "2700"})
    assert [min(places) >= 4 for places in await held(service, event)] == [True]  # the floor


async def test_sending_a_form_twice_holds_once(browser: Browser, event: Event, service: Service):
    written = await form(browser, event, 1, 2)
    addresses = {(await browser.post(holds(event), written)).headers["location"] for _ in range(3)}
    assert len(addresses) == 1
    assert await held(service, event) == [[1, 2]]


async def test_the_control_two_pages_are_two_holds(browser: Browser, event: Event):
    first, second = await form(browser, event, 1), await form(browser, event, 2)
    assert (await browser.post(holds(event), first)).status == 303
    assert (await browser.post(holds(event), second)).status == 409  # another id: one fan holds once at a time


async def test_a_page_gone_back_to_holds_the_seats_that_are_picked_now(
    browser: Browser, event: Event, service: Service
):
    written = await form(browser, event, 1, 2)
    await browser.post(holds(event), written)
    others = [pair for pair in written if pair[0] != "seat"] + [("seat", "3")]
    answer = await browser.post(holds(event), others)
    assert answer.status == 409
    assert "You hold seats here already" in answer.text
    assert await held(service, event) == [[1, 2]]


async def test_the_loser_of_a_race_is_offered_the_nearest_already_held(
    browser: Browser, event: Event, service: Service
):
    written = await form(browser, event, 1, 2)
    await service.fan(9, event).hold(event, "faster", 2)
    answer = await browser.post(holds(event), written)
    await browser.open(answer.headers["location"])
    assert "Someone was faster" in browser.text
    assert "Stalls, row 1, seats 2 and 3 went to another fan first" in browser.text
    assert "We hold Stalls, row 1, seats 1 and 2 for you instead, at the same price" in browser.text
    assert await held(service, event) == [[2], [0, 1]]
    again = await browser.post(holds(event), written)  # the answer was lost: the same offer, and nothing else
    assert again.headers["location"] == answer.headers["location"]


async def test_another_price_is_said(browser: Browser, event: Event, service: Service):
    written = await form(browser, event, 1, 2)
    await service.fan(9, event).hold(event, "faster", 0, 2)
    await browser.open((await browser.post(holds(event), written)).headers["location"])
    assert "Floor, 2 standing for you instead, for €42 less in total" in browser.text


async def test_where_nothing_is_left_nearby_the_rest_stays_picked(browser: Browser, event: Event, service: Service):
    written = await form(browser, event, 0, 1, 2, 3)
    await service.fan(8, event).hold(event, "x", 3)
    await service.fan(9, event).hold(event, "y", 4, 5, 6)
    answer = await browser.post(holds(event), written)
    assert answer.status == 409
    assert "Stalls, row 1, seat 4 went to another fan first" in answer.text
    browser.source = answer.text
    assert values(browser.form("Hold 3 seats")[2], "seat") == ["0", "1", "2"]


async def test_what_is_held_can_be_given_back_and_picked_anew(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event, 1, 2))).press("Hold 2 seats")
    await browser.press("Give them back")
    assert browser.address.startswith(f"/events/{event.event_id}/seats?seat=1&seat=2")
    assert "Given back" in browser.text
    assert await held(service, event) == []
    await browser.press("Hold 2 seats")
    assert await held(service, event) == [[1, 2]]


async def test_the_very_page_that_was_used_holds_again_after_a_release(
    browser: Browser, event: Event, service: Service
):
    written = await form(browser, event, 1, 2)
    first = (await browser.post(holds(event), written)).headers["location"]
    await (await browser.open(first)).press("Give them back")
    second = (await browser.post(holds(event), written)).headers["location"]
    assert first != second
    assert await held(service, event) == [[1, 2]]


async def test_other_seats_take_the_place_of_those_held(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event, 1, 2))).press("Hold 2 seats")
    await browser.open(seats(event, 2, 3))
    assert "You hold 2 seats here until" in browser.text
    await browser.press("Hold 2 seats instead")
    assert await held(service, event) == [[2, 3]]


async def test_nothing_is_given_back_for_seats_that_are_taken(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event, 1))).press("Hold 1 seat")
    await service.fan(9, event).hold(event, "faster", 3)
    written = [*browser_fields(browser), ("seat", "3")]
    answer = await browser.post(holds(event), written)
    assert answer.status == 409
    assert await held(service, event) == [[1], [3]]


def browser_fields(browser: Browser) -> Fields:
    """A form that would hold something else than what this browser holds."""
    hold = browser.address.partition("?")[0].removeprefix("/holds/")
    return [("hold_id", "another"), ("release", hold)]


async def test_a_hold_whose_time_is_over_says_so_and_can_be_tried_again(
    browser: Browser, service: Service, event: Event
):
    await service.database.pool.execute("UPDATE event SET hold_seconds = 1 WHERE event_id = $1", event.event_id)
    await (await browser.open(seats(event, 1, 2))).press("Hold 2 seats")
    async with asyncio.timeout(SECONDS_MAX):
        while "Held for you" in browser.text:
            await asyncio.sleep(0.05)
            await browser.open(browser.address)
    assert "The time is over" in browser.text
    assert "Nothing was charged" in browser.text
    assert [button.words for button in browser.page.all("button")] == ["Try the same seats again"]
    await browser.press("Try the same seats again")
    assert "Held for you" in browser.text
    assert (await held(service, event))[-1] == [1, 2]


@pytest.mark.parametrize(
    ("state", "words"), [("checkout", "Being paid"), ("sold", "These are yours"), ("returned", "Returned")]
)
async def test_a_hold_says_what_has_become_of_it(
    browser: Browser, event: Event, service: Service, state: str, words: str
):
    await (await browser.open(seats(event, 1, 2))).press("Hold 2 seats")
    tickets = 0 if state == "returned" else 2
    await service.database.pool.execute("UPDATE hold SET state = $1, tickets = $2", state, tickets)
    await browser.open(browser.address)
    assert words in browser.text


async def test_a_stranger_sees_no_hold(browser: Browser, event: Event):
    await (await browser.open(seats(event, 1))).press("Hold 1 seat")
    stranger = Browser(browser.app)
    assert (await stranger.open(browser.address)).status == 404
    assert "Held seats are shown only in the browser that holds them" in stranger.text
    assert (await stranger.post(browser.address + "/release", [])).status == 404
    await browser.open(browser.address)
    assert "Held for you" in browser.text


async def test_without_a_cookie_nothing_is_held_and_the_page_says_why(browser: Browser, event: Event, service: Service):
    written = await form(browser, event, 1)
    stranger = Browser(browser.app)
    answer = await stranger.post(holds(event), written)
    assert answer.status == 401
    assert "It did not send the cookie" in answer.text
    assert await held(service, event) == []
    stranger.source = answer.text
    assert values(stranger.form("Hold 1 seat")[2], "seat") == ["1"]  # what was picked is kept
    await stranger.press("Hold 1 seat")
    assert await held(service, event) == [[1]]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([("origin", "http://tickets.example")], 303),
        ([("origin", "https://tickets.example")], 303),  # TLS ends in front of us
        ([], 303),  # no browser
        ([("sec-fetch-site", "same-origin")], 303),
        ([("origin", "http://evil.example")], 403),
        ([("origin", "http://tickets.example.evil.example")], 403),
        ([("origin", "http://tickets.example:8000")], 403),
        ([("origin", "null")], 403),
        ([("sec-fetch-site", "cross-site")], 403),
        ([("sec-fetch-site", "same-site")], 403),
    ],
)
async def test_another_site_s_form_does_nothing(
    browser: Browser, event: Event, service: Service, headers: list[Header], status: int
):
    written = await form(browser, event, 1)
    answer = await browser.post(holds(event), written, headers=headers)
    assert answer.status == status
    assert bool(await held(service, event)) == (status == 303)


async def test_another_site_s_form_releases_nothing(browser: Browser, event: Event, service: Service):
    await (await browser.open(seats(event, 1))).press("Hold 1 seat")
    answer = await browser.post(f"{browser.address}/release", [], headers=[("origin", "http://evil.example")])
    assert answer.status == 403
    assert await held(service, event) == [[1]]


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ([("seat", "7")], 422),  # one more than there are
        ([("seat", "-1")], 422),
        ([("seat", "x")], 422),
        ([("seat", "1"), ("seat", "99")], 422),
        ([("seat", str(seat)) for seat in range(5)], 422),  # four are the most
        ([("seat", "1"), ("seat", "1")], 303),  # said twice by a form, meant once
        ([("party", "1000000")], 303),  # as many as there may be
        ([("party", "2"), ("section", "Nowhere")], 303),
        ([("party", "4"), ("section", "Floor")], 409),
        ([("accessible", "1")], 409),
        ([(f"field {number}", "") for number in range(100)], 400),
    ],
)
async def test_garbled_forms_hold_nothing_or_what_they_say(
    browser: Browser, event: Event, written: Fields, status: int
):
    await browser.open(seats(event))
    answer = await browser.post(holds(event), written)
    assert answer.status == status
    assert "x-request-id" in answer.headers


async def test_a_form_is_a_form(browser: Browser, event: Event):
    await browser.open(seats(event))
    for headers, status in (
        ([("content-type", "application/json")], 415),
        ([("content-type", "multipart/form-data; boundary=x")], 415),
        ([("content-type", "application/x-www-form-urlencoded; charset=UTF-8")], 303),
    ):
        assert (await browser.post(holds(event), [("party", "1")], headers=[ORIGIN, *headers])).status == status


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ("publication = 'cancelled'", 409, "The sale is closed"),
        (f"on_sale_at = '{FAR_AHEAD:%Y-%m-%d}'", 409, "The sale is closed"),
        (f"starts_at = '{LONG_AGO:%Y-%m-%d}', ends_at = '{LONG_AGO:%Y-%m-%d} 02:00'", 409, "The sale is closed"),
        ("tickets_per_fan_max = 1", 409, "That would be more than one fan may have"),
        ("seats_per_hold_max = 1", 422, "Too many at once"),
    ],
)
async def test_an_event_that_changed_meanwhile_says_how_and_keeps_what_was_picked(
    browser: Browser, event: Event, service: Service, change: str, status: int, words: str
):
    written = await form(browser, event, 1, 2)
    await service.database.pool.execute(f"UPDATE event SET {change} WHERE event_id = $1", event.event_id)  # noqa: S608 -- the rows above
    answer = await browser.post(holds(event), written)
    assert (answer.status, words in answer.text) == (status, True)
    assert await held(service, event) == []


async def test_a_session_that_ended_is_told_and_the_picks_are_kept(browser: Browser, service: Service):
    event = await service.sell(waiting_room=True)
    await browser.open(seats(event))
    answer = await browser.post(holds(event), [("seat", "1")])
    assert answer.status == 403
    assert "It is not your turn" in answer.text
    assert "Go to the event" in answer.text


async def test_scripts_are_told_the_same_in_json(browser: Browser, event: Event, service: Service):
    written = await form(browser, event, 1, 2)
    await service.fan(9, event).hold(event, "faster", 2)
    offered = await browser.post(holds(event), written, headers=[ORIGIN, SCRIPT])
    said = json.loads(offered.body)
    assert offered.status == 201
    assert said["seats"] == [0, 1]
    assert re.fullmatch(r"/holds/[0-9a-f-]{36}\?wanted=1&wanted=2", said["address"])
    assert (await browser.post(said["release"], [])).status == 303
    refused = await browser.post(holds(event), [("seat", "99")], headers=[ORIGIN, SCRIPT])
    assert (refused.status, set(json.loads(refused.body))) == (422, {"title", "words"})


async def test_the_list_is_answered_with_the_list(browser: Browser, event: Event, service: Service):
    await browser.open(f"/events/{event.event_id}/seats/list?section=Stalls&row=1")
    _, address, written = browser.form("Hold the chosen seats", {"seat": ["0", "1", "2", "3"]})
    await service.fan(8, event).hold(event, "x", 3)
    await service.fan(9, event).hold(event, "y", 4, 5, 6)
    answer = await browser.post(address, written)
    assert answer.status == 409
    browser.source = answer.text
    assert "Where you are in the list" in browser.page.values("aria-label")
    assert values(browser.form("Hold 3 seats")[2], "seat") == ["0", "1", "2"]


async def test_no_row_of_a_hostile_form_is_stored(browser: Browser, event: Event, service: Service):
    await browser.open(seats(event))
    for name in ("hold_id", "release", "section", "seat", "party", "price_max", "way", "accessible"):
        for value in ("'; DROP TABLE hold; --", "\x00", "<script>", "9" * 300, "\N{ROLLING ON THE FLOOR LAUGHING}"):
            answer = await browser.post(holds(event), [(name, value)])
            assert answer.status < 500, (name, value)
            for hold in await service.database.pool.fetch("SELECT hold_id FROM hold WHERE state = 'held'"):
                await browser.post(f"/holds/{hold['hold_id']}/release", [])
    assert await service.violations() == []
