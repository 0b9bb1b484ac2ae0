"""The REST API as an empty FastAPI application: its OpenAPI document, its refusals and its one page of reference.

Routes are added by who builds it, and so is what the document says of hot paths (`openapi.py`). The document is a
product; the page at /docs only lists it and loads nothing from anywhere else.
"""

from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, TypeAlias

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from frontrow.web.openapi import PROBLEM_SCHEMA, Schema
from frontrow.web.problems import KINDS, MEDIA_TYPE
from frontrow.web.refusals import exception_handlers

Complete: TypeAlias = Callable[[Schema], None]


class _Api(FastAPI):
    """Its document is completed with what FastAPI does not know of."""

    complete: Complete
    completed: Schema | None = None

    def openapi(self) -> Schema:
        document = super().openapi()  # made once, and again when a route has been added
        if document is not self.completed:
            self.complete(document)
            self.completed = document
        return document


def empty_api(version: str, complete: Complete = lambda _: None) -> FastAPI:
    """An API whose every refusal is a problem, and whose document says so. `complete` adds what others answer."""
    api = _Api(
        title="Frontrow",
        version=version,
        docs_url=None,  # Swagger UI and ReDoc load their scripts from other hosts
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers=exception_handlers(),
        responses={
            "default": {"description": "A refusal", "content": {MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}}},
        },
    )

    async def reference(_request: Request) -> Response:
        return HTMLResponse(_reference(api.openapi()))

    api.complete = complete
    api.add_route("/docs", reference, include_in_schema=False)
    return api


def _reference(document: Mapping[str, Any]) -> str:
    calls = "".join(
        f"<tr><td>{escape(method)}</td><td><code>{escape(path)}</code></td><td>{escape(summary)}</td></tr>"
        for method, path, summary in _calls(document)
    )
    problems = "".join(
        f'<li><a href="/problems/{kind.slug}">{kind.slug}</a> ({kind.status}): {escape(kind.title)}</li>'
        for kind in KINDS.values()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Frontrow API</title><h1>Frontrow API</h1>'
        '<p>The whole contract as OpenAPI: <a href="/openapi.json">/openapi.json</a>.</p>'
        f"<table>{calls}</table><h2>Problems</h2><ul>{problems}</ul>"
    )


def _calls(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    paths: Mapping[str, Mapping[str, Mapping[str, Any]]] = document["paths"]
    for path, operations in paths.items():
        for method, operation in operations.items():
            yield method.upper(), path, str(operation.get("summary", ""))
