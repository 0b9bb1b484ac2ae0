"""The table of hot paths."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.web.asking import ask, scope_of, service

from frontrow.web.hot import Hot, HotTable, by_method


async def naming(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what the braces caught."""
    await PlainTextResponse(str(scope.get("path_params", {})))(scope, receive, send)


def table(*patterns: str) -> HotTable:
    return HotTable([(pattern, PlainTextResponse(pattern)) for pattern in patterns])


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/events", "/events"),
        ("/events/7", "/events/{event}"),
        ("/events/new", "/events/new"),  # what is fixed wins
        ("/events/7/line", "/events/{event}/line"),
        ("/events/", None),  # braces catch something
        ("/events//line", None),
        ("/events/7/", None),
        ("/events/7/line/8", None),
        ("/events/new/line", None),  # no way back from a wrong branch
        ("/", None),
        ("", None),
        ("/events/{}", "/events/{event}"),  # our own word for it is no way around
    ],
)
async def test_a_path_is_found_by_its_segments(path: str, found: str | None):
    app = table("/events", "/events/{event}", "/events/new", "/events/{event}/line").find(scope_of(path))
    assert (app and (await ask(app, path)).text) == found


def test_what_is_in_braces_arrives_by_name():
    scope = scope_of("/events/7/seats/A1")
    assert table("/events/{event}/seats/{seat}").find(scope)
    assert scope["path_params"] == {"event": "7", "seat": "A1"}


def test_a_pattern_is_planted_once():
    with pytest.raises(AssertionError, match="twice"):
        table("/events/{event}", "/events/{id}")


async def test_a_path_knows_all_its_methods():
    hot = [Hot("GET", "/holds/{hold}", naming), Hot("DELETE", "/holds/{hold}", naming)]
    app = by_method(hot)["/holds/{hold}"]
    wrong = await ask(app, "/holds/7", method="POST")
    assert wrong.problem() == "method-not-allowed"
    assert wrong.headers["allow"] == "DELETE, GET, HEAD, OPTIONS"
    options = await ask(app, "/holds/7", method="OPTIONS")
    assert (options.status, options.headers["allow"]) == (204, "DELETE, GET, HEAD, OPTIONS")


async def test_the_service_asks_the_table_first():
    app = service(hot=[Hot("GET", "/events/{event}", naming)], pages=PlainTextResponse("page"))
    assert (await ask(app, "/events/7")).text == "{'event': '7'}"
    assert (await ask(app, "/events")).text == "page"
