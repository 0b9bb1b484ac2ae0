"""How much one request may take: a body by its bytes, an application by its seconds."""

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.web.asking import GONE, HOST, answer_of, ask, broken, echo, scope_of, service

from frontrow.web.hot import Hot
from frontrow.web.limits import with_limits

BODY_BYTES_MAX = 64
BLINK = 0.02


def limited(app: ASGIApp) -> ASGIApp:
    return with_limits(app, bytes_max=BODY_BYTES_MAX, seconds_max=5)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    ("announced", "pieces", "status"),
    [
        ("64", [b"a" * 64], 200),  # exactly as much as there may be
        ("65", [b"a" * 65], 413),  # one more
        ("65", [], 413),  # said, and never sent: refused without waiting
        (None, [b"a" * 32, b"a" * 32], 200),  # chunked
        (None, [b"a" * 32, b"a" * 32, b"a"], 413),  # chunked, and it does not end
        ("1", [b"a" * 65], 413),  # a lie
        ("-5", [b"a" * 65], 413),  # no length at all
    ],
)
async def test_a_body_is_limited_however_it_comes(method: str, announced: str | None, pieces: list[bytes], status: int):
    length = ("transfer-encoding", "chunked") if announced is None else ("content-length", announced)
    answer = await ask(limited(echo), method=method, headers=[HOST, length], body=pieces)
    assert answer.status == status
    if status == 200:
        assert answer.body == b"".join(pieces)
    else:
        assert answer.problem() == "too-large"
        assert answer.json()["bytes_max"] == BODY_BYTES_MAX


async def test_what_is_too_large_is_not_read_to_its_end():
    taken = 0

    async def endless() -> Message:
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": b"a" * 16, "more_body": True}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await limited(echo)(scope_of("/", method="POST"), endless, send)
    assert sent[0]["status"] == 413
    assert taken == 5


async def test_without_a_body_nothing_is_waited_for():
    async def never() -> Message:
        raise AssertionError("asked for a body that nobody announced")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await limited(echo)(scope_of("/"), never, send)
    assert sent[0]["status"] == 200


async def test_a_body_that_drips_is_not_waited_for():
    async def dripping() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    app = with_limits(echo, bytes_max=BODY_BYTES_MAX, seconds_max=BLINK)
    await app(scope_of("/", method="POST"), dripping, send)
    assert answer_of(sent).status == 408
    assert answer_of(sent).problem() == "too-slow"


async def test_a_body_that_broke_off_reaches_no_application():
    async def gone() -> Message:
        return GONE

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await limited(broken)(scope_of("/", method="POST"), gone, send)
    assert answer_of(sent).problem() == "bad-request"


async def forever(_scope: Scope, _receive: Receive, _send: Send) -> None:
    await asyncio.Event().wait()


async def test_an_application_that_takes_too_long_is_cut_off():
    answer = await ask(with_limits(forever, bytes_max=BODY_BYTES_MAX, seconds_max=BLINK))
    assert answer.status == 503
    assert answer.problem() == "timed-out"
    assert answer.headers["retry-after"] == "1"


async def test_one_that_does_not_is_left_alone():
    answer = await ask(with_limits(echo, bytes_max=BODY_BYTES_MAX, seconds_max=5))
    assert answer.status == 200


async def test_a_stream_may_last():
    async def updates(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await asyncio.sleep(BLINK * 3)  # until the limit is long past
        await send({"type": "http.response.body", "body": b"id: 7\n\n"})

    answer = await ask(with_limits(updates, bytes_max=BODY_BYTES_MAX, seconds_max=BLINK))
    assert answer.text == "id: 7\n\n"


async def test_an_answer_that_stops_half_way_stays_so():
    async def half(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await ask(with_limits(half, bytes_max=BODY_BYTES_MAX, seconds_max=BLINK))


async def test_a_timeout_of_the_application_is_a_fault_and_not_our_limit():
    async def impatient(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await ask(with_limits(impatient, bytes_max=BODY_BYTES_MAX, seconds_max=5))
    answer = await ask(service(hot=[Hot("GET", "/impatient", impatient)]), "/impatient")
    assert answer.problem() == "fault"


async def test_the_whole_service_has_both_limits():
    app = service(hot=[Hot("POST", "/echo", echo)], pages=PlainTextResponse("page"))
    for path in ("/echo", "/page"):
        answer = await ask(app, path, method="POST", body=[b"a" * 65])
        assert answer.problem() == "too-large"
