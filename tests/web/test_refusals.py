"""Every no has one form, whoever says it: our code, FastAPI, Starlette."""

from dataclasses import replace
from typing import Annotated

import pytest
from fastapi import Body
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp
from tests.web.asking import BROWSER, HOST, LIMITS, Header, ask, service

from frontrow.web.api import empty_api
from frontrow.web.problems import Problem
from frontrow.web.refusals import ERRORS_MAX, exception_handlers

JSON: Header = ("content-type", "application/json")


def drawn(refused: Problem, _request_id: str) -> str:
    return f"<h1>{refused.kind.title}</h1>"


def app(*, body_bytes_max: int = 64) -> ASGIApp:
    api = empty_api("1.2.3")

    def total(amounts: Annotated[list[int], Body(embed=True)]) -> int:
        return sum(amounts)

    def teapot() -> None:
        raise HTTPException(418)

    api.add_api_route("/api/v1/total", total, methods=["POST"])
    api.add_api_route("/api/v1/teapot", teapot)

    async def page(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("page")

    pages = Starlette(routes=[Route("/page", page)], exception_handlers=exception_handlers(drawn))
    return service(api=api, pages=pages, draw=drawn, limits=replace(LIMITS, body_bytes_max=body_bytes_max))


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "slug"),
    [
        ("POST", "/api/v1/total", b'{"amounts": [1', 400, "bad-request"),  # no JSON
        ("POST", "/api/v1/total", b'{"amounts": ["x"]}', 422, "invalid"),
        ("POST", "/api/v1/total", b"{}", 422, "invalid"),
        ("POST", "/api/v1/total", b"[" * 60, 400, "bad-request"),
        ("POST", "/api/v1/total", b"1" * 65, 413, "too-large"),
        ("DELETE", "/api/v1/total", b"", 405, "method-not-allowed"),
        ("GET", "/api/v1/nothing", b"", 404, "not-found"),
        ("GET", "/api/v1/total/", b"", 404, "not-found"),  # no redirects: a POST would lose its body
        ("GET", "/api/v1/teapot", b"", 400, "bad-request"),  # a status that we never send on purpose
        ("GET", "/page/nothing", b"", 404, "not-found"),
        ("POST", "/page", b"", 405, "method-not-allowed"),
        ("BREW", "/page", b"", 405, "method-not-allowed"),
    ],
)
async def test_every_no_is_a_problem(method: str, path: str, body: bytes, status: int, slug: str):
    answer = await ask(app(), path, method=method, headers=[HOST, JSON], body=[body])
    assert (answer.status, answer.problem()) == (status, slug)


async def test_a_405_says_what_is_allowed():
    answer = await ask(app(), "/api/v1/total", method="GET")
    assert answer.headers["allow"] == "POST"


async def test_options_are_told():
    answer = await ask(app(), "/api/v1/total", method="OPTIONS")
    assert (answer.status, answer.headers["allow"]) == (204, "POST, OPTIONS")


async def test_what_was_wrong_is_named_and_never_repeated():
    body = b'{"amounts": ["%s"]}' % b"secret"
    answer = await ask(app(), "/api/v1/total", method="POST", headers=[HOST, JSON], body=[body])
    [error] = answer.json()["errors"]
    assert error["where"] == "body.amounts.0"
    assert "secret" not in answer.text


async def test_of_a_thousand_errors_some_are_named():
    body = b'{"amounts": [' + b",".join([b"{}"] * 1000) + b"]}"
    answer = await ask(app(body_bytes_max=len(body)), "/api/v1/total", method="POST", headers=[HOST, JSON], body=[body])
    assert len(answer.json()["errors"]) == ERRORS_MAX


@pytest.mark.parametrize(
    ("path", "accept", "page"),
    [
        ("/nothing", BROWSER, True),
        ("/nothing", ("accept", "application/json"), False),
        ("/nothing", ("accept", "*/*"), False),  # curl
        ("/api/v1/nothing", BROWSER, False),  # the API speaks one language
        ("/readyz/nothing", BROWSER, False),
        ("/a\x00b", BROWSER, True),  # refused before the pages saw it
    ],
)
async def test_a_browser_gets_a_page_and_a_program_json(path: str, accept: Header, page: bool):  # noqa: FBT001 -- a row
    answer = await ask(app(), path, headers=[HOST, accept])
    assert answer.headers["content-type"].startswith("text/html") is page
    assert answer.headers["cache-control"] == "no-store"


async def test_each_problem_explains_itself():
    words = await ask(app(), "/problems/seats-taken")
    page = await ask(app(), "/problems/seats-taken", headers=[HOST, BROWSER])
    assert "HTTP 409, seats-taken" in words.text
    assert "<h1>Someone was faster</h1>" in page.text
    assert (await ask(app(), "/problems/no-such-thing")).problem() == "not-found"
