"""What no honest client sends to hold seats: each is refused as the contract says, and nothing of it is stored."""

from dataclasses import dataclass
from typing import Final

import msgspec
from tests.ledger.on_sale import fan_no
from tests.web.fans import Fan, Service, session

from frontrow.core.catalogue import Event

ANOTHER_FANS: Final = "somebody's hold"
IN_NO_PATH: Final = (
    ".",
    "..",
    "a/b",
    "../..",
    "a\\b",
    "\x00",
    "a\n",
    "\x7f",
    "\ufffd",
)  # nobody could ask for it by that


@dataclass(frozen=True)
class Bad:
    """A body, and what is said of it. `where`: the first place that is named."""

    body: object  # bytes: as they are
    status: int
    problem: str
    where: str | None = None


def seats(*numbers: object) -> dict[str, object]:
    return {"hold_id": "mine", "seats": numbers}


def best(**wish: object) -> dict[str, object]:
    return {"hold_id": "mine", "best": wish}


def raw(text: str) -> bytes:
    """JSON that our own encoder would not write."""
    return text.encode()


BAD: Final = (
    # Seats.
    Bad(seats(), 422, "invalid", "body.seats"),
    Bad(seats(1, 1), 422, "invalid", "body.seats"),
    Bad(seats(1, 2, 3, 4, 5), 422, "too-many-seats"),  # one more than this event allows
    Bad(seats(*range(11)), 422, "too-many-seats"),  # one more than any does
    Bad(seats(*[1] * 11), 422, "too-many-seats"),
    Bad(seats(*range(10_000)), 422, "too-many-seats"),
    Bad(seats(7), 422, "unknown-seat"),  # of another event, whose hall is larger
    Bad(seats(0, 7), 422, "unknown-seat"),
    Bad(seats(-1), 422, "unknown-seat"),
    Bad(seats(2**31), 422, "unknown-seat"),
    Bad(seats(2**40), 422, "unknown-seat"),
    Bad(seats(2**63), 422, "unknown-seat"),
    Bad(raw('{"hold_id": "mine", "seats": [1' + "0" * 100 + "]}"), 422, "unknown-seat"),
    Bad(raw('{"hold_id": "mine", "seats": [1' + "0" * 5_000 + "]}"), 422, "invalid", "body.seats[0]"),
    Bad(raw('{"hold_id": "mine", "seats": [1e400]}'), 422, "invalid", "body.seats[0]"),
    Bad(raw('{"hold_id": "mine", "seats": [1e2]}'), 422, "invalid", "body.seats[0]"),
    Bad(raw('{"hold_id": "mine", "seats": [-0.0]}'), 422, "invalid", "body.seats[0]"),
    Bad(seats(0, 1.5), 422, "invalid", "body.seats[1]"),
    Bad(seats("1"), 422, "invalid", "body.seats[0]"),
    Bad(seats(True), 422, "invalid", "body.seats[0]"),  # noqa: FBT003 -- a seat that is none
    Bad(seats(None), 422, "invalid", "body.seats[0]"),
    Bad(seats([1]), 422, "invalid", "body.seats[0]"),
    Bad({"hold_id": "mine", "seats": 1}, 422, "invalid", "body.seats"),
    Bad({"hold_id": "mine", "seats": "1"}, 422, "invalid", "body.seats"),
    Bad({"hold_id": "mine", "seats": {"0": 1}}, 422, "invalid", "body.seats"),
    # The best.
    Bad(best(), 422, "invalid", "body.best"),
    Bad(best(quantity=0), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity=-1), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity=5), 422, "too-many-seats"),
    Bad(best(quantity=11), 422, "too-many-seats"),
    Bad(best(quantity=2**31), 422, "too-many-seats"),
    Bad(best(quantity=2**31 + 1), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity=2**70), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity=1.5), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity="2"), 422, "invalid", "body.best.quantity"),
    Bad(best(quantity=1, section="Balcony"), 422, "invalid", "body.best.section"),
    Bad(best(quantity=1, section=""), 422, "invalid", "body.best.section"),
    Bad(best(quantity=1, section=7), 422, "invalid", "body.best.section"),
    Bad(best(quantity=1, price_max=-1), 422, "invalid", "body.best.price_max"),
    Bad(best(quantity=1, price_max=2**60), 422, "invalid", "body.best.price_max"),
    Bad(best(quantity=1, price_max=0), 409, "seats-taken"),  # there are none so cheap
    Bad(best(quantity=1, accessible=1), 422, "invalid", "body.best.accessible"),
    Bad({"hold_id": "mine", "best": 2}, 422, "invalid", "body.best"),
    # One of the two.
    Bad({"hold_id": "mine"}, 422, "invalid", "body"),
    Bad({"hold_id": "mine", "seats": None, "best": None}, 422, "invalid", "body"),
    Bad({"hold_id": "mine", "seats": [0], "best": {"quantity": 1}}, 422, "invalid", "body"),
    Bad({"hold_id": "mine", "seats": [], "best": {"quantity": 1}}, 422, "invalid", "body"),
    # The id.
    Bad({"seats": [0]}, 422, "invalid", "body"),
    Bad({"hold_id": None, "seats": [0]}, 422, "invalid", "body.hold_id"),
    Bad({"hold_id": 7, "seats": [0]}, 422, "invalid", "body.hold_id"),
    Bad({"hold_id": "", "seats": [0]}, 422, "invalid", "body.hold_id"),
    Bad({"hold_id": "h" * 65, "seats": [0]}, 422, "invalid", "body.hold_id"),
    *(Bad({"hold_id": hold_id, "seats": [0]}, 422, "invalid", "body.hold_id") for hold_id in IN_NO_PATH),
    Bad({"hold_id": ANOTHER_FANS, "seats": [0]}, 409, "hold-exists"),
    Bad({"hold_id": ANOTHER_FANS, "best": {"quantity": 1}}, 409, "hold-exists"),
    Bad(raw('{"hold_id": "\\ud800", "seats": [0]}'), 400, "bad-request"),  # half a character
    Bad(b'{"hold_id": "\xff", "seats": [0]}', 400, "bad-request"),  # no UTF-8
    # The body.
    Bad(b"", 400, "bad-request"),
    Bad(b" ", 400, "bad-request"),
    Bad(b"{", 400, "bad-request"),
    Bad(b"}", 400, "bad-request"),
    Bad(b"\x00", 400, "bad-request"),
    Bad(b"hold_id=mine&seats=0", 400, "bad-request"),
    Bad(b"<hold><seat>0</seat></hold>", 400, "bad-request"),
    Bad(raw('{"hold_id": "mine", "seats": [0]'), 400, "bad-request"),
    Bad(raw('{"hold_id": "mine", "seats": [0]} and more'), 400, "bad-request"),
    Bad(raw('{"hold_id": "mine", "seats": [0,]}'), 400, "bad-request"),
    Bad(raw("{'hold_id': 'mine', 'seats': [0]}"), 400, "bad-request"),
    Bad(raw('{"hold_id": "mine", "seats": [NaN]}'), 400, "bad-request"),
    Bad(raw('{"hold_id": "mine", "seats": [01]}'), 400, "bad-request"),
    Bad(b"\xef\xbb\xbf" + raw('{"hold_id": "mine", "seats": [0]}'), 400, "bad-request"),  # a byte order mark
    Bad(raw('{"hold_id": "mine", "seats": [0]}').decode().encode("utf-16"), 400, "bad-request"),
    Bad([], 422, "invalid", "body"),
    Bad([0], 422, "invalid", "body"),
    Bad(None, 422, "invalid", "body"),
    Bad("hold", 422, "invalid", "body"),
    Bad(7, 422, "invalid", "body"),
    Bad(b"[" * 60_000, 422, "invalid", "body"),
    Bad(b'{"deep": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", 400, "bad-request"),
    Bad(b'{"deep": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001, 400, "bad-request"),
    Bad(b'{"hold_id": "mine", "seats": [0], "more": "' + b"x" * 70_000 + b'"}', 413, "too-large"),
    Bad(b"x" * 1_000_000, 413, "too-large"),
)


async def test_each_is_refused_and_nothing_is_stored(service: Service):
    event, other = await service.sell(), await service.sell()
    assert (await service.fan(9).hold(event, ANOTHER_FANS, 6)).status == 201
    assert (await service.fan(9).hold(other, "elsewhere", 6)).status == 201
    before = await service.stored()
    wrong = [said for bad in BAD if (said := await _wrong(service, event, bad))]
    assert wrong == []
    assert await service.stored() == before
    # Control: the same fan, event and id with nothing wrong about them.
    assert (await service.fan(1, event).post_hold(event, seats(0))).status == 201


async def _wrong(service: Service, event: Event, bad: Bad) -> str | None:
    """What is not as it should be about the answer."""
    body = bad.body if isinstance(bad.body, bytes) else msgspec.json.encode(bad.body)
    answer = await service.fan(1, event).ask("POST", f"/api/v1/events/{event.event_id}/holds", body=body)
    told = answer.json()
    where = told["errors"][0]["where"] if "errors" in told else None
    if (answer.status, answer.problem(), where) != (bad.status, bad.problem, bad.where):
        return f"{body[:80]!r}: {answer.status} {answer.problem()} {where}"
    return None


async def test_the_answer_repeats_nothing_of_what_was_sent(service: Service, event: Event):
    """It may be somebody's personal data, and it may be a script."""
    card = "<b>4111 1111 1111 1111</b>"
    for body in ({"hold_id": card * 9}, {"hold_id": "x", "seats": [card]}, {"hold_id": "x", card: 1}):
        answer = await service.fan(1).post_hold(event, body)
        assert answer.status == 422
        assert "4111" not in answer.text


async def test_one_fan_cannot_use_what_is_anothers(service: Service, event: Event):
    assert (await service.fan(9).hold(event, ANOTHER_FANS, 6)).status == 201
    before = await service.stored()
    for stranger in (
        service.fan(1),
        service.fan(1, event),
        Fan(service, fan_no(9), [session(event.event_id, fan_no(8))]),
    ):
        for method in ("GET", "DELETE"):
            answer = await stranger.ask(method, f"/api/v1/holds/{ANOTHER_FANS}")
            assert (answer.status, answer.problem()) == (404, "not-found")
    assert await service.stored() == before
