"""A guard for tests: real Valkey, real proofs of little work, and clocks that stand until somebody turns them."""

import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.adapters.valkey import connection
from frontrow.adapters.valkey.door_book import ValkeyDoorBook
from frontrow.core.catalogue import EventId
from frontrow.core.door_book import Knock, Knocked, Lockout, Strike
from frontrow.core.faults import UnavailableError
from frontrow.core.guard import AtTheGuard, Joining
from frontrow.core.proofs import WORK, Asked, Level, ProofWrong, Work
from frontrow.flows.guard import Guard
from frontrow.flows.ports import Captcha

KEY: Final = b"a key that is for tests and for nothing else"
EVENT: Final = EventId(18)
LITTLE: Final = MappingProxyType({level: Work(2 * level, 4 * level, 10 * level) for level in WORK})


@dataclass
class Counts:
    """What the guard has told."""

    joined: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    wrongs: Counter[ProofWrong] = field(default_factory=Counter[ProofWrong])
    strikes: Counter[Strike] = field(default_factory=Counter[Strike])

    def join(self, answer: AtTheGuard, level: Level) -> None:
        self.joined[type(answer).__name__, level] += 1

    def wrong(self, why: ProofWrong) -> None:
        self.wrongs[why] += 1

    def struck(self, why: Strike) -> None:
        self.strikes[why] += 1


@dataclass
class Way:
    """The way to the book in Valkey, which a test may cut."""

    book: ValkeyDoorBook
    is_cut: bool = False
    asked: int = 0

    async def knock(self, knock: Knock) -> Knocked:
        self._pass()
        return await self.book.knock(knock)

    async def strike(self, who: str, why: Strike) -> Lockout | None:
        self._pass()
        return await self.book.strike(who, why)

    def _pass(self) -> None:
        self.asked += 1
        if self.is_cut:
            raise UnavailableError("cut")


@dataclass
class Doors:
    """A guard, and what it stands on."""

    guard: Guard
    counts: Counts
    way: Way
    now: float
    passed: float = 1_000.0

    async def join(self, fan: int = 1, **more: Any) -> AtTheGuard:  # noqa: ANN401 -- of Joining
        told: dict[str, Any] = {"event_id": EVENT, "fan_id": fan_no(fan), "is_new": False}
        return await self.guard.may_join(Joining(**(told | more)))


@asynccontextmanager
async def doors(
    valkey_url: str, asked: Asked = Asked.BY_RISK, *, captcha: Captcha | None = None
) -> AsyncGenerator[Doors]:
    valkey = connection.connect(valkey_url)
    counts = Counts()
    proofs = AltchaProofs([KEY], chance=lambda _: 1, work=LITTLE)
    way = Way(ValkeyDoorBook(valkey.client))
    made: Doors
    guard = Guard(
        way,
        proofs,
        counts,
        asked=asked,
        captcha=captcha,
        now=lambda: made.now,
        passing=lambda: made.passed,
    )
    made = Doors(guard, counts, way, time.time())
    try:
        yield made
    finally:
        await valkey.close()
