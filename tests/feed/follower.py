"""A client that does what docs/live-updates.md says, over real HTTP, whatever happens to the service."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Final

import asyncpg
import httpx
from tests.feed.messages import Message, Reader
from tests.postgres.watching import until

from frontrow.core.catalogue import EventId
from frontrow.core.live_seats import CODES
from frontrow.core.seat_codec import apply, frame_data, unpacked
from frontrow.core.seats import OF_LETTER, SeatState

RETRY_SECONDS: Final = 0.1  # browsers take longer, as they are told; what is waited for here is not that
AGAIN_SECONDS: Final = 0.05
_CODES: Final = {state.value: CODES[state] for state in SeatState}
assert len(OF_LETTER) == len(_CODES)


class Follower:
    """What one client knows of the seats of an event."""

    def __init__(self, url: str, event_id: EventId, seats: int) -> None:
        self._url = f"{url}/api/v1/events/{event_id}"
        self._seats = seats
        self._wanted = 0  # the snapshot must have this update
        self._knows: int | None = None
        self.codes = bytearray()
        self.streams = 0  # that began
        self.resyncs = 0
        self.frames = 0
        self.ages: list[float] = []
        self.refusals: list[str] = []

    async def follow(self) -> None:
        """For ever."""
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 -- a stream is silent for as long as it likes
            while True:
                with suppress(httpx.TransportError):
                    await self._stream(client)
                await asyncio.sleep(RETRY_SECONDS)

    async def _stream(self, client: httpx.AsyncClient) -> None:
        after = {} if self._knows is None else {"after": str(self._knows)}
        async with client.stream("GET", f"{self._url}/updates", params=after) as answer:
            if not answer.is_success:
                await answer.aread()
                self.refusals.append(answer.json()["type"])
                return
            self.streams += 1
            reader = Reader()
            async for data in answer.aiter_raw():
                for message in reader.read(data):
                    await self._take(client, message)

    async def _take(self, client: httpx.AsyncClient, message: Message) -> None:
        match message.name:
            case "resync":
                self.resyncs += 1
                self._wanted = message.update_no
                await self._fetch(client)
            case "age":
                self.ages.append(message.json()["seconds"])
            case "" if message.id is not None:
                self.frames += 1
                if self._knows is not None and message.update_no > self._knows:
                    apply(self.codes, frame_data(message.data))
                    self._knows = message.update_no
            case _:
                assert message.retry, message

    async def _fetch(self, client: httpx.AsyncClient) -> None:
        """The snapshot, once it has the update that is wanted: another process, or a cache, may not have it yet."""
        while True:
            answer = await client.get(f"{self._url}/seats.bin", params={"update_no": self._wanted})
            if answer.is_success and int(answer.headers["frontrow-update-no"]) >= self._wanted:
                self.codes = unpacked(answer.content, self._seats)
                self._knows = int(answer.headers["frontrow-update-no"])
                return
            await asyncio.sleep(AGAIN_SECONDS)


@asynccontextmanager
async def following(
    urls: Sequence[str], event_id: EventId, *, seats: int, each: int = 3
) -> AsyncGenerator[list[Follower]]:
    """So many followers of each address, all of whom have begun."""
    followers = [Follower(url, event_id, seats) for url in urls for _ in range(each)]
    tasks = [asyncio.create_task(follower.follow()) for follower in followers]

    async def all_know() -> bool:
        assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
        return all(follower.codes for follower in followers)

    try:
        await until(all_know)
        yield followers
        assert not any(task.done() for task in tasks), "a follower broke"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def converged(followers: Sequence[Follower], database_url: str, event_id: EventId) -> float:
    """Return once everybody knows every seat as PostgreSQL has it: after how many seconds."""
    began = monotonic()
    connection = await asyncpg.connect(database_url)
    try:
        truth = bytearray(len(followers[0].codes))
        for row in await connection.fetch("SELECT seat_no, state FROM claim WHERE event_id = $1", event_id):
            truth[row["seat_no"]] = _CODES[row["state"]]

        async def all_are_right() -> bool:
            return all(follower.codes == truth for follower in followers)

        await until(all_are_right)
    finally:
        await connection.close()
    return monotonic() - began
