"""The calls that the service answers, as it is wired: asked of the service itself, so that none can be forgotten."""

from collections.abc import Sequence
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from frontrow.processes import api as service
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.hot import Hot

KEYS = "a key for these tests alone and long enough"


async def served(
    database_url: str, valkey_url: str, patch: pytest.MonkeyPatch, *, with_pages: bool = False
) -> set[tuple[str, str]]:
    """By method and pattern: those of the table of hot paths, and those of the REST API; those of pages if wanted."""
    calls: set[tuple[str, str]] = set()
    by_method, build = front.by_method, front.build

    def of_table(paths: Sequence[Hot]) -> dict[str, ASGIApp]:
        calls.update((hot.method, hot.pattern) for hot in paths)
        return by_method(paths)

    def of_api(*, api: FastAPI, pages: Any, **others: Any) -> ASGIApp:  # noqa: ANN401 -- handed on as they came
        of_pages: Sequence[BaseRoute] = pages.app.routes if with_pages else ()
        # Of the API its own; ours are in its document.
        routes = [route for route in (*api.routes, *of_pages) if isinstance(route, Route)]
        calls.update((method, route.path) for route in routes for method in (route.methods or ()) if method != "HEAD")
        calls.update((method.upper(), path) for path, methods in api.openapi()["paths"].items() for method in methods)
        return build(api=api, pages=pages, **others)

    patch.setattr(front, "by_method", of_table)
    patch.setattr(front, "build", of_api)
    async with service.opened(Settings(database_url=database_url, valkey_url=valkey_url, signing_keys=KEYS)):
        return calls
