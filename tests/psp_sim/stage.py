"""psp-sim in this process, with a clock that the test turns, asked through Stripe's own client."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import httpx
import stripe

from frontrow.psp_sim import judge
from frontrow.psp_sim.calls import Waits
from frontrow.psp_sim.desk import Answer, Clock, Request
from frontrow.psp_sim.faults import Asked, Fault, Kind
from frontrow.psp_sim.limits import Rates
from frontrow.psp_sim.service import API_KEY, Options, Service, opened

# Stripe's client types its parameters more strictly than tests of wrong ones can be.
Client: TypeAlias = Any
Json: TypeAlias = Any

HERE: Final = "http://psp.test"
START: Final = 1_800_000_000.0
CARD: Final = {"currency": "eur", "payment_method_types": ["card"]}  # Stripe asks for no way back then


class InProcess(stripe.HTTPClient):
    """The way of Stripe's client to an ASGI application."""

    name = "in-process"

    def __init__(self, way: httpx.AsyncClient) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType] -- one of its arguments has no type
        self._way = way

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str] | None, post_data: Json = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        answer = await self._way.request(method, url, headers=headers, content=post_data)
        return answer.content, answer.status_code, answer.headers

    async def sleep_async(self, secs: float) -> None:  # noqa: ARG002 -- no time passes
        """Let the others go on."""
        for _ in range(100):
            await asyncio.sleep(0)

    def request(self, *_: object, **__: object) -> NoReturn:
        raise NotImplementedError

    def close(self) -> None: ...

    async def close_async(self) -> None:
        await self._way.aclose()


@dataclass
class Time:
    """The test's clock. Who waits for it goes on at once, and the time has passed."""

    at: float = START
    waited: list[float] = field(default_factory=list[float])

    def now(self) -> float:
        return self.at

    async def pause(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


@dataclass
class Shop:
    """Who is told of events: what came, and what it answers."""

    told: list[tuple[bytes, dict[str, str]]] = field(default_factory=list[tuple[bytes, dict[str, str]]])
    status: int | None = 200

    async def post(self, body: bytes, headers: dict[str, str]) -> int | None:
        self.told.append((body, headers))
        return self.status

    @property
    def types(self) -> list[str]:
        return [json.loads(body)["type"] for body, _ in self.told]


class Stage:
    """A psp-sim of its own folder. `restarted` ends it without a word, and opens the folder again."""

    def __init__(self, folder: Path, **options: Json) -> None:
        self.folder = folder
        self.time = Time()
        self.shop = Shop()
        chosen: dict[str, Any] = {"public_url": HERE, "webhook_url": "http://shop.test", "waits": Waits(late=720.0)}
        self.options = Options(**(chosen | options))
        self.service = self._opened()

    def restarted(self) -> None:
        self.service.store.close()
        self.service = self._opened()

    def close(self) -> None:
        self.service.store.close()

    @property
    def http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(self.service.app),
            base_url=HERE,
            headers={"authorization": f"Bearer {API_KEY}"},
        )

    def client(self, key: str = API_KEY, *, retries: int = 0) -> Client:
        return stripe.StripeClient(
            key, base_addresses={"api": HERE}, http_client=InProcess(self.http), max_network_retries=retries
        )

    def fault(self, kind: Kind, **turned: Json) -> Fault:
        with self.service.store.whole():
            return self.service.books.faults.switch_on(Asked(kind=kind, **turned))

    def money(self, currency: str = "eur") -> judge.Told:
        return judge.totals(self.service.store)[currency]

    @property
    def intents(self) -> list[judge.ToldIntent]:
        return judge.page(self.service.store, after=0, limit=1_000).intents

    async def tell(self, *, after: float = 0.0) -> None:
        """Let so much time pass; what is due by then is done and delivered."""
        self.time.at += after
        self.service.afterwards.once(self.time.at)
        await self.service.afterwards.drained()

    def _opened(self) -> Service:
        clock = Clock(self.time.now, self.time.pause)
        return opened(self.folder, self.options, clock=clock, post=self.shop.post)


def rates(overall: float | None = None, each: float | None = None) -> Rates:
    return Rates(overall=overall, each=each)


def create_request(key: str | None, method: str = "pm_ok", amount: int = 4500) -> Request:
    """As it comes in, for tests of what no client is needed for."""
    body = f"amount={amount}&currency=eur&confirm=true&capture_method=manual&payment_method={method}"
    return Request(
        "POST", "/v1/payment_intents", f"{body}&payment_method_types[]=card".encode(), f"Bearer {API_KEY}".encode(), key
    )


def answered(answer: object) -> Answer:
    assert isinstance(answer, Answer), "there is an answer"
    return answer
