"""`GET /api/v1/seat-maps/{sha256}.json`."""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from hashlib import sha256

import pytest
from starlette.types import ASGIApp
from tests.feed.decoding import decoded
from tests.feed.stage import LiveStage
from tests.web.asking import HOST, Answer, ask, service

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.faults import UnavailableError
from frontrow.web import seat_maps
from frontrow.web.encodings import Encoding
from frontrow.web.hot import Hot
from frontrow.web.seat_maps import SeatMaps

BROTLI = ("accept-encoding", "gzip, deflate, br")
GZIP = ("accept-encoding", "gzip")


def serving(read: Callable[[SeatMapSha], Awaitable[bytes | None]]) -> ASGIApp:
    return service(hot=[Hot("GET", "/api/v1/seat-maps/{file}", SeatMaps(read).answer)])


async def get(app: ASGIApp, name: str, *headers: tuple[str, str]) -> Answer:
    return await ask(app, f"/api/v1/seat-maps/{name}", headers=[HOST, *headers])


class Drawer:
    """Maps that are read slowly, and how often they were."""

    def __init__(self, *maps: bytes) -> None:
        self.maps = {sha256(document).hexdigest(): document for document in maps}
        self.reads = 0
        self.is_away = False

    @property
    def names(self) -> list[str]:
        return [f"{sha}.json" for sha in self.maps]

    async def read(self, sha: SeatMapSha) -> bytes | None:
        self.reads += 1
        await asyncio.sleep(0)
        if self.is_away:
            raise UnavailableError
        return self.maps.get(sha)


async def test_the_map_of_an_event_is_there_for_ever(stage: LiveStage):
    name = f"{stage.event.seat_map}.json"
    plain = await get(stage.app, name)
    assert sha256(plain.body).hexdigest() == stage.event.seat_map, "the very bytes that it is named by"
    assert json.loads(plain.body)["format"] == "frontrow-seat-map/1"
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.headers["content-type"] == "application/json"
    assert plain.headers["vary"] == "accept-encoding"
    again = await get(stage.app, name, ("if-none-match", plain.headers["etag"]))
    assert (again.status, again.body) == (304, b"")


async def test_it_comes_in_the_encoding_that_is_wanted():
    document = bytes(range(256)) * 40
    drawer = Drawer(document)
    app = serving(drawer.read)
    smaller = await get(app, drawer.names[0], BROTLI)
    assert smaller.headers["content-encoding"] == "br"
    assert decoded(smaller.body, Encoding.BROTLI) == document
    larger = await get(app, drawer.names[0], GZIP)
    assert larger.headers["content-encoding"] == "gzip"
    assert decoded(larger.body, Encoding.GZIP) == document
    assert smaller.headers["etag"] != larger.headers["etag"]
    assert drawer.reads == 1


async def test_a_crowd_has_it_read_and_compressed_once(monkeypatch: pytest.MonkeyPatch):
    compressed = 0

    def counted(body: bytes, _encoding: Encoding) -> bytes:
        nonlocal compressed
        compressed += 1
        return gzip.compress(body)

    monkeypatch.setattr("frontrow.web.seat_maps.encodings.best", counted)
    drawer = Drawer(bytes(10_000))
    app = serving(drawer.read)
    answers = await asyncio.gather(*(get(app, drawer.names[0], GZIP) for _ in range(20)))
    assert {answer.status for answer in answers} == {200}
    assert (compressed, drawer.reads) == (1, 1)


@pytest.mark.parametrize(
    "name",
    [
        "0" * 64 + ".json",
        "0" * 63 + ".json",
        "0" * 64,
        "0" * 64 + ".jsonx",
        "A" * 64 + ".json",
        "%00.json",
        ".json",
        "0" * 64 + ".json\n",
    ],
)
async def test_what_names_no_map_is_not_there(stage: LiveStage, name: str):
    assert (await get(stage.app, name)).status in {400, 404}


async def test_what_was_read_is_there_when_postgresql_is_not():
    drawer = Drawer(b"one", b"other")
    app = serving(drawer.read)
    known, unknown = drawer.names
    await get(app, known)
    drawer.is_away = True
    assert (await get(app, known)).status == 200
    refused = await get(app, unknown)
    assert (refused.status, refused.problem()) == (503, "unavailable")
    drawer.is_away = False
    assert (await get(app, unknown)).status == 200, "nothing is kept of a failure"


async def test_the_one_not_asked_for_longest_goes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seat_maps, "KEPT_BYTES_MAX", 2_500)
    drawer = Drawer(*(bytes([number]) * 1_000 for number in range(3)))
    app = serving(drawer.read)
    first, second, third = drawer.names
    for name in (first, second, first, third):
        await get(app, name)
    assert drawer.reads == 3
    await get(app, first)
    await get(app, third)
    assert drawer.reads == 3
    await get(app, second)
    assert drawer.reads == 4
