"""One id for each request, on the answer and in every problem."""

import pytest
from tests.web.asking import HOST, ask, service

ID = "x-request-id"


@pytest.mark.parametrize("brought", ["a1b2c3d4", "0123456789abcdef-1", "A" * 64])
async def test_a_sane_id_of_the_proxy_is_kept(brought: str):
    answer = await ask(service(), "/nothing", headers=[HOST, (ID, brought)])
    assert answer.headers[ID] == brought
    assert answer.json()["request_id"] == brought


@pytest.mark.parametrize(
    "brought",
    [
        "",  # none
        "short",  # too short to be unique
        "A" * 65,  # would fill log lines
        "abcdefgh ijkl",  # a blank breaks fields apart
        "abcdefgh\r\nset-cookie: a=b",  # another header
        "<script>alert(1)</script>",  # problem pages contain it
    ],
)
async def test_another_is_replaced(brought: str):
    answer = await ask(service(), "/nothing", headers=[HOST, (ID, brought)])
    assert answer.headers[ID] != brought
    assert answer.headers[ID] == answer.json()["request_id"]


async def test_two_requests_have_two_ids():
    app = service()
    assert (await ask(app, "/healthz")).headers[ID] != (await ask(app, "/healthz")).headers[ID]
