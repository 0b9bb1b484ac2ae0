"""What no honest client sends."""

import pytest
from starlette.responses import PlainTextResponse
from tests.web.asking import HOST, Header, ask, service

APP = service(pages=PlainTextResponse("page"))


@pytest.mark.parametrize("path", ["/", "/events/7", "/caf\u00e9", "/a.b/..c/d..", "/%2e", "/a//b"])
async def test_an_honest_path_passes(path: str):
    assert (await ask(APP, path)).text == "page"


@pytest.mark.parametrize(
    "path",
    [
        "/a\x00b",  # ends a C string
        "/a\nb",  # begins a log line
        "/a\x7f",
        "/a\\b",  # some proxies read it as a slash
        "/a/../b",  # climbs
        "/a/..",
        "/./a",
        "/a\ufffdb",  # was %ff: bytes that are no text
        "a",  # no path at all
        "*",
    ],
)
async def test_a_garbled_path_is_refused(path: str):
    answer = await ask(APP, path)
    assert answer.status == 400
    assert answer.problem() == "bad-request"


@pytest.mark.parametrize(("path", "query", "status"), [("/" + "a" * 4095, "", 200), ("/" + "a" * 4095, "b", 414)])
async def test_an_address_has_an_end(path: str, query: str, status: int):
    assert (await ask(APP, path, query=query)).status == status


@pytest.mark.parametrize(
    "headers",
    [
        [],  # none
        [HOST, HOST],  # which one?
        [("host", "")],
        [("host", "tickets.example/path")],
        [("host", "evil.example@tickets.example")],
        [("host", "tickets.example:80:80")],
        [("host", "<script>")],
    ],
)
async def test_a_forged_host_is_refused(headers: list[Header]):
    answer = await ask(APP, "/", headers=headers)
    assert answer.problem() == "bad-request"


@pytest.mark.parametrize("host", ["tickets.example", "TICKETS.example:8443", "127.0.0.1:8000", "[::1]:8000"])
async def test_an_honest_host_passes(host: str):
    assert (await ask(APP, "/", headers=[("host", host)])).status == 200
