"""One line for each answer, except on hot paths."""

from starlette.responses import PlainTextResponse
from structlog.testing import capture_logs
from tests.web.asking import ask, service

from frontrow.web.hot import Hot


async def test_a_cold_path_has_its_line_and_a_hot_one_has_none():
    app = service(pages=PlainTextResponse("page"), hot=[Hot("GET", "/hot", PlainTextResponse("hot"))])
    with capture_logs() as lines:
        await ask(app, "/hot")
        await ask(app, "/page", query="code=secret", method="HEAD")
    [line] = lines
    assert (line["event"], line["method"], line["path"], line["status"]) == ("request.answered", "HEAD", "/page", 200)
    assert "secret" not in str(line)
    assert "127.0.0.1" not in str(line)  # where a fan is, is nobody's business
