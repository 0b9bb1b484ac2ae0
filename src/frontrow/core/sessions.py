"""Sessions: an admitted fan's shopping time at one event, as a token that cannot be forged.

A token is 63 bytes, sealed (sealing.py): nothing is stored to check one, so any process does it in a few microseconds.
Where a waiting room meters sessions, what has become of each is stored too (core/line/visits.py).

Time is that of PostgreSQL's clock, in seconds since 1970, and arrives as an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.sealing import KEY_BYTES_MIN, Seal

__all__ = ["KEY_BYTES_MIN", "SESSION_SECONDS", "Session", "SessionKeys"]

SESSION_SECONDS: Final = 3600  # where no waiting room meters them: long enough to choose in peace, and entering is free

_SESSION: Final = Struct(">B4sQ16sQQ")  # kind, key, event, fan, number, end
_SESSION_KIND: Final = 1


@dataclass(frozen=True, slots=True)
class Session:
    """A fan may choose seats of this event until the session ends."""

    event_id: EventId
    fan_id: FanId
    number: int  # tells a fan's sessions apart
    ends_at: int


class SessionKeys:
    """Makes and reads tokens of sessions."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        """The first secret signs. Each is random and of KEY_BYTES_MIN bytes or more."""
        self._seal = Seal(secrets, _SESSION, kind=_SESSION_KIND)

    def token(self, session: Session) -> str:
        return self._seal.token(session.event_id, session.fan_id.bytes, session.number, session.ends_at)

    def session(self, token: bytes, *, now: float) -> Session | None:
        """What the token says, or None: it is not ours, it was altered, or its time is over."""
        says = self._seal.opened(token)
        if says is None:
            return None
        event, fan, number, ends_at = says
        return Session(EventId(event), FanId(UUID(bytes=fan)), number, ends_at) if now < ends_at else None
