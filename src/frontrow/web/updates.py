"""`GET /api/v1/events/{event}/updates`: every change of an event's seats as Server-Sent Events.

What is told, and to whom, is flows/feed.py; docs/live-updates.md is for those who write a client. A place is taken and
given back by the same call, however that ends: the server runs it to its end when a client goes away, and cancels it
when it stops.
"""

import asyncio
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from frontrow.core.catalogue import EventId
from frontrow.core.faults import UnavailableError
from frontrow.core.map_levels import Level, poll_seconds
from frontrow.core.seat_codec import age
from frontrow.flows.at_hand import EventAtHand, EventsAtHand
from frontrow.flows.channel import Watcher
from frontrow.flows.feed import Feed
from frontrow.flows.map_levels import MapLevels
from frontrow.web import reading
from frontrow.web.answers import NO_STORE, Header, send_problem
from frontrow.web.map_numbers import MapNumbers
from frontrow.web.problems import Problem, of_fault, problem

RETRY_MS_MIN: Final = 500  # until a browser that lost its stream comes back
RETRY_MS_MORE: Final = 1_000  # at most so much later, each another time: thousands lose it in the same moment
_DIGITS_MAX: Final = 18  # as long as PostgreSQL's numbers of updates may ever get

_HEADERS: Final[tuple[Header, ...]] = (
    (b"content-type", b"text/event-stream"),
    NO_STORE,
    (b"x-accel-buffering", b"no"),  # nginx would gather what should be there at once
)


class Updates:
    """Streams of what the feed tells."""

    def __init__(
        self, events: EventsAtHand, feed: Feed, levels: MapLevels, numbers: MapNumbers, *, chance: Callable[[], float]
    ) -> None:
        """`chance` draws evenly from 0 to 1: when a client comes back that has lost its stream."""
        self._events = events
        self._feed = feed
        self._levels = levels
        self._numbers = numbers
        self._chance = chance

    async def stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        after = _after(scope)
        if isinstance(after, Problem):
            await send_problem(send, after)
            return
        at_hand = await self._at_hand(scope)
        if isinstance(at_hand, Problem):
            await send_problem(send, at_hand)
            return
        watcher = self._feed.watch(at_hand, after) if self._levels.level is Level.PUSH else None
        if watcher is None:
            await send_problem(send, self._overloaded(at_hand.event.event_id))
            return
        with watcher, self._numbers.streaming():
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            await self._go_on(watcher, self._first(at_hand), receive, send)

    def _first(self, at_hand: EventAtHand) -> bytes:
        retry = RETRY_MS_MIN + round(RETRY_MS_MORE * self._chance())
        return b"retry: %d\n\n" % retry + age(at_hand.age(asyncio.get_running_loop().time()))

    async def _go_on(self, watcher: Watcher, first: bytes, receive: Receive, send: Send) -> None:
        """Until the client leaves, or is sent away."""
        writing = asyncio.create_task(_write(first, watcher, send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({writing, leaving, watcher.over}, return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                writing.result()  # it ends only by a fault
        finally:
            writing.cancel()  # it may hang in the middle of a write that nobody reads
            leaving.cancel()
        if watcher.over.done():
            self._numbers.sent_away(watcher.over.result())
            await send({"type": "http.response.body", "body": b""})

    def _overloaded(self, event_id: EventId) -> Problem:
        seconds = poll_seconds(self._levels.level)
        return problem(
            "push-overloaded",
            headers={"retry-after": str(seconds)},
            poll_seconds=seconds,
            snapshot=f"/api/v1/events/{event_id}/seats.bin",
        )

    async def _at_hand(self, scope: Scope) -> EventAtHand | Problem:
        event_id = reading.event_id(scope)
        try:
            at_hand = None if event_id is None else await self._events.get(event_id)
        except UnavailableError as error:
            return of_fault(error)
        return problem("not-found") if at_hand is None else at_hand


def _after(scope: Scope) -> int | Problem | None:
    """The last update that the client knows. A browser that comes back says it in a header: that is the newer one."""
    said = (reading.header(scope, b"last-event-id") or b"").decode("latin-1")
    if _is_number(said):
        return int(said)
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("after")
    if asked is None:
        return None
    return int(asked[0]) if _is_number(asked[0]) else reading.invalid("query.after", "is the number of an update")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX


async def _write(first: bytes, watcher: Watcher, send: Send) -> None:
    body = first
    while True:
        await send({"type": "http.response.body", "body": body, "more_body": True})
        body = await watcher.next()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
