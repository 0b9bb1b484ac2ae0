"""Requests for holds over HTTP, each of a fan of its own, and what their answers say.

All of it happens before and after a load, so that neither costs the load anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final
from uuid import UUID, uuid4

import msgspec

from frontrow.bench.http_load import NO_ANSWER, Answers
from frontrow.bench.own_service import Service
from frontrow.bench.proof import Told
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.seats import SeatNo
from frontrow.core.sessions import Session

Pair = tuple[SeatNo, SeatNo]
Wish = tuple[EventId, Pair]

TAKEN: Final = b"/problems/seats-taken"


class Outcome(StrEnum):
    """What became of a request."""

    HELD = "held"
    TAKEN = "taken"  # somebody was faster
    UNKNOWN = "unknown"  # no answer, or the word that something broke
    OTHER = "other"  # another refusal, which none of these requests deserves


class _Seat(msgspec.Struct, frozen=True):
    seat: int


class _Held(msgspec.Struct, frozen=True):
    hold_id: UUID
    seats: list[_Seat]


_HELD: Final = msgspec.json.Decoder(_Held)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one fan asks for."""

    event_id: EventId
    request: HoldRequest


def ask(wishes: Iterable[Wish]) -> Sequence[Asked]:
    """One fan for each wish."""
    return [Asked(event_id, HoldRequest(HoldId(uuid4()), FanId(uuid4()), seats)) for event_id, seats in wishes]


def encoded(asked: Iterable[Asked], service: Service, *, sessions_end_at: int) -> Sequence[bytes]:
    """The requests as they go over the wire: every fan has been admitted."""
    host = "{}:{}".format(*service.address).encode()
    return [
        _encoded(
            each,
            service.keys.token(Session(each.event_id, each.request.fan_id, 1, sessions_end_at)).encode(),
            host,
        )
        for each in asked
    ]


def pairs(seats: int) -> Iterator[Pair]:
    """Seats two by two, each once."""
    for seat in range(0, seats - 1, 2):
        yield SeatNo(seat), SeatNo(seat + 1)


def outcome(answers: Answers, number: int) -> Outcome:
    """What became of one request that was sent."""
    status = answers.status(number)
    if status == HTTPStatus.CREATED:
        return Outcome.HELD
    if status == HTTPStatus.CONFLICT and TAKEN in answers.body(number):
        return Outcome.TAKEN
    if status == NO_ANSWER or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Outcome.UNKNOWN
    return Outcome.OTHER


def told(asked: Asked, answers: Answers, number: int, came: Outcome) -> Told | None:
    """The hold that a fan was told of, in the words of the answer; or the one that a fan without an answer may have."""
    if came is Outcome.HELD:
        held = _HELD.decode(answers.body(number))
        seats = tuple(SeatNo(seat.seat) for seat in held.seats)
        return Told(asked.event_id, HoldRequest(HoldId(held.hold_id), asked.request.fan_id, seats))
    if came is Outcome.UNKNOWN:
        return Told(asked.event_id, asked.request, is_certain=False)
    return None


def _encoded(asked: Asked, token: bytes, host: bytes) -> bytes:
    request = asked.request
    body = b'{"hold_id":"%s","seats":[%s]}' % (
        str(request.hold_id).encode(),
        b",".join(b"%d" % s for s in request.seats),
    )
    head = (
        b"POST /api/v1/events/%d/holds HTTP/1.1\r\nhost: %s\r\nfrontrow-session: %s\r\n"
        b"content-type: application/json\r\ncontent-length: %d\r\n\r\n"
    )
    return head % (asked.event_id, host, token, len(body)) + body
