"""HEAD is GET without the body."""

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.web.asking import ask, echo, service

from frontrow.web.heads import with_head
from frontrow.web.hot import Hot


async def test_head_has_the_headers_of_get_and_no_body():
    app = service(hot=[Hot("GET", "/words", PlainTextResponse("eleven byte"))])
    get, head = await ask(app, "/words"), await ask(app, "/words", method="HEAD")
    assert (get.status, get.body) == (200, b"eleven byte")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"] == "11"


async def test_the_application_sees_get():
    async def naming(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(headers={"seen": scope["method"]})(scope, receive, send)

    answer = await ask(with_head(naming), method="HEAD")
    assert answer.headers["seen"] == "GET"


async def test_a_problem_has_no_body_either():
    answer = await ask(service(), "/nothing", method="HEAD")
    assert (answer.status, answer.body) == (404, b"")


async def test_another_method_is_left_alone():
    answer = await ask(with_head(echo), method="POST", body=[b"as it was"])
    assert answer.body == b"as it was"
