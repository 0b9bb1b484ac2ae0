"""Whatever fans, providers and clocks do, the audit has nothing to say; and the books say what the core says."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import servers
from tests.ledger.on_sale import fan_no, hold_no, plant, put_on_sale
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database
from frontrow.core import books
from frontrow.core.cancelling import CancelWish
from frontrow.core.catalogue import Event
from frontrow.core.fans import EmailAddress
from frontrow.core.holds import HoldRequest
from frontrow.core.orders import OrderId, OrderRequest
from frontrow.core.payments import AttemptId, AttemptRequest, MoneyCame, RefundId, RefundSeen, RefundState
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketKeyId

FANS: Final = 3
SEATS: Final[Mapping[int, tuple[int, ...]]] = {0: (0, 1), 1: (1, 2), 2: (4, 5)}  # 0 and 1 want the same seat
LEVEL_A_SEATS: Final = 4  # the others are of level B
KEY: Final = TicketKeyId(1)

Step: TypeAlias = tuple[str, int, int]  # what happens, to the order of which fan, with which of its attempts

STEPS: Final = (
    "hold",
    "open",
    "begin",
    "kept",
    "taken",
    "declined",
    "challenged",
    "pending",
    "unknown",
    "captured",
    "lapse",
    "voided",
    "cancel",
    "refunded",
)


@dataclass(frozen=True)
class Office:
    """A database, and an event loop, since Hypothesis calls a test many times."""

    loop: asyncio.Runner
    database: Database
    season: SmallSeason

    def play(self, steps: Sequence[Step]) -> list[asyncpg.Record]:
        return self.loop.run(self._play(steps))

    async def _play(self, steps: Sequence[Step]) -> list[asyncpg.Record]:
        async with self.database.pool.acquire() as connection:
            event = await put_on_sale(connection, self.season, seats_per_hold_max=4, tickets_per_fan_max=6)
        counted: Counter[int] = Counter()  # how many holds each fan has had: an order is of the newest
        for what, fan, number in steps:
            if what == "hold":
                counted[fan] += 1
            await Deed(self.database, event, fan, counted[fan], number).do(what)
        return await self.database.pool.fetch("SELECT * FROM violations_v1(5)")


@dataclass(frozen=True)
class Deed:
    """Something that happens."""

    database: Database
    event: Event
    fan: int
    count: int
    number: int

    @property
    def order_id(self) -> OrderId:
        return OrderId(UUID(int=(self.event.event_id << 64) + (self.fan << 32) + self.count))

    @property
    def attempt_id(self) -> AttemptId:
        return AttemptId(UUID(int=(self.order_id.int << 8) + self.number))

    async def do(self, what: str) -> None:  # noqa: C901, PLR0912 -- a table: one word, one call
        orders, attempts, event_id = self.database.orders, self.database.attempts("psp-sim"), self.event.event_id
        seats = tuple(map(SeatNo, SEATS[self.fan]))
        hold_id, fan_id = hold_no(100 * self.fan + self.count), fan_no(self.fan)
        attempt = await attempts.attempt(self.attempt_id)
        match what:
            case "hold":
                await self.database.ledger.hold_seats(event_id, [HoldRequest(hold_id, fan_id, seats)])
            case "open":
                levels = tuple("A" if seat < LEVEL_A_SEATS else "B" for seat in seats)
                wanted = OrderRequest(self.order_id, hold_id, fan_id, EmailAddress("a@example.org"), seats, levels)
                await orders.open_orders(event_id, [wanted])
            case "begin":
                await attempts.begin(event_id, [AttemptRequest(self.order_id, fan_id, self.attempt_id, "pm_ok")])
            case "lapse":
                await self.database.pool.execute(
                    "UPDATE fan_order SET made_at = made_at - interval '1 day', pay_by = pay_by - interval '1 day',"
                    " lapse_at = lapse_at - interval '1 day' WHERE order_id = $1",
                    self.order_id,
                )
                if await orders.order(self.order_id, fan_id):
                    await orders.lapse_orders(event_id, [self.order_id], mail=None)
            case "cancel":
                if order := await orders.order(self.order_id, fan_id):
                    tickets = (
                        tuple(ticket.ticket_id for ticket in order.tickets if ticket.is_valid)[: self.number] or None
                    )
                    wish = RefundId(UUID(int=(self.attempt_id.int << 4) + len(tickets or ())))
                    await orders.cancel(order, CancelWish(wish, tickets), before_seconds=0, mail=None)
            case "refunded":
                for row in await self.database.pool.fetch(
                    "SELECT refund_id FROM refund WHERE order_id = $1", self.order_id
                ):
                    state = [RefundState.ARRIVED, RefundState.PENDING, RefundState.FAILED][self.number % 3]
                    if not await self._is_kept():
                        await attempts.note_refund(
                            RefundId(row["refund_id"]), RefundSeen(f"re_{row['refund_id']}", state)
                        )
            case _ if attempt is None:
                pass
            case "kept" | "taken":
                money = MoneyCame(self.attempt_id, f"pi_{self.attempt_id}", is_taken=what == "taken")
                await orders.sell_orders(event_id, [money], key_id=KEY, mail=None)
                await orders.sell_late(event_id, money, key_id=KEY, mail=None)
            case "declined":
                await attempts.note_declined(self.attempt_id, ref=None, reason="declined")
            case "challenged":
                await attempts.note_challenged(self.attempt_id, ref=f"pi_{self.attempt_id}", url="http://bank.example")
            case "pending":
                await attempts.note_pending(self.attempt_id, ref=f"pi_{self.attempt_id}")
            case "unknown":
                await attempts.note_unknown(self.attempt_id)
            case "captured":
                await attempts.note_captured(event_id, [self.attempt_id])
            case "voided":
                await attempts.note_voided(self.attempt_id)
            case _:
                raise AssertionError(what)

    async def _is_kept(self) -> bool:
        """Money that is not taken yet does not go back: the work of the job waits for that."""
        return bool(
            await self.database.pool.fetchval(
                "SELECT EXISTS (SELECT FROM payment_attempt WHERE order_id = $1 AND state = 'authorized')",
                self.order_id,
            )
        )


def _bought(fan: int, ends: Sequence[tuple[str, int]]) -> list[Step]:
    """From wanting seats to whatever comes of it."""
    return [("hold", fan, 0), ("open", fan, 0), ("begin", fan, 0), *((what, fan, number) for what, number in ends)]


@pytest.fixture(scope="module")
def office(databases: servers.Databases) -> Iterator[Office]:
    with databases.migrated() as url, asyncio.Runner(loop_factory=asyncio.new_event_loop) as loop:
        database = loop.run(pool.connect(url, connections_max=2))
        yield Office(loop, database, loop.run(_planted(database)))
        loop.run(database.close())


async def _planted(database: Database) -> SmallSeason:
    async with database.pool.acquire() as connection:
        return await plant(connection)


fans = st.integers(0, FANS - 1)
numbers = st.sampled_from([0, 0, 0, 1, 2])
anything: st.SearchStrategy[Step] = st.tuples(st.sampled_from(STEPS), fans, numbers)
ends = st.lists(st.tuples(st.sampled_from(STEPS[2:]), numbers), min_size=1, max_size=4)
bought = st.builds(_bought, fans, ends)
plays = st.lists(st.one_of(bought, bought, st.lists(anything, min_size=1, max_size=6)), max_size=8).map(
    lambda parts: [step for part in parts for step in part]
)


@settings(max_examples=60)
@given(steps=plays)
def test_the_audit_is_silent(office: Office, steps: Sequence[Step]):
    assert office.play(steps) == []


def test_control_the_plays_get_everywhere(office: Office):
    """Each state of an order, an attempt and a refund is met by the plays of the test above."""
    rows = office.loop.run(
        office.database.pool.fetch("SELECT state FROM fan_order UNION SELECT state FROM payment_attempt")
    )
    assert {row["state"] for row in rows} >= {
        "open",
        "paid",
        "refunded",
        "cancelled",
        "lapsed",
        "created",
        "challenged",
        "declined",
        "authorized",
        "captured",
        "voiding",
    }  # fmt: skip -- a list of words


def test_the_books_are_those_of_the_core(office: Office):
    play = [
        ("hold", 0, 0),
        ("open", 0, 0),
        ("begin", 0, 0),
        ("kept", 0, 0),
        ("captured", 0, 0),
        ("cancel", 0, 1),
        ("refunded", 0, 0),
    ]
    assert office.play(play) == []
    told, prices, fees = office.loop.run(_told(office.database))
    assert told["sold"] == books.sold(price=sum(prices), fee=sum(fees))
    assert told["captured"] == books.captured(sum(prices) + sum(fees))
    assert told["returned"] == books.returned(price=prices[0], fee=fees[0])
    assert told["refunded"] == books.refunded(prices[0] + fees[0])


async def _told(database: Database) -> tuple[Mapping[str, Mapping[str, int]], Sequence[int], Sequence[int]]:
    """What is written of the newest order that was given back in part, and its prices and fees."""
    row = await database.pool.fetchrow(
        "SELECT order_id, prices_minor, fees_minor FROM fan_order JOIN refund USING (order_id)"
        " ORDER BY refund.made_at DESC LIMIT 1"
    )
    assert row is not None
    entries: dict[str, dict[str, int]] = defaultdict(dict)
    for entry in await database.pool.fetch("SELECT * FROM money_entry WHERE order_id = $1", row["order_id"]):
        entries[entry["cause"]][entry["account"]] = entry["amount_minor"]
    return entries, row["prices_minor"], row["fees_minor"]
