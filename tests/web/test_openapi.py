"""The OpenAPI document of the service as it is wired: it knows every call, and no call that there is not."""

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.web import fans
from tests.web.asking import ask
from tests.web.fans import Service

from frontrow.processes import api
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.api import empty_api
from frontrow.web.hot import Hot
from frontrow.web.openapi_calls import CALLS, describing
from frontrow.web.problems import KINDS

OPERATORS = {"/healthz", "/readyz", "/metrics", "/problems/{slug}"}  # of every process; no part of the API


async def nothing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """An application that is never asked."""


async def test_it_has_every_hot_path_and_no_other(monkeypatch: pytest.MonkeyPatch, database_url: str, valkey_url: str):
    table: set[tuple[str, str]] = set()
    by_method = front.by_method

    def watched(paths: Sequence[Hot]) -> dict[str, ASGIApp]:
        table.update((path.method, path.pattern) for path in paths if path.pattern not in OPERATORS)
        return by_method(paths)

    monkeypatch.setattr(front, "by_method", watched)
    settings = Settings(database_url=database_url, valkey_url=valkey_url, signing_keys=fans.KEY)
    async with api.opened(settings) as opened:
        document = (await ask(opened.app, "/openapi.json")).json()
    assert table
    assert {call for call in _calls(document) if call in CALLS or call in table} == table == set(CALLS)


async def test_it_is_valid(service: Service):
    import_module("schemathesis.openapi").from_dict(service.contract.document).validate()


async def test_each_call_has_a_name_of_its_own(service: Service):
    named = [call["operationId"] for calls in service.contract.document["paths"].values() for call in calls.values()]
    assert len(set(named)) == len(named)


async def test_the_page_lists_them(service: Service):
    page = (await service.ask("GET", "/docs")).text
    for (_, pattern), call in CALLS.items():
        assert f"<code>{pattern}</code>" in page
        assert call.summary in page


async def test_it_tells_what_a_client_acts_on(service: Service):
    """Spot checks by somebody who reads the document and not the code."""
    document = service.contract.document
    hold = document["paths"]["/api/v1/events/{event}/holds"]["post"]
    assert set(hold["responses"]) >= {"201", "403", "409", "410", "422", "429", "503"}
    assert hold["responses"]["429"]["headers"]["Retry-After"]["required"]
    taken = _problem(document, hold["responses"]["409"], "seats-taken")
    assert set(taken["properties"]) == {"taken", "alternatives"}
    body = document["components"]["schemas"]["HoldBody"]["properties"]
    assert body["seats"]["anyOf"][0]["maxItems"] == 10
    assert {name: scheme["type"] for name, scheme in document["components"]["securitySchemes"].items()} == {
        "session": "apiKey", "fan": "http", "cookie": "apiKey",
    }  # fmt: skip
    assert "security" not in document["paths"]["/api/v1/events/{event}/availability"]["get"]


async def test_a_client_that_asks_at_the_same_time_gets_the_same(service: Service):
    answers = await asyncio.gather(*(service.ask("GET", "/openapi.json") for _ in range(5)))
    assert len({answer.body for answer in answers}) == 1


def test_a_hot_path_that_nobody_described_keeps_the_service_from_starting():
    with pytest.raises(KeyError):
        describing([Hot("GET", "/api/v1/secrets", nothing)])


def test_what_is_told_twice_is_a_fault():
    [hot] = [Hot(method, pattern, nothing) for method, pattern in CALLS if pattern.endswith("/enter")]
    complete = describing([hot])
    document: dict[str, Any] = {"paths": {}}
    complete(document)
    with pytest.raises(AssertionError, match="two of one name"):
        complete(document)
    with pytest.raises(AssertionError, match="described twice"):
        complete({"paths": document["paths"]})


def test_a_route_that_is_added_later_is_told_beside_them():
    def read_city() -> None:
        """A city."""

    complete = describing([Hot("GET", "/api/v1/holds/{hold}", nothing)])
    told = empty_api("1", complete)
    assert set(told.openapi()["paths"]) == {"/api/v1/holds/{hold}"}
    told.add_api_route("/api/v1/cities/{city}", read_city)
    assert set(told.openapi()["paths"]) == {"/api/v1/holds/{hold}", "/api/v1/cities/{city}"}
    assert told.openapi() is told.openapi()


def test_every_refusal_that_is_told_is_one_of_the_catalogue():
    assert {slug for call in CALLS.values() for slug in call.refusals} <= set(KINDS)


def _calls(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {(method.upper(), path) for path, calls in document["paths"].items() for method in calls}


def _problem(document: dict[str, Any], response: dict[str, Any], slug: str) -> Any:  # noqa: ANN401 -- a schema
    """The schema of the fields that a problem carries."""
    content = response["content"]["application/problem+json"]["schema"]
    refs = [part["$ref"] for part in content.get("anyOf", [content])]
    assert f"#/components/schemas/problem-{slug}" in refs
    schemas = document["components"]["schemas"]
    return schemas[schemas[f"problem-{slug}"]["allOf"][-1]["$ref"].rpartition("/")[2]]
