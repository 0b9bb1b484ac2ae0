"""Using the code of a presale: it becomes the fan's, and the fan gets a pass to enter with."""

from frontrow.core.access_codes import AccessCodes, AccessPass, CodeRefused, PassKeys
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.flows.ports import AccessBook


class UseAccessCode:
    """The only way to a pass."""

    def __init__(self, codes: AccessCodes, passes: PassKeys, book: AccessBook) -> None:
        self._codes = codes
        self._passes = passes
        self._book = book

    async def use(self, event_id: EventId, fan_id: FanId, typed: str) -> str | CodeRefused:
        """The pass: the same whenever the same fan asks, with the same code or another."""
        number = self._codes.number(event_id, typed)
        if number is None:
            return CodeRefused.UNKNOWN
        if not await self._book.use(event_id, number, fan_id):
            return CodeRefused.USED
        return self._passes.token(AccessPass(event_id, fan_id))
