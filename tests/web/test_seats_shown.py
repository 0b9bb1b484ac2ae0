"""What is shown of an event's seats, in three ways that agree with each other and with who holds what."""

from math import inf
from typing import Any

import pytest
from tests.web.asking import Answer
from tests.web.fans import Service

from frontrow.core.catalogue import Event, PriceLevel
from frontrow.core.choosing import plan_seats
from frontrow.core.live_seats import ClaimsSeen, LiveSeats
from frontrow.core.money import Money
from frontrow.core.seats import SeatNo
from frontrow.core.updates import HOLDER_BYTES
from frontrow.demo.plans.cinema import cinema
from frontrow.flows.at_hand import EventAtHand
from frontrow.web.seats import levels_with_seats

STATES = ("available", "held", "sold", "blocked")


async def look(service: Service, event: Event, what: str, query: str = "", etag: str | None = None) -> Answer:
    headers = [] if etag is None else [("if-none-match", etag)]
    return await service.ask("GET", f"/api/v1/events/{event.event_id}/{what}", query=query, headers=headers)


async def seats(service: Service, event: Event) -> dict[int, dict[str, Any]]:
    """Every seat, by section."""
    answers = [await look(service, event, "seats", f"section={section}") for section in ("Stalls", "Floor")]
    return {seat["seat"]: seat for answer in answers for seat in answer.json()["seats"]}


async def bitmap(service: Service, event: Event) -> list[str]:
    answer = await look(service, event, "seats.bin")
    assert answer.headers["content-type"] == "application/octet-stream"
    bits = int.from_bytes(answer.body, "little")
    return [STATES[bits >> 2 * seat & 3] for seat in range(7)]


async def test_all_of_them_show_what_was_held_at_once(service: Service, event: Event):
    await service.database.ledger.block_seats(event.event_id, [[SeatNo(6)]])
    for held in ([], [0, 1, 4]):
        if held:
            assert (await service.fan(1).hold(event, "mine", *held)).status == 201
        shown = await seats(service, event)
        left = (await look(service, event, "availability")).json()
        expected = ["held" if seat in held else "blocked" if seat == 6 else "available" for seat in range(7)]
        assert [shown[seat]["state"] for seat in range(7)] == expected
        assert await bitmap(service, event) == expected
        assert {each["section"]: each["available"] for each in left["sections"]} == {
            "Stalls": expected[:4].count("available"),
            "Floor": expected[4:].count("available"),
        }
        assert left["update_no"] == (2 if held else 1)


async def test_what_a_seat_is(service: Service, event: Event):
    shown = await seats(service, event)
    assert shown[1] == {
        "seat": 1,
        "section": "Stalls",
        "row": "1",
        "number": "2",
        "price": {"amount": 4800, "currency": "EUR"},  # all-in
        "state": "available",
    }
    assert (shown[5]["section"], shown[5]["row"], shown[5]["number"]) == ("Floor", None, None)
    left = (await look(service, event, "availability")).json()
    assert [each["price_from"]["amount"] for each in left["sections"]] == [4800, 2700]


@pytest.mark.parametrize("what", ["availability", "seats", "seats.bin"])
async def test_whoever_has_the_newest_is_told_so(service: Service, event: Event, what: str):
    query = "section=Stalls" if what == "seats" else ""
    first = await look(service, event, what, query)
    assert first.headers["cache-control"].startswith("public, max-age=1")
    again = await look(service, event, what, query, etag=first.headers["etag"])
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    await service.fan(1).hold(event, "mine", 0)
    newer = await look(service, event, what, query, etag=first.headers["etag"])
    assert newer.status == 200
    assert newer.headers["etag"] != first.headers["etag"]


async def test_a_section_that_there_is_not(service: Service, event: Event):
    for query in (
        "",
        "section=",
        "section=Balcony",
        "section=stalls",
        "section=%ff",
        "other=Stalls",
        "section=Stalls%00",
    ):
        answer = await look(service, event, "seats", query)
        assert (answer.status, answer.problem(), answer.json()["errors"][0]["where"]) == (
            422,
            "invalid",
            "query.section",
        )
    assert (await look(service, event, "seats", "a=b;c&section=Stalls&section=Floor")).status == 200


@pytest.mark.parametrize("number", ["0", "x", "9" * 30])
async def test_an_event_that_nobody_knows(service: Service, number: str):
    for what in ("availability", "seats", "seats.bin"):
        answer = await service.ask("GET", f"/api/v1/events/{number}/{what}")
        assert (answer.status, answer.problem()) == (404, "not-found")


@pytest.mark.parametrize(
    ("sold", "left"),
    [
        ("", "P1 P2 P3"),
        ("P1", "P2 P3"),  # what is gone is no price of what is left
        ("P2 P3", "P1"),
        ("P1 P2 P3", "P1 P2 P3"),  # nothing is left: what there was
    ],
)
def test_the_lowest_price_is_of_what_is_left(event: Event, sold: str, left: str):
    hall = cinema()
    [section] = hall.sections
    gone = [seat for row in section.rows if row.price_level in sold.split() for seat in row.seat_nos]
    claims = ClaimsSeen(1, 0.0, gone, "s" * len(gone), bytes(HOLDER_BYTES * len(gone)), [inf] * len(gone))
    levels = tuple(PriceLevel(level, level, Money(1000, "EUR"), Money(0, "EUR")) for level in ("P1", "P2", "P3"))
    seats = LiveSeats(plan_seats(hall, levels), claims)
    at_hand = EventAtHand(event, hall, seats, used_at=0, terms_at=0, fresh_at=0, postgres_ahead=0)
    assert levels_with_seats(at_hand, section) == set(left.split())
