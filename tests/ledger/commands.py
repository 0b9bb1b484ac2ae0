"""Everything that can be asked of a ledger, as data: played to the core and to PostgreSQL, and drawn by Hypothesis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from hypothesis import strategies as st
from tests.ledger.on_sale import fan_no, hold_no
from tests.postgres.small_season import SEATS

from frontrow.adapters.postgres.ledger import PostgresLedger
from frontrow.core.catalogue import EventId
from frontrow.core.holds import TRANSITIONS, FanId, HoldChange, HoldId, HoldRequest, HoldState
from frontrow.core.ledger import EventLedger
from frontrow.core.seats import SeatNo
from frontrow.core.updates import Batch

PAY_SECONDS: Final = 90


class Command(Protocol):
    """One batch, and how each of the two ledgers is asked for it."""

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]: ...
    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]: ...


@dataclass(frozen=True)
class HoldSeats:
    requests: Sequence[HoldRequest]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.hold_seats(event_id, self.requests)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.hold_seats(self.requests, now=now)


@dataclass(frozen=True)
class ReleaseHolds:
    asked: Sequence[tuple[HoldId, FanId]]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.release_holds(event_id, self.asked)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.release_holds(self.asked, now=now)


@dataclass(frozen=True)
class BeginCheckouts:
    asked: Sequence[tuple[HoldId, FanId]]
    pay_seconds: int = PAY_SECONDS

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.begin_checkouts(event_id, self.asked, pay_seconds=self.pay_seconds)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.begin_checkouts(self.asked, pay_for=timedelta(seconds=self.pay_seconds), now=now)


@dataclass(frozen=True)
class MoveHold:
    hold_id: HoldId
    from_fan: FanId
    to_fan: FanId

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.move_hold(event_id, self.hold_id, from_fan=self.from_fan, to_fan=self.to_fan)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.move_hold(self.hold_id, self.from_fan, self.to_fan, now=now)


@dataclass(frozen=True)
class SellHolds:
    holds: Sequence[HoldId]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.sell_holds(event_id, self.holds)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.sell_holds(self.holds, now=now)


@dataclass(frozen=True)
class EndCheckouts:
    holds: Sequence[HoldId]
    change: HoldChange

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        outcome = TRANSITIONS[HoldState.CHECKOUT, self.change]
        return await ledger.end_checkouts(event_id, self.holds, outcome=outcome)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.end_checkouts(self.holds, change=self.change, now=now)


@dataclass(frozen=True)
class SellAgain:
    hold_id: HoldId

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.sell_again(event_id, self.hold_id)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.sell_again(self.hold_id, now=now)


@dataclass(frozen=True)
class ReturnSeats:
    asked: Sequence[tuple[HoldId, Sequence[SeatNo]]]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.return_seats(event_id, self.asked)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.return_seats(self.asked, now=now)


@dataclass(frozen=True)
class BlockSeats:
    asked: Sequence[Sequence[SeatNo]]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.block_seats(event_id, self.asked)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.block_seats(self.asked, now=now)


@dataclass(frozen=True)
class UnblockSeats:
    seats: Sequence[SeatNo]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.unblock_seats(event_id, self.seats)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.unblock_seats(self.seats, now=now)


@dataclass(frozen=True)
class ExpireHolds:
    holds: Sequence[HoldId]

    async def by_postgres(self, ledger: PostgresLedger, event_id: EventId) -> Batch[object]:
        return await ledger.expire_holds(event_id, self.holds)

    def by_core(self, ledger: EventLedger, now: datetime) -> Batch[object]:
        return ledger.expire_holds(self.holds, now=now)


def _move(whose: tuple[HoldId, FanId], to_fan: FanId) -> MoveHold:
    return MoveHold(*whose, to_fan)


def _wish_of(whose: tuple[HoldId, FanId], seats: tuple[SeatNo, ...]) -> HoldRequest:
    return HoldRequest(*whose, seats)


# All seats and two numbers that are none; few fans and few holds, so that they meet. A hold is mostly of one fan, so
# that some get as far as being sold.
any_seats = st.lists(st.integers(-1, SEATS).map(SeatNo), max_size=SEATS).map(tuple)
one_or_two = st.lists(st.integers(0, SEATS - 1).map(SeatNo), min_size=1, max_size=2, unique=True).map(tuple)
hold_ids = st.integers(0, 7).map(hold_no)
fans = st.integers(0, 3).map(fan_no)
own = st.integers(0, 7).map(lambda number: (hold_no(number), fan_no(number % 4)))
anyones = st.tuples(hold_ids, fans)
asked_by_fans = st.lists(st.one_of(own, own, anyones), max_size=4)
wishes = st.builds(HoldRequest, hold_ids, fans, any_seats)
modest_wishes = st.builds(_wish_of, own, one_or_two)  # these are mostly granted

commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(HoldSeats, st.lists(wishes, max_size=5)),
    st.builds(HoldSeats, st.lists(modest_wishes, min_size=1, max_size=3)),
    st.builds(ReleaseHolds, asked_by_fans),
    st.builds(BeginCheckouts, asked_by_fans),
    st.builds(_move, st.one_of(own, own, anyones), fans),
    st.builds(SellHolds, st.lists(hold_ids, max_size=4)),
    st.builds(EndCheckouts, st.lists(hold_ids, max_size=4), st.sampled_from([HoldChange.RELEASE, HoldChange.EXPIRE])),
    st.builds(SellAgain, hold_ids),
    st.builds(ReturnSeats, st.lists(st.tuples(hold_ids, any_seats), max_size=3)),
    st.builds(BlockSeats, st.lists(any_seats, max_size=3)),
    st.builds(UnblockSeats, any_seats),
    st.builds(ExpireHolds, st.lists(hold_ids, max_size=4)),
)
