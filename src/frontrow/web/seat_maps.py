"""`GET /api/v1/seat-maps/{sha256}.json`: the geometry of a hall, under the name of its content.

It never changes, so whoever has it keeps it for ever. It is compressed once in the life of a process, as well as can
be: 100,000 seats are 45 kB. Availability is not in it (seats.py).
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final, TypeVar

from starlette.types import Receive, Scope, Send

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.faults import UnavailableError
from frontrow.web import encodings
from frontrow.web.answers import JSON, Header, send_problem
from frontrow.web.bodies import Body
from frontrow.web.encodings import Encoding
from frontrow.web.problems import Problem, of_fault, problem

FOR_EVER: Final[Header] = (b"cache-control", b"public, max-age=31536000, immutable")
KEPT_BYTES_MAX: Final = 64 * 1024 * 1024  # a hundred stadiums; then the one not asked for longest goes
_ADDRESS: Final = re.compile(r"([0-9a-f]{64})\.json")
_VERSION_CHARS: Final = 16  # of the name; more would only make headers longer

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")
ReadSeatMap = Callable[[SeatMapSha], Awaitable[bytes | None]]  # the canonical form


class SeatMaps:
    """Seat maps as they are sent. What many want at once is read once, and compressed once."""

    def __init__(self, read: ReadSeatMap) -> None:
        self._read = read
        self._kept = dict[SeatMapSha, Body]()  # the last one asked for at the end
        self._reading = dict[SeatMapSha, asyncio.Task[Body | None]]()
        self._compressing = dict[tuple[SeatMapSha, Encoding], asyncio.Task[object]]()

    async def answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            body = await self._body(scope)
        except UnavailableError as error:
            body = of_fault(error)
        if isinstance(body, Problem):
            await send_problem(send, body)
        else:
            await body.send(scope, send)

    async def _body(self, scope: Scope) -> Body | Problem:
        named = _ADDRESS.fullmatch(scope["path_params"]["file"])
        if named is None:
            return problem("not-found")
        sha, encoding = SeatMapSha(named[1]), encodings.wanted(scope)
        body = self._kept.pop(sha, None)
        if body is None:
            body = await _shared(self._reading, sha, lambda: self._made(sha))
        if body is None:
            return problem("not-found")
        self._keep(sha, body)
        if not body.has(encoding):
            await _shared(self._compressing, (sha, encoding), lambda: asyncio.to_thread(body.encoded, encoding))
        return body

    async def _made(self, sha: SeatMapSha) -> Body | None:
        document = await self._read(sha)
        if document is None:
            return None
        version = sha[:_VERSION_CHARS].encode()
        return Body(document, version=version, headers=(JSON, FOR_EVER), compress=encodings.best)

    def _keep(self, sha: SeatMapSha, body: Body) -> None:
        self._kept[sha] = body
        size = sum(kept.size for kept in self._kept.values())
        while size > KEPT_BYTES_MAX and len(self._kept) > 1:
            size -= self._kept.pop(next(iter(self._kept))).size


async def _shared(
    under_way: dict[Key, asyncio.Task[Result]], key: Key, begin: Callable[[], Coroutine[Any, Any, Result]]
) -> Result:
    """What somebody else has begun already, or else begun now. Whoever gives up does not take it from the others."""
    work = under_way.get(key)
    if work is None:
        work = under_way[key] = asyncio.create_task(begin())
        work.add_done_callback(lambda _: under_way.pop(key, None))
    return await asyncio.shield(work)
