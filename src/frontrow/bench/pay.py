"""`frontrow bench pay`: how many orders a second go from a hold to tickets, and how many the ledger sells.

Everything runs on engines of its own, with a psp-sim that takes its time as a provider does. At the end the audit is
asked, and the provider's books are compared with what fans were told.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, Final
from uuid import uuid4

import aiohttp

from frontrow.adapters.postgres import audit
from frontrow.adapters.postgres.pool import connect
from frontrow.bench.figures import Latency, per_second
from frontrow.bench.hold_requests import Pair, pairs
from frontrow.bench.on_sale import put_on_sale
from frontrow.bench.own_psp_sim import OwnPspSim, own_psp_sim
from frontrow.bench.own_service import Engines, Service, own_engines, own_service
from frontrow.core.catalogue import EventId
from frontrow.core.fans import EmailAddress
from frontrow.core.holds import FanId, HoldId, HoldRequest
from frontrow.core.orders import OrderId, OrderRequest
from frontrow.core.payments import AttemptId, AttemptRequest, MoneyCame, Sale
from frontrow.core.seat_maps import SeatMap
from frontrow.core.sessions import SESSION_SECONDS, Session
from frontrow.core.tickets import TicketKeyId
from frontrow.engines.children import Pause, Say
from frontrow.flows.ports import Clock
from frontrow.processes.stopping import run
from frontrow.settings import Settings

SECONDS: Final = 8.0  # of fans who buy; each takes a tenth of one and more, most of it at the provider
FANS_AT_ONCE: Final = 96
WARM_UP_ORDERS: Final = 64
SELLS: Final = 8_192  # of the ledger by itself
BATCH: Final = 256  # as many as group commit puts into one
LATENCY_MS: Final = 50  # of each call to the provider
CALLS_PER_S_MAX: Final = 10_000  # psp-sim has no limit but its processor's, and that is what is looked for
MAILBOX: Final = EmailAddress("fan@example.org")
AUDIT_ROWS_MAX: Final = 1_000  # of one invariant; more make it no worse


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is measured."""

    hall: SeatMap
    seconds: float = SECONDS
    fans: int = FANS_AT_ONCE
    sells: int = SELLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of it, by the names that `--json` has."""

    orders_per_s: float  # from a hold to tickets
    p50_ms: float
    p99_ms: float  # of all three calls together, with the provider's time
    sells_per_s: float  # of the ledger by itself: claims, order, tickets, books
    orders: int
    unpaid: int  # fans who were told anything but that they have paid
    latency_ms: int
    audit: int
    money_missing: int  # minor units that the provider has, or has not, against what fans were told
    violations: int


@dataclass(slots=True)
class _Bought:
    """What fans were told."""

    seconds: list[float] = field(default_factory=list[float])
    minor: int = 0
    unpaid: int = 0


def measure(settings: Settings, plan: Plan, *, clock: Clock, say: Say, pause: Pause) -> Figures:
    """Start what is needed, measure, and stop it again."""
    with own_engines(settings, say=say, pause=pause) as engines, own_psp_sim(engines.folder, LATENCY_MS, pause) as psp:
        own = {"psp_sim_url": psp.url, "payment_calls_per_second_max": str(CALLS_PER_S_MAX)}
        with own_service(engines, pause=pause, more=own) as service:
            sessions_end_at = int(clock().timestamp()) + SESSION_SECONDS
            return run(_Measuring(engines, service, psp, plan, sessions_end_at, say).all(), pause)


@dataclass(frozen=True, slots=True)
class _Measuring:
    """One run."""

    engines: Engines
    service: Service
    psp: OwnPspSim
    plan: Plan
    sessions_end_at: int
    say: Say

    async def all(self) -> Figures:
        [event_id] = await put_on_sale(self.engines.database_url, self.plan.hall, 1)
        wanted = pairs(self.plan.hall.seats)
        async with self.shop() as shop:
            warm_up = await self.buy(shop, event_id, islice(wanted, WARM_UP_ORDERS), seconds=60.0)
            self.say(f"{self.plan.fans} fans at once: ")
            began = perf_counter()
            bought = await self.buy(shop, event_id, wanted, seconds=self.plan.seconds)
            took = perf_counter() - began
            latency = Latency.of(bought.seconds)
            self.say(f"{per_second(len(bought.seconds), took):,.0f} orders/s, p99 {latency.p99_ms:,.0f} ms\n")
            missing = abs(await self.psp.minor(shop) - warm_up.minor - bought.minor)
        self.say("the ledger by itself: ")
        sells = await self.sell()
        self.say(f"{sells:,.0f} orders sold/s\n")
        broken = await self.broken()
        return Figures(
            orders_per_s=per_second(len(bought.seconds), took),
            p50_ms=latency.p50_ms,
            p99_ms=latency.p99_ms,
            sells_per_s=sells,
            orders=len(warm_up.seconds) + len(bought.seconds),
            unpaid=warm_up.unpaid + bought.unpaid,
            latency_ms=LATENCY_MS,
            audit=broken,
            money_missing=missing,
            violations=broken + warm_up.unpaid + bought.unpaid + (missing > 0),
        )

    def shop(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=2 * self.plan.fans))

    async def buy(
        self, shop: aiohttp.ClientSession, event_id: EventId, wanted: Iterator[Pair], *, seconds: float
    ) -> _Bought:
        """Fans buy two seats each, one after the other at each till, for so long."""
        bought, until = _Bought(), perf_counter() + seconds

        async def till() -> None:
            while perf_counter() < until and (seats := next(wanted, None)):
                await self.one(shop, event_id, seats, bought)

        await asyncio.gather(*(till() for _ in range(self.plan.fans)))
        return bought

    async def one(self, shop: aiohttp.ClientSession, event_id: EventId, seats: Pair, bought: _Bought) -> None:
        """Hold, order, pay."""
        session = self.service.keys.token(Session(event_id, FanId(uuid4()), 1, self.sessions_end_at))
        top = "http://{}:{}/api/v1".format(*self.service.address)
        headers, name, began = {"frontrow-session": session}, str(uuid4()), perf_counter()
        calls: Sequence[tuple[str, dict[str, Any]]] = (
            (f"{top}/events/{event_id}/holds", {"hold_id": name, "seats": seats}),
            (f"{top}/orders", {"order_id": name, "hold_id": name, "email": MAILBOX}),
            (f"{top}/orders/{name}/pay", {"attempt_id": "1", "payment_method": "pm_ok"}),
        )
        total = 0
        for path, body in calls:
            async with shop.post(path, json=body, headers=headers) as answer:
                told = await answer.json(content_type=None)
                if not answer.ok or told.get("state") == "processing":
                    bought.unpaid += 1
                    return
                total = told.get("total", {}).get("amount", total)
        bought.minor += total
        bought.seconds.append(perf_counter() - began)

    async def sell(self) -> float:
        """How many orders a second are sold, where nothing else is done."""
        events = await put_on_sale(
            self.engines.database_url, self.plan.hall, -(-2 * self.plan.sells // (self.plan.hall.seats - 1))
        )
        database = await connect(self.engines.database_url, connections_max=2)
        try:
            attempts, spent, sold = database.attempts("psp-sim"), 0.0, 0
            for event_id in events:
                wanted = list(islice(pairs(self.plan.hall.seats), self.plan.sells - sold))
                for first in range(0, len(wanted), BATCH):
                    orders = [self._order(seats) for seats in wanted[first : first + BATCH]]
                    holds = [HoldRequest(order.hold_id, order.fan_id, order.seats) for order in orders]
                    await database.ledger.hold_seats(event_id, holds)
                    await database.orders.open_orders(event_id, orders)
                    asked = [AttemptRequest(o.order_id, o.fan_id, AttemptId(uuid4()), "pm_ok") for o in orders]
                    await attempts.begin(event_id, asked)
                    came = [MoneyCame(one.attempt_id, f"pi_{one.attempt_id.hex}", is_taken=True) for one in asked]
                    began = perf_counter()
                    batch = await database.orders.sell_orders(event_id, came, key_id=TicketKeyId(1), mail=None)
                    spent += perf_counter() - began
                    sold += sum(answer is Sale.SOLD for answer in batch.answers)
            return per_second(sold, spent)
        finally:
            await database.close()

    def _order(self, seats: Pair) -> OrderRequest:
        levels = tuple(self.plan.hall.part(seat).price_level for seat in seats)
        return OrderRequest(OrderId(uuid4()), HoldId(uuid4()), FanId(uuid4()), MAILBOX, seats, levels)

    async def broken(self) -> int:
        database = await connect(self.engines.database_url, connections_max=2)
        try:
            return len(await audit.violations(database.pool, limit_per_invariant=AUDIT_ROWS_MAX))
        finally:
            await database.close()
