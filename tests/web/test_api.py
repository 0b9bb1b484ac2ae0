"""The REST API's document, before it has a call: valid, and honest about its refusals."""

from typing import Any

from tests.web.asking import ask, service

from frontrow.web.api import empty_api
from frontrow.web.problems import KINDS


def api_with_a_call() -> Any:  # noqa: ANN401 -- an application
    api = empty_api("1.2.3")

    def read_city(city: int) -> dict[str, int]:
        """A <b>city</b>."""
        return {"id": city}

    api.add_api_route("/api/v1/cities/{city}", read_city, summary="One <city>")
    return api


async def test_the_document_names_every_problem():
    document = (await ask(service(api=api_with_a_call()), "/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    assert document["info"] == {"title": "Frontrow", "version": "1.2.3"}
    responses = document["paths"]["/api/v1/cities/{city}"]["get"]["responses"]
    schema = responses["default"]["content"]["application/problem+json"]["schema"]
    assert schema["properties"]["type"]["enum"] == [f"/problems/{slug}" for slug in KINDS]


async def test_the_reference_lists_calls_and_problems_and_loads_nothing():
    page = (await ask(service(api=api_with_a_call()), "/docs")).text
    assert "<code>/api/v1/cities/{city}</code>" in page
    assert "One &lt;city&gt;" in page
    assert all(f'href="/problems/{slug}"' in page for slug in KINDS)
    assert "<script" not in page
    assert "//" not in page.replace("<!doctype html>", "")


async def test_without_an_api_its_addresses_are_not_found():
    assert (await ask(service(), "/api/v1/cities")).problem() == "not-found"
