"""A shop for tests of orders: the api service as it is wired, a real psp-sim beside it, and fans who pay."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import pytest
from tests.psp_sim.program import Program
from tests.web import fans
from tests.web.asking import Answer
from tests.web.fans import Fan, Service

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event
from frontrow.flows.at_hand import LOOK_SECONDS
from frontrow.flows.do_jobs import DoJobs
from frontrow.flows.hear_news import PAYMENT_NEWS
from frontrow.flows.lapse_orders import LapseOrders
from frontrow.flows.settle_payments import REFUND_PAYMENT, VOID_PAYMENT, SettlePayments
from frontrow.processes.clock import now
from frontrow.processes.paying import paying
from frontrow.settings import Settings

HELD: Final = 201
SWEEPS_MAX: Final = 200  # of a few milliseconds each


class Attempts:
    """What attempts of a test have in their names: the provider remembers those of tests before it."""

    test = ""

    @classmethod
    def of_a_new_test(cls) -> None:
        cls.test = uuid4().hex

    @classmethod
    def named(cls, attempt: str) -> str:
        return f"{attempt}-{cls.test}"


@dataclass(frozen=True)
class Shop:
    """The service, and the provider that it asks."""

    service: Service
    psp: Program
    settings: Settings

    async def order(self, fan: Fan, event: Event, name: str, *seats: int) -> Answer:
        """A hold and its order, both called so."""
        await self.held(fan, event, name, *seats)
        return await make_order(fan, name)

    async def held(self, fan: Fan, event: Event, name: str, *seats: int) -> None:
        """A hold, once the service has heard that its seats are free: another process may have freed them just now."""
        for _ in range(SWEEPS_MAX):
            answer = await fan.hold(event, f"hold-{name}", *seats)
            if answer.status == HELD:
                return
            assert answer.problem() == "seats-taken", answer.text
            await asyncio.sleep(LOOK_SECONDS / 10)
        pytest.fail(f"seats {seats} stay taken")

    async def sweep(self) -> None:
        """What the sweeper does about orders, once: they lapse, payments that are due are settled, jobs are done."""
        database = self.service.database
        async with paying(database, self.settings, lambda _event_id, _update, _asked_at: None) as payments:
            settlement = payments.settlement
            works = {
                PAYMENT_NEWS: payments.hear_news.act,
                VOID_PAYMENT: settlement.void,
                REFUND_PAYMENT: settlement.refund,
            }
            jobs = DoJobs(database.jobs, works, chance=lambda: 0.0)
            await LapseOrders(database.orders, mail=None).look()
            await jobs.look()
            await jobs.finish()
            await SettlePayments(payments.attempts, settlement, clock=now).look()
            await jobs.look()
            await jobs.finish()

    async def sweep_until(self, fan: Fan, name: str, state: str) -> None:
        """Again and again, while the provider takes its time."""
        for _ in range(SWEEPS_MAX):
            await self.due()
            await self.sweep()
            if (await read(fan, name)).json()["state"] == state:
                return
        pytest.fail(f"{name} is not {state} after {SWEEPS_MAX} sweeps")

    async def due(self) -> None:
        """What is to be asked about later is due now, jobs that were put off among it."""
        pool = self.service.database.pool
        await pool.execute("UPDATE payment_attempt SET ask_at = now() WHERE ask_at IS NOT NULL")
        await pool.execute("UPDATE job SET due_at = now() WHERE state = 'waiting'")

    async def over(self) -> None:
        """The time of all open orders is over."""
        await self.service.database.pool.execute(
            """
            UPDATE fan_order
               SET made_at = now() - interval '1 hour', pay_by = now() - interval '1 minute', lapse_at = now()
             WHERE state = 'open'
            """
        )

    async def violations(self) -> list[Any]:
        return await self.service.violations()

    async def rows(self, query: str, *words: object) -> list[Any]:
        return [dict(row) for row in await self.service.database.pool.fetch(query, *words)]

    def money(self) -> Mapping[str, int]:
        """Where the provider has money, by its own books."""
        totals: Mapping[str, Mapping[str, int]] = self.psp.asked("GET", "/sim/ledger?limit=1000").json()["totals"]
        assert len(totals) <= 1, totals
        nothing: Mapping[str, int] = {}
        return next(iter(totals.values()), nothing)

    def intents(self) -> Sequence[Mapping[str, Any]]:
        return self.psp.asked("GET", "/sim/ledger?limit=1000").json()["intents"]


async def make_order(fan: Fan, name: str, *, hold: str | None = None) -> Answer:
    body = {"order_id": f"order-{name}", "hold_id": f"hold-{hold or name}", "email": "mara@example.org"}
    return await fan.ask("POST", "/api/v1/orders", json=body)


async def pay(fan: Fan, name: str, method: str = "pm_ok", attempt: str = "1") -> Answer:
    body = {"attempt_id": Attempts.named(attempt), "payment_method": method}
    return await fan.ask("POST", f"/api/v1/orders/order-{name}/pay", json=body)


async def read(fan: Fan, name: str) -> Answer:
    return await fan.ask("GET", f"/api/v1/orders/order-{name}")


@asynccontextmanager
async def shop(database: Database, database_url: str, valkey_url: str, psp: Program) -> AsyncGenerator[Shop]:
    named = {"database_url": database_url, "valkey_url": valkey_url, "signing_keys": fans.KEY, "psp_sim_url": psp.url}
    async with fans.service(database, database_url, valkey_url, psp_sim_url=psp.url) as service:
        yield Shop(service, psp, Settings(**named))  # pyright: ignore[reportArgumentType] -- each is of its field
