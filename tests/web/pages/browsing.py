"""A browser that runs no scripts: it keeps cookies, follows redirects, and sends the forms that stand on a page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlencode, urlsplit

from starlette.types import ASGIApp
from tests.web.asking import BROWSER, HOST, Answer, Header, ask
from tests.web.pages.reading import Page

ORIGIN: Final[Header] = ("origin", "http://tickets.example")
SENT_AS_FORM: Final[Header] = ("content-type", "application/x-www-form-urlencoded")
HOPS_MAX: Final = 5

Fields = list[tuple[str, str]]


@dataclass
class Browser:
    """One window of it."""

    app: ASGIApp
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    address: str = ""
    status: int = 0
    source: str = ""

    @property
    def page(self) -> Page:
        return Page(self.source)

    @property
    def text(self) -> str:
        return self.page.text

    async def open(self, address: str) -> "Browser":
        return await self._go("GET", address)

    async def follow(self, words: str) -> "Browser":
        """Follow the link that says so."""
        [address] = {link.attributes["href"] for link in self.page.all("a") if link.words == words}
        assert address is not None
        return await self.open(address)

    async def press(self, words: str, fields: Mapping[str, str | Iterable[str]] | None = None) -> "Browser":
        """Press the button that says so, with these fields filled in. A field that is None is not sent."""
        method, address, written = self.form(words, fields)
        if method == "get":
            return await self.open(f"{address.partition('?')[0]}?{urlencode(written)}")
        return await self._go("POST", address, urlencode(written))

    def form(self, words: str, fields: Mapping[str, str | Iterable[str]] | None = None) -> tuple[str, str, Fields]:
        """What pressing that button would send: how, where to, and what."""
        page = self.page
        [button] = [button for button in page.all("button") if button.words == words]
        form = page.form_of(button)
        assert form is not None, f"{words!r} is in no form"
        method = button.attributes.get("formmethod") or form.attributes.get("method") or "get"
        address = button.attributes.get("formaction") or form.attributes.get("action") or self.address
        asked = {name: [value] if isinstance(value, str) else list(value) for name, value in (fields or {}).items()}
        written = [(name, value) for name, value in page.written(form) if name not in asked]
        return method, address, written + [(name, value) for name, values in asked.items() for value in values]

    async def post(self, address: str, written: Fields, *, headers: Iterable[Header] = (ORIGIN,)) -> Answer:
        """Send a form as it is, and stay where we are."""
        return await self.ask("POST", address, urlencode(written), headers)

    async def _go(self, method: str, address: str, body: str = "") -> "Browser":
        answer = await self.ask(method, address, body, (ORIGIN,) if method == "POST" else ())
        for _ in range(HOPS_MAX):
            if answer.status != 303:
                break
            address = dict(answer.header_list)["location"]
            answer = await self.ask("GET", address, "", ())
        self.address, self.status, self.source = address, answer.status, answer.text
        return self

    async def ask(self, method: str, address: str, body: str = "", more: Iterable[Header] = ()) -> Answer:
        """One request, with the cookies."""
        headers = [HOST, *more]
        if not any(name == "accept" for name, _ in headers):
            headers.append(BROWSER)
        if self.cookies:
            headers.append(("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items())))
        if method == "POST" and not any(name == "content-type" for name, _ in headers):
            headers.append(SENT_AS_FORM)
        parts = urlsplit(address)
        answer = await ask(
            self.app, parts.path, method=method, query=parts.query, headers=headers, body=[body.encode()]
        )
        for name, value in answer.header_list:
            if name == "set-cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
        return answer


def values(written: Fields, name: str) -> list[str]:
    return [value for key, value in written if key == name]
