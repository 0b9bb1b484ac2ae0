"""Publishing what lines go by, from where it is decided to those who let fans in and do not ask PostgreSQL.

Whoever can sell does this, twice a second: terms, seats that are left, what operators say, and whether all is well.
Back come the frontiers, which are stored for the day on which nobody else remembers. And from the ledger it is seen who
has bought: that session is finished, and its place the next fan's.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.line.terms import LineTerms
from frontrow.flows.follow_lines import Line, Lines
from frontrow.flows.ports import LineBook, LinePublishing

LOOK_SECONDS: Final = 0.5  # half of what a freed place, or the end of all seats, may take to be told
PAID_EVERY_LOOKS: Final = 2
FRONTIERS_EVERY_LOOKS: Final = 10

_log = structlog.stdlib.get_logger(__name__)


class PublishLines:
    """The publisher of one process; several do no harm."""

    def __init__(
        self,
        book: LineBook,
        publishing: LinePublishing,
        lines: Lines,
        *,
        is_well: Callable[[], bool],
        now: Callable[[], float],
    ) -> None:
        """`is_well`: whether fans who are inside are served as they should be."""
        self._book = book
        self._publishing = publishing
        self._lines = lines
        self._is_well = is_well
        self._now = now
        self._looks = 0
        self._looking = asyncio.Lock()

    async def run(self) -> None:
        """Publish for ever."""
        while True:
            try:
                await self.look()
            except (UnavailableError, OutcomeUnknownError) as error:
                _log.warning("lines.unpublished", why=str(error))
            except Exception:  # noqa: BLE001 -- whatever broke once must not leave lines as they were, for ever
                _log.exception("lines.unpublished")
            await asyncio.sleep(LOOK_SECONDS)

    async def find(self, event_id: EventId) -> Line | None:
        """A line that somebody asks for, which may be so new that it was not looked at yet."""
        async with self._looking:
            if self._lines.get(event_id) is None:
                self._lines.hear(await self._book.lines())
        return self._lines.get(event_id)

    async def look(self) -> None:
        terms = await self._book.lines()
        self._lines.hear(terms)
        await self._publishing.publish(terms, is_well=self._is_well())
        if self._looks % PAID_EVERY_LOOKS == 0:
            await self._finish(terms)
        if self._looks % FRONTIERS_EVERY_LOOKS == 0:
            await self._keep(terms)
        self._looks += 1

    async def _finish(self, terms: Sequence[LineTerms]) -> None:
        """Note who pays, and end the sessions of those who have bought."""
        for line in terms:
            now = self._now()
            fans = await self._publishing.inside(line.event_id, now=now) if line.on_sale_at <= now else ()
            for fan_id, state, placed_at in await self._book.paid(line.event_id, fans) if fans else ():
                if await self._publishing.mark(line.event_id, fan_id, state, now=now, began_by=placed_at):
                    _log.info("session.marked", event_id=line.event_id, fan_id=str(fan_id), state=state.value)

    async def _keep(self, terms: Sequence[LineTerms]) -> None:
        """Store how far lines have come, where that is news."""
        _, told, _ = await self._publishing.published()
        stored = {line.event_id: line.frontier for line in terms}
        news = {id_: each.frontier for id_, each in told if each.frontier > stored.get(id_, each.frontier)}
        if news:
            await self._book.keep_frontiers(news)
