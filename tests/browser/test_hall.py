"""What the browser knows of a hall, held against what the server knows: every seat's place, name, price and notes."""

from math import floor
from typing import Any, Final

import pytest
from tests.browser.fans import Fan
from tests.browser.site import ARENA, CINEMA, STADIUM, THEATRE, Site

from frontrow.core.catalogue import Event, EventId
from frontrow.core.seat_maps import SeatMap, read
from frontrow.web.pages import seat_words, words
from frontrow.web.pages.what_is_left import how_much, price_levels

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEATS_MAX: Final = 2_500  # of a hall that are looked at one by one; of a stadium each so many


@pytest.mark.slow
@pytest.mark.parametrize("hall", [CINEMA, THEATRE, ARENA, STADIUM])
async def test_seats_are_where_and_what_the_server_says(fan: Fan, site: Site, hall: int):
    event, seat_map = await known(site, site.event(hall))
    await fan.look_at(event.event_id)
    step = max(1, seat_map.seats // SEATS_MAX)
    seats = range(0, seat_map.seats, step)
    told: list[list[Any]] = await fan.page.evaluate(
        """seats => {
            const {hall} = document.getElementById("map").seatMap
            return seats.map(seat => [
                hall.words(seat), hall.notes(seat), hall.price(seat).price, hall.price(seat).name,
                Math.round(hall.x[seat]) || 0, Math.round(hall.y[seat]) || 0,
            ])
        }""",
        list(seats),
    )
    assert told == [expected(event, seat_map, seat) for seat in seats]


def expected(event: Event, seat_map: SeatMap, seat: int) -> list[Any]:
    place = seat_map.place(seat)
    price = price_levels(event)[place.price_level]
    if place.row is None:
        return [f"{place.section.label}, standing", [], words.money(price.all_in), price.name, 0, 0]
    x, y = (floor(along + 0.5) for along in place.row.positions()[seat - place.row.first_seat])
    name = f"{place.section.label}, row {place.row.label}, seat {place.number}"
    notes = list(seat_words.notes(place.flags))
    return [name, notes, words.money(price.all_in), price.name, x, y]


async def known(site: Site, event_id: int) -> tuple[Event, SeatMap]:
    event = await site.catalogue.event(EventId(event_id))
    assert event is not None
    document = await site.catalogue.seat_map(event.seat_map)
    assert document is not None
    seat_map = read(document)
    assert isinstance(seat_map, SeatMap)
    return event, seat_map


async def test_the_nearest_seat_is_the_nearest(fan: Fan, site: Site):
    """Against all seats looked at one by one."""
    await fan.look_at(site.event(ARENA))
    assert await fan.page.evaluate(
        """() => {
            const {hall, grid} = document.getElementById("map").seatMap
            let state = 7
            const random = () => (state = (state * 48271) % 2147483647) / 2147483647
            for (let round = 0; round < 300; round++) {
                const x = hall.box.left + random() * (hall.box.right - hall.box.left)
                const y = hall.box.top + random() * (hall.box.bottom - hall.box.top)
                const reach = 10 ** (random() * 4)
                const accepted = seat => seat % 3 !== round % 3
                let [best, apart] = [-1, reach ** 2]
                for (let seat = 0; seat < hall.seats; seat++) {
                    const here = (hall.x[seat] - x) ** 2 + (hall.y[seat] - y) ** 2
                    if (here <= apart && accepted(seat)) [best, apart] = [seat, here]
                }
                const found = grid.nearest(x, y, reach, accepted)
                const distance = seat => (hall.x[seat] - x) ** 2 + (hall.y[seat] - y) ** 2
                if ((found < 0) !== (best < 0) || (best >= 0 && distance(found) !== distance(best))) return false
            }
            return true
        }"""
    )


@pytest.mark.slow
async def test_a_seat_that_is_clicked_is_the_one_that_is_picked(fan: Fan, site: Site):
    await fan.look_at(site.event(THEATRE), "?party=1")
    for seat in range(3, 1_800, 257):
        await fan.click(seat)
        assert await fan.picked() == [seat]


async def test_what_is_left_is_said_alike(fan: Fan, site: Site):
    await fan.look_at(site.event())
    cases = [[left, of] for of in (4, 10, 50, 200, 3_000) for left in range(0, of + 1, max(1, of // 40))]
    told = await fan.page.evaluate(
        """async cases => {
            const modules = [...document.querySelectorAll("link[rel=modulepreload]")].map(link => link.href)
            const {howMuch} = await import(modules.find(address => address.includes("seat-panel")))
            return cases.map(([left, of]) => howMuch(left, of))
        }""",
        cases,
    )
    assert told == [how_much(left, of).value for left, of in cases]


async def test_a_filter_leaves_what_fits(fan: Fan, site: Site):
    event, seat_map = await known(site, site.event(THEATRE))
    await fan.look_at(event.event_id)
    cheapest = min(level.all_in.amount for level in event.price_levels)
    await fan.page.locator("select[name=price_max]").select_option(str(cheapest))
    left = await fan.page.evaluate("[...document.getElementById('map').seatMap.left].reduce((a, b) => a + b)")
    prices = price_levels(event)
    rows = [row for row in seat_map.rows if prices[row.price_level].all_in.amount <= cheapest]
    assert left == sum(row.seats for row in rows)
