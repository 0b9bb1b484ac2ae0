"""The headers that tell a browser what our pages may do, on every answer there is."""

from dataclasses import replace

import pytest
from starlette.responses import PlainTextResponse
from tests.web.asking import BROWSER, HOST, LIMITS, ask, broken, service

from frontrow.web.hot import Hot
from frontrow.web.security import HEADERS, with_security_headers

ALL = {name.decode(): value.decode() for name, value in HEADERS}
TRANSPORT = "strict-transport-security"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/healthz", 200),  # hot
        ("/broken", 500),  # a fault
        ("/nothing", 404),  # nobody's
        ("/a/../b", 400),  # refused before anybody looked
        ("/" + "a" * 5000, 414),
        ("/problems/sold-out", 200),
    ],
)
async def test_every_answer_has_them(path: str, status: int):
    answer = await ask(service(hot=[Hot("GET", "/broken", broken)]), path, headers=[HOST, BROWSER])
    assert answer.status == status
    assert answer.headers.items() >= ALL.items()
    assert TRANSPORT not in answer.headers


async def test_browsers_are_bound_to_tls_only_where_there_is_tls():
    answer = await ask(service(limits=replace(LIMITS, behind_tls=True)), "/healthz")
    assert answer.headers[TRANSPORT].startswith("max-age=31536000")


async def test_an_answer_may_have_a_policy_of_its_own():
    own = PlainTextResponse("framed", headers={"content-security-policy": "frame-ancestors *"})
    answer = await ask(with_security_headers(own, behind_tls=False))
    assert answer.headers["content-security-policy"] == "frame-ancestors *"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_no_page_may_run_a_script_that_is_written_in_it():
    policy = ALL["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
