"""Whether the process lives (`/healthz`), and whether it can do its work (`/readyz`)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from frontrow.flows.ports import Part
from frontrow.web.problems import problem

ANSWER_SECONDS_MAX: Final = 2.0  # a part that needs longer to say that it is well is not well
RETRY_SECONDS: Final = "2"


class Trouble(msgspec.Struct, frozen=True):
    """A part that is away, and why."""

    part: str
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What the parts said. Only a needed part decides; what is merely missed is shown."""

    away: tuple[Trouble, ...]
    missed: tuple[Trouble, ...]

    @property
    def is_ready(self) -> bool:
        return not self.away


class Readiness:
    """Asks every part at once. Requests that come meanwhile wait for the same answer, so asking often costs nothing."""

    def __init__(self, *, needed: Sequence[Part], useful: Sequence[Part] = ()) -> None:
        """`needed`: without it this process cannot work. `useful`: without it the process works, but less well."""
        self._needed = needed
        self._useful = useful
        self._asking: asyncio.Task[Report] | None = None

    async def report(self) -> Report:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask_all())
        return await asyncio.shield(self._asking)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`GET /readyz`."""
        await _response(await self.report())(scope, receive, send)

    async def _ask_all(self) -> Report:
        said = await asyncio.gather(*(_ask(part) for part in (*self._needed, *self._useful)))
        count = len(self._needed)
        return Report(away=_troubles(said[:count]), missed=_troubles(said[count:]))


async def alive(scope: Scope, receive: Receive, send: Send) -> None:
    """`GET /healthz`: as long as the loop runs, it answers."""
    await PlainTextResponse("ok\n", headers={"cache-control": "no-store"})(scope, receive, send)


async def _ask(part: Part) -> Trouble | None:
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            why = await part.trouble()
    except TimeoutError:
        why = f"no answer within {ANSWER_SECONDS_MAX:g} s"
    except Exception as error:  # noqa: BLE001 -- a part that breaks while it is asked is a part in trouble
        why = f"broke while it was asked: {type(error).__name__}"
    return Trouble(part.name, why) if why else None


def _troubles(said: Sequence[Trouble | None]) -> tuple[Trouble, ...]:
    return tuple(trouble for trouble in said if trouble is not None)


def _response(report: Report) -> Response:
    missed = msgspec.to_builtins(report.missed)
    if report.is_ready:
        return JSONResponse({"ready": True, "missed": missed}, headers={"cache-control": "no-store"})
    away = msgspec.to_builtins(report.away)
    names = ", ".join(trouble.part for trouble in report.away)
    refused = problem(
        "unavailable",
        detail=f"Not ready: {names}.",
        headers={"retry-after": RETRY_SECONDS},
        ready=False, away=away, missed=missed,
    )  # fmt: skip
    return refused.answer()
