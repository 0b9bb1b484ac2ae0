"""Session tokens for load tests: each of a fan of its own, as if so many had been admitted."""

import secrets
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.sessions import SESSION_SECONDS, Session
from frontrow.processes.signing_keys import signing_keys
from frontrow.settings import Settings


def mint(settings: Settings, event_id: EventId, count: int, *, now: datetime) -> Iterator[str]:
    """So many tokens. They need the signing key and no server; whether there is such an event is not looked at."""
    keys = signing_keys(settings)
    ends_at = int(now.timestamp()) + SESSION_SECONDS
    for number in range(count):
        fan_id = FanId(UUID(bytes=secrets.token_bytes(16), version=4))
        yield keys.token(Session(event_id, fan_id, number, ends_at))
