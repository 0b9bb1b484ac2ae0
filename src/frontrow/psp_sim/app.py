"""psp-sim over HTTP: the API, what tests turn and ask, and the pages.

Bare ASGI: a call costs little beside its storage.
"""

from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

import msgspec
import structlog
from starlette.types import Receive, Scope, Send

from frontrow.psp_sim import judge
from frontrow.psp_sim.desk import Answer, Desk, Header, Request, Silence
from frontrow.psp_sim.faults import FAULTS_MAX, Asked
from frontrow.psp_sim.intents import ApiError, invalid
from frontrow.psp_sim.pages import Pages
from frontrow.psp_sim.reading import Gone, body_of, header
from frontrow.psp_sim.shapes import error_shape
from frontrow.psp_sim.store import Store

_log = structlog.stdlib.get_logger(__name__)

JSON: Final[Header] = (b"content-type", b"application/json")
CALLS_AT: Final = "/v1/"
FAULTS_AT: Final = "/sim/faults"
LEDGER_AT: Final = "/sim/ledger"

_encode: Final = msgspec.json.Encoder().encode
_asked: Final = msgspec.json.Decoder(Asked).decode


class App:
    """The ASGI application."""

    def __init__(self, desk: Desk, store: Store, pages: Pages) -> None:
        """`pages`: for people; they are no part of the API."""
        self.desk = desk
        self._store = store
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, answered or left without an answer."""
        if scope["type"] != "http":
            return
        try:
            answer = await self._answer(scope, receive)
        except Gone:
            return
        except ApiError as error:
            answer = _json(error_shape(error), status=error.status)
        except Exception:  # noqa: BLE001 -- whatever it is, the client is told, and the next call is answered
            _log.exception("call.broke", path=scope["path"])
            answer = _json({"error": {"type": "api_error", "message": "psp-sim broke; its log says why."}}, status=500)
        if isinstance(answer, Answer):
            await _send(send, answer)
        elif answer.is_open:
            await _until_gone(receive)
        else:
            await _break_off(send)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer | Silence:
        path: str = scope["path"]
        if path.startswith(CALLS_AT):
            return await self.desk.answer(await _request(scope, receive))
        if path == "/healthz":
            return _json({"status": "ok"})
        if path.startswith("/sim/"):
            self.desk.refuse_stranger(header(scope, b"authorization"))
            return self._turned(scope["method"], path, scope["query_string"], await body_of(receive))
        return await self._pages.answer(scope, receive)

    def _turned(self, method: str, path: str, query: bytes, body: bytes) -> Answer:
        """What tests turn, and what audits ask."""
        match method, path:
            case "GET", "/sim/ledger":
                after, limit = _numbers(query, after=0, limit=judge.INTENTS_MAX)
                return _json(judge.page(self._store, after=after, limit=max(1, limit)))
            case "GET", "/sim/faults":
                return _json({"faults": self.desk.faults.on()})
            case "POST", "/sim/faults":
                return self._switched_on(body)
            case "DELETE", _ if path == FAULTS_AT or path.startswith(f"{FAULTS_AT}/"):
                fault_id = path[len(FAULTS_AT) + 1 :] or None
                with self._store.whole():
                    off = self.desk.faults.switch_off(fault_id)
                if fault_id is not None and not off:
                    raise invalid(f"No such fault: '{fault_id[:100]}'", code="resource_missing", status=404)
                return _json({"faults": off})
            case _:
                raise invalid(f"Unrecognized request URL ({method}: {path[:100]}).", status=404)

    def _switched_on(self, body: bytes) -> Answer:
        try:
            asked = _asked(body)
        except msgspec.DecodeError as error:
            raise invalid(f"This is no fault: {error}") from error
        if len(self.desk.faults.on()) >= FAULTS_MAX:
            raise invalid(f"There are {FAULTS_MAX} faults on already.")
        with self._store.whole():
            fault = self.desk.faults.switch_on(asked)
        return _json(fault, status=201)


async def _request(scope: Scope, receive: Receive) -> Request:
    body, query = await body_of(receive), scope["query_string"]
    authorization, key = b"", None
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    for name, value in headers:
        if name == b"authorization":
            authorization = value
        elif name == b"idempotency-key":
            key = value.decode("latin-1")
    return Request(
        method=scope["method"],
        path=scope["path"],
        body=b"&".join((body, query)) if body and query else body or query,
        authorization=authorization,
        key=key,
    )


def _numbers(query: bytes, **defaults: int) -> list[int]:
    """Whole numbers of a query, in the order of their defaults."""
    given = dict(parse_qsl(query.decode("latin-1")))
    for name, value in given.items():
        if name not in defaults or not (value.isascii() and value.isdigit() and len(value) < len(str(2**60))):
            raise invalid(f"Wrong parameter: {name[:100]}", param=name[:100])
    return [int(given.get(name, default)) for name, default in defaults.items()]


def _json(document: object, *, status: int = HTTPStatus.OK) -> Answer:
    return Answer(status, _encode(document))


async def _send(send: Send, answer: Answer) -> None:
    kind = () if any(name == b"content-type" for name, _ in answer.headers) else (JSON,)
    headers = [*kind, (b"content-length", str(len(answer.body)).encode()), *answer.headers]
    await send({"type": "http.response.start", "status": int(answer.status), "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


async def _until_gone(receive: Receive) -> None:
    """Keep the connection open, and say nothing, until the client gives up."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _break_off(send: Send) -> None:
    """End the connection in the first byte of an answer: the server has no way to end it before one begins."""
    headers = [JSON, (b"content-length", b"1000")]
    await send({"type": "http.response.start", "status": int(HTTPStatus.OK), "headers": headers})
    await send({"type": "http.response.body", "body": b"{", "more_body": True})
