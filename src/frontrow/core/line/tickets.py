"""Tickets for a line: a fan's place in it, sealed, kept by the fan and by nobody else.

A ticket says who joined the line of which event, and when; not what was drawn, so nobody learns a place from it. What
it says is the same whenever the same fan joins again, and so is the ticket, byte for byte, as long as the key is.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from struct import Struct
from typing import Final
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line.policies import Joined
from frontrow.core.sealing import Seal

MS: Final = 1_000

_TICKET: Final = Struct(">B4sQ16sQd")  # kind, key, event, fan, milliseconds, frontier
_TICKET_KIND: Final = 3
_PURPOSE: Final = b"frontrow line ticket"


@dataclass(frozen=True, slots=True)
class LineTicket:
    """One fan's place in one line."""

    event_id: EventId
    fan_id: FanId
    joined: Joined


class TicketKeys:
    """Makes and reads tickets."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The secrets that sessions are sealed with: what seals here is derived from them, and opens nothing there."""
        self._seal = Seal([hmac.digest(secret, _PURPOSE, "sha256") for secret in secrets], _TICKET, kind=_TICKET_KIND)

    def token(self, ticket: LineTicket) -> str:
        joined = ticket.joined
        return self._seal.token(ticket.event_id, ticket.fan_id.bytes, round(joined.seconds * MS), joined.frontier)

    def ticket(self, token: bytes) -> LineTicket | None:
        """What the ticket says, or None: it is not ours, or it was altered."""
        says = self._seal.opened(token)
        if says is None:
            return None
        event, fan, ms, frontier = says
        assert isfinite(frontier), "we sealed it"
        return LineTicket(EventId(event), FanId(UUID(bytes=fan)), Joined(ms / MS, frontier))
