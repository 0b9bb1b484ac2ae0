"""No payment provider: what a copy has whose settings name none. Whoever asks hears that nothing was asked."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Final, NoReturn

from frontrow.core.faults import UnavailableError
from frontrow.core.payments import Attempt, AttemptId, PaymentSeen, Refund

NAME: Final = "nobody"


class Nobody:
    """Satisfies `flows.ports.Provider`."""

    name: str = NAME
    is_away: bool = True

    async def authorize(self, attempt: Attempt, *, return_url: str) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()

    async def look(self, ref: str) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()

    async def payments(self, *, since: datetime) -> AsyncIterator[PaymentSeen]:  # noqa: ARG002 -- the port's
        """There are none."""
        for seen in ():
            yield seen

    async def find(self, attempt: Attempt) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()

    async def capture(self, attempt_id: AttemptId, ref: str) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()

    async def void(self, attempt_id: AttemptId, ref: str) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()

    async def refund(self, refund: Refund) -> NoReturn:  # noqa: ARG002 -- the port's
        _refuse()


def _refuse() -> NoReturn:
    raise UnavailableError("no payment provider is set")
