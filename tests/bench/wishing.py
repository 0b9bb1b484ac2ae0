"""Requests for seats, of a new hold and a new fan each."""

from uuid import uuid4

from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.seats import SeatNo


def wish(*seats: int) -> HoldRequest:
    return HoldRequest(HoldId(uuid4()), FanId(uuid4()), tuple(map(SeatNo, seats)))
