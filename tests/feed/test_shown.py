"""Snapshots and counts as they are sent: in the client's encoding, with their age; and counts alone when need be."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from tests.feed.conftest import Open
from tests.feed.decoding import decoded
from tests.feed.stage import LiveStage
from tests.postgres.watching import until
from tests.web.asking import Answer

from frontrow.core.live_seats import packed
from frontrow.core.map_levels import COUNTS_SECONDS, FITS_SECONDS, POLL_SECONDS, TOO_MUCH_SECONDS
from frontrow.demo.plans.stadium import stadium
from frontrow.flows.map_levels import MapLevels
from frontrow.web import bodies, encodings
from frontrow.web.answers import JSON
from frontrow.web.bodies import Body
from frontrow.web.encodings import Encoding

PARTIES: Final = (1, 2, 2, 2, 2, 3, 4, 4, 5, 6)  # couples most of all
HELD: Final = 0.1  # of them; the others have paid
ADDRESSES: Final = [("seats.bin", ""), ("availability", ""), ("seats", "section=Stalls")]


@pytest.mark.parametrize(("what", "query"), ADDRESSES)
async def test_a_cache_may_keep_it_a_second_and_a_reader_knows_how_old_it_is(stage: LiveStage, what: str, query: str):
    answer = await stage.get(what, query=query)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "public, max-age=1, s-maxage=1, stale-while-revalidate=2"
    assert answer.headers["vary"] == "accept-encoding"
    assert 0 <= float(answer.headers["frontrow-age"]) < 60


@pytest.mark.parametrize(("what", "query"), ADDRESSES)
async def test_whoever_has_the_newest_version_is_told_so(stage: LiveStage, what: str, query: str):
    first = await stage.get(what, query=query)
    again = await stage.get(what, ("if-none-match", first.headers["etag"]), query=query)
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "frontrow-age" in again.headers, "how old it is, is news"


async def test_it_grows_old_when_nothing_can_be_heard(stage: LiveStage):
    await stage.get("seats.bin")
    await stage.database.pool.close()
    ages = [float((await stage.get("seats.bin")).headers["frontrow-age"])]
    while ages[-1] < ages[0] + 0.5:
        await asyncio.sleep(0.01)
        ages.append(float((await stage.get("seats.bin")).headers["frontrow-age"]))
    assert ages == sorted(ages)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (None, Encoding.PLAIN),
        ("", Encoding.PLAIN),
        ("gzip", Encoding.GZIP),
        ("gzip, deflate, br, zstd", Encoding.BROTLI),  # browsers
        ("GZIP", Encoding.GZIP),
        ("br;q=0, gzip;q=0.5", Encoding.GZIP),
        ("br;q=0.1, gzip;q=1", Encoding.BROTLI),  # it takes both, and one is smaller
        ("*", Encoding.BROTLI),
        ("*;q=0", Encoding.PLAIN),
        ("br;q=0, *", Encoding.GZIP),
        ("gzip ; q=1.0 , br ; q=0", Encoding.GZIP),
        ("br;q=x, gzip", Encoding.GZIP),
        ("identity;q=0", Encoding.PLAIN),  # an answer is better than none
        ("\xff\xfe, ;;=,,", Encoding.PLAIN),
    ],
)
def test_the_best_encoding_that_a_client_takes(said: str | None, wanted: Encoding):
    headers = [] if said is None else [(b"accept-encoding", said.encode("latin-1"))]
    assert encodings.wanted({"headers": headers}) is wanted


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize("compress", [encodings.quickly, encodings.best])
def test_what_is_compressed_is_the_same(encoding: Encoding, compress: bodies.Compress):
    plain = bytes(range(256)) * 20
    body = Body(plain, version=b"7", headers=(JSON,), compress=compress)
    etag, sent, headers = body.encoded(encoding)
    assert decoded(sent, encoding) == plain
    assert (b"content-encoding", encoding.value) in headers or encoding is Encoding.PLAIN
    assert etag in dict(headers).values()


def test_each_encoding_is_a_version_of_its_own():
    body = Body(bytes(5000), version=b"7", headers=())
    assert len({body.encoded(encoding)[0] for encoding in Encoding}) == len(Encoding)


@pytest.mark.parametrize("plain", [b"", b"short" * 100, random.Random(0).randbytes(5000)])  # noqa: S311 -- no secret
def test_what_does_not_get_smaller_goes_as_it_is(plain: bytes):
    body = Body(plain, version=b"7", headers=())
    for encoding in Encoding:
        etag, sent, headers = body.encoded(encoding)
        assert (etag, sent) == (b'"7"', plain)
        assert b"content-encoding" not in dict(headers)


async def test_a_body_is_made_once_for_each_update(stage: LiveStage, monkeypatch: pytest.MonkeyPatch):
    made = 0

    class Counted(Body):
        def __init__(self, *args: object, **more: object) -> None:
            nonlocal made
            made += 1
            super().__init__(*args, **more)  # pyright: ignore[reportArgumentType] -- handed on as they are

    monkeypatch.setattr("frontrow.web.seats.Body", Counted)
    for _ in range(5):
        await stage.get("availability")
        await stage.get("seats.bin")
    assert made == 2
    last = await stage.hold(1, 0)
    await stage.heard(last)
    await stage.get("availability")
    assert made == 4


async def test_too_much_polling_leaves_counts_for_a_while(open_stage: Open, monkeypatch: pytest.MonkeyPatch):
    levels: list[MapLevels] = []
    monkeypatch.setattr(MapLevels, "run", _by_hand(levels))
    async with open_stage(polls_per_second_max=10) as stage:
        assert (await stage.get("seats.bin")).status == 200
        [level] = levels
        for _ in range(TOO_MUCH_SECONDS):
            for _ in range(11):
                await stage.get("seats.bin")
            level.take(1.0)
        hidden = await stage.get("seats.bin")
        assert (hidden.status, hidden.problem()) == (503, "counts-only")
        said = hidden.json()
        assert said["poll_seconds"] == COUNTS_SECONDS
        assert hidden.headers["retry-after"] == str(COUNTS_SECONDS)
        assert said["counts"] == f"{stage.path}/availability"
        assert (await stage.get("updates")).problem() == "push-overloaded"
        counts = await stage.get("availability")
        assert _live(counts) == ("counts", COUNTS_SECONDS)
        assert counts.json()["sections"]
        assert stage.number("frontrow_map_level") == 2
        for _ in range(FITS_SECONDS + 1):
            level.take(1.0)
        assert (await stage.get("seats.bin")).status == 200
        assert _live(await stage.get("availability")) == ("push", POLL_SECONDS)
        assert stage.number("frontrow_map_level") == 0


@pytest.mark.slow
async def test_too_much_polling_in_real_seconds(open_stage: Open):
    async with open_stage(polls_per_second_max=100) as stage:

        async def is_hidden() -> bool:
            answers = [await stage.get("seats.bin") for _ in range(50)]
            return answers[-1].status == 503

        async def is_back() -> bool:
            await asyncio.sleep(0.5)  # as clients do who were told to wait
            return _live(await stage.get("availability"))[0] == "push"

        await until(is_hidden)
        await until(is_back)
        assert (await stage.get("seats.bin")).status == 200


def test_a_stadium_fits_into_what_was_promised():
    """The geometry, and a snapshot at any point of a sale where parties sit wherever they like."""
    hall, chance = stadium(), random.Random(1)  # noqa: S311 -- the same sale each time
    assert len(encodings.best(hall.canonical, Encoding.GZIP)) <= 120_000
    codes, sold = bytearray(hall.seats), 0
    sizes: list[int] = []
    for share in range(5, 100, 5):
        while sold < hall.seats * share / 100:
            party, state = chance.choice(PARTIES), 1 if chance.random() < HELD else 2
            first = chance.randrange(hall.seats - party)
            for seat in range(first, first + party):
                sold += codes[seat] == 0
                codes[seat] = codes[seat] or state
        sizes.append(len(encodings.quickly(packed(codes), Encoding.BROTLI)))
    assert max(sizes) <= 13_500, sizes


def _live(counts: Answer) -> tuple[str, int]:
    return counts.json()["live"], counts.json()["poll_seconds"]


def _by_hand(levels: list[MapLevels]) -> Callable[[MapLevels], Awaitable[None]]:
    async def run(self: MapLevels) -> None:
        """The test says when a second is over."""
        levels.append(self)

    return run
