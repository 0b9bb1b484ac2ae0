"""What broke: one log line with its traceback, one answer without any of it."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs
from tests.web.asking import BROWSER, HOST, ask, broken, scope_of, service

from frontrow.web.faults import path_for_log, with_faults_answered
from frontrow.web.hot import Hot
from frontrow.web.problems import Problem

STORY = "the secret of the house"


@pytest.mark.parametrize("path", ["/hot", "/page", "/api/call"])
async def test_a_fault_is_answered_without_its_story(path: str):
    app = service(hot=[Hot("GET", "/hot", broken)], pages=broken, api=broken)
    with capture_logs() as lines:
        answer = await ask(app, path)
    assert answer.status == 500
    assert answer.problem() == "fault"
    assert STORY not in answer.text
    faults = [line for line in lines if line["event"] == "request.failed"]
    assert [(line["path"], line["log_level"]) for line in faults] == [(path, "error")]


async def test_an_answer_that_broke_off_is_not_continued():
    async def half(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError(STORY)

    answer = await ask(with_faults_answered(half))
    assert (answer.status, answer.body) == (200, b"")


async def test_a_browser_gets_a_page_and_a_broken_page_gives_way_to_json():
    def drawn(refused: Problem, request_id: str) -> str:
        return f"<h1>{refused.kind.title}</h1>{request_id}"

    def undrawable(_refused: Problem, _request_id: str) -> str:
        raise LookupError(STORY)

    page = await ask(service(pages=broken, draw=drawn), "/", headers=[HOST, BROWSER])
    assert page.headers["content-type"].startswith("text/html")
    assert "Something broke on our side" in page.text
    assert page.headers["x-request-id"] in page.text
    answer = await ask(service(pages=broken, draw=undrawable), "/", headers=[HOST, BROWSER])
    assert answer.problem() == "fault"
    assert STORY not in answer.text


async def test_what_works_is_left_alone():
    with capture_logs() as lines:
        answer = await ask(service(pages=PlainTextResponse("page")), "/")
    assert answer.text == "page"
    assert [line["event"] for line in lines] == ["request.answered"]


def test_no_path_breaks_a_log_line():
    assert path_for_log({**scope_of("/"), "raw_path": b"/a%0Ab?code=secret"}) == "/a%0Ab"
    assert path_for_log({**scope_of("/"), "raw_path": b"/\xff"}) == "/\\xff"
