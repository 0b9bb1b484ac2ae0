"""How hot paths answer: a body made once, and no more headers than it needs."""

from datetime import datetime
from typing import Annotated, Final, TypeAlias

import msgspec
from starlette.types import Scope, Send

from frontrow.core.money import Money
from frontrow.web import reading
from frontrow.web.problems import MEDIA_TYPE, Problem

Header = tuple[bytes, bytes]
Time: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]  # as the API writes it: RFC 3339, in UTC

JSON: Final[Header] = (b"content-type", b"application/json")
NO_STORE: Final[Header] = (b"cache-control", b"no-store")

_ENCODER: Final = msgspec.json.Encoder()


class MoneyOut(msgspec.Struct, frozen=True):
    """An amount as the API writes it."""

    amount: int  # in minor units
    currency: str


def money_out(money: Money) -> MoneyOut:
    return MoneyOut(money.amount, money.currency)


def encoded(document: object) -> bytes:
    return _ENCODER.encode(document)


async def send_json(send: Send, document: object, *, status: int = 200, headers: tuple[Header, ...] = ()) -> None:
    """What is one fan's own: no cache may keep it."""
    await send_body(send, _ENCODER.encode(document), status=status, headers=(JSON, NO_STORE, *headers))


async def send_problem(send: Send, refused: Problem) -> None:
    """The same bytes as `Problem.answer`, without a framework's response around them."""
    headers = tuple((name.encode(), value.encode()) for name, value in refused.headers.items())
    media_type = (b"content-type", MEDIA_TYPE.encode())
    body = _ENCODER.encode(refused.document())
    await send_body(send, body, status=refused.kind.status, headers=(media_type, NO_STORE, *headers))


async def send_cacheable(scope: Scope, send: Send, body: bytes, *, etag: bytes, headers: tuple[Header, ...]) -> None:
    """What is the same for everybody, or 304 where the client has this very version."""
    headers = ((b"etag", etag), *headers)
    if etag in (reading.header(scope, b"if-none-match") or b""):
        await send_body(send, b"", status=304, headers=headers)
    else:
        await send_body(send, body, headers=headers)


async def send_body(send: Send, body: bytes, *, status: int = 200, headers: tuple[Header, ...] = ()) -> None:
    length = (b"content-length", str(len(body)).encode())
    lengths = () if status in {204, 304} else (length,)
    await send({"type": "http.response.start", "status": status, "headers": [*lengths, *headers]})
    await send({"type": "http.response.body", "body": body})
