"""The whole service as `frontrow api` opens it, asked without a socket; and a browser with its cookies."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import msgspec
from starlette.types import ASGIApp
from tests.fans.reception import SECRET
from tests.web.asking import BROWSER, Answer, Header, ask

from frontrow.processes.api import opened
from frontrow.settings import Settings

HERE: Final[Header] = ("host", "127.0.0.1:8000")
FORM: Final[Header] = ("content-type", "application/x-www-form-urlencoded")


@asynccontextmanager
async def opened_service(database_url: str, valkey_url: str, **settings: Any) -> AsyncGenerator[ASGIApp]:  # noqa: ANN401 -- fields of Settings
    """The service. It has the keys of `reception`, so that codes mailed there are good here."""
    given: dict[str, Any] = {"database_url": database_url, "valkey_url": valkey_url, "signing_keys": SECRET.decode()}
    async with opened(Settings(**(given | settings))) as service:
        yield service.app


async def call(app: ASGIApp, path: str, body: object, *headers: Header) -> Answer:
    """`POST` with a JSON body."""
    said = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return await ask(app, path, method="POST", headers=[HERE, *headers], body=[said])


@dataclass
class Browser:
    """Keeps cookies as browsers do, and sends forms of our own pages."""

    app: ASGIApp
    cookies: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])  # value and path

    async def get(self, address: str) -> Answer:
        return await self._ask(address, "GET", b"")

    async def send(self, address: str, fields: Mapping[str, str], *headers: Header) -> Answer:
        """A form."""
        origin = ("origin", f"http://{HERE[1]}")
        return await self._ask(address, "POST", urlencode(fields).encode(), FORM, *(headers or [origin]))

    async def _ask(self, address: str, method: str, body: bytes, *headers: Header) -> Answer:
        parts = urlsplit(address)
        kept = [f"{name}={value}" for name, (value, path) in self.cookies.items() if parts.path.startswith(path)]
        cookie = [("cookie", "; ".join(kept))] if kept else []
        answer = await ask(
            self.app,
            parts.path,
            method=method,
            query=parts.query,
            headers=[HERE, BROWSER, *cookie, *headers],
            body=[body],
        )
        for name, value in answer.header_list:
            if name == "set-cookie":
                self._keep(value)
        return answer

    def _keep(self, header: str) -> None:
        for name, morsel in SimpleCookie(header).items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value, morsel["path"]
