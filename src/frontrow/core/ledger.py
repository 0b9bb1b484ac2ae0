"""The ledger of one event: who may claim which seat, decided request by request in the order of a batch.

PostgreSQL decides (sql/schema: hold_seats_v1 and its like); this explains the same rules in plain Python. A
conformance test plays the same commands to both. It is also the ledger of simulations and of tests without a database.

Time arrives as an argument: the clock as it was read after the lane was taken.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from frontrow.core.holds import (
    DEFERRED,
    LIVE,
    Deferred,
    FanId,
    Hold,
    HoldAnswer,
    HoldChange,
    HoldId,
    HoldRequest,
    HoldState,
    Known,
    Placed,
    Refusal,
    SeatsTaken,
)
from frontrow.core.holds import TRANSITIONS as HOLD_TRANSITIONS
from frontrow.core.seats import TRANSITIONS as SEAT_TRANSITIONS
from frontrow.core.seats import SeatChange, SeatNo, SeatState
from frontrow.core.updates import NEVER, Batch, Update, holder


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the organizer decided about the sale of an event."""

    seats: int
    is_announced: bool
    on_sale_at: datetime
    ends_at: datetime
    hold_for: timedelta
    seats_per_hold_max: int
    tickets_per_fan_max: int

    def is_on_sale(self, now: datetime) -> bool:
        return self.is_announced and self.on_sale_at <= now < self.ends_at


@dataclass(slots=True)
class Claim:
    """Who has a seat. A seat without a claim is available."""

    state: SeatState
    hold_id: HoldId | None  # None: blocked by the organizer


@dataclass(slots=True)
class HoldRecord:
    """A hold, whose it is, and how many of its seats count against the fan's limit."""

    fan_id: FanId
    hold: Hold
    tickets: int


@dataclass(slots=True)
class EventLedger:
    """Claims, holds and journal of one event."""

    terms: Terms
    claims: dict[SeatNo, Claim] = field(default_factory=dict[SeatNo, Claim])
    holds: dict[HoldId, HoldRecord] = field(default_factory=dict[HoldId, HoldRecord])
    journal: list[Update] = field(default_factory=list[Update])
    _touched: set[SeatNo] = field(default_factory=set[SeatNo])  # by the batch under way

    def hold_seats(self, requests: Sequence[HoldRequest], *, now: datetime) -> Batch[HoldAnswer | Deferred]:
        """Hold all seats of each request, or none of them."""
        self._expire(self._in_the_way(requests), now)
        earlier = _Earlier()
        expires_at = now + self.terms.hold_for
        answers = tuple(self._decided(request, earlier, now) or _placed(request, expires_at) for request in requests)
        for request, answer in zip(requests, answers, strict=True):
            if isinstance(answer, Placed):
                self._place(request, answer.hold)
        return Batch(self._written(now, expires_at), answers)

    def release_holds(self, asked: Sequence[tuple[HoldId, FanId]], *, now: datetime) -> Batch[Hold | Refusal]:
        """Fans give held seats back. Doing it again changes nothing."""
        self._expire((hold_id for hold_id, _ in asked), now)
        for record in self._theirs(asked, HoldState.HELD):
            self._end(record, HoldChange.RELEASE, SeatChange.RELEASE)
        return Batch(self._written(now), tuple(self.answer(*each) for each in asked))

    def begin_checkouts(
        self, asked: Sequence[tuple[HoldId, FanId]], *, pay_for: timedelta, now: datetime
    ) -> Batch[Hold | Refusal]:
        """Paying has begun: a hold gets more time, once, and no clock ends it any more."""
        self._expire((hold_id for hold_id, _ in asked), now)
        for record in self._theirs(asked, HoldState.HELD):
            record.hold = replace(
                _changed(record.hold, HoldChange.BEGIN_CHECKOUT),
                expires_at=max(record.hold.expires_at, now + pay_for),
            )
            self._touched.update(record.hold.seats)
        return Batch(self._written(now, NEVER), tuple(self.answer(*each) for each in asked))

    def sell_holds(self, asked: Sequence[HoldId], *, now: datetime) -> Batch[Hold | Refusal]:
        """The seats of holds in checkout are sold."""
        for record in self._theirs([(hold_id, None) for hold_id in asked], HoldState.CHECKOUT):
            record.hold = _changed(record.hold, HoldChange.SELL)
            for seat in record.hold.seats:
                self._move(seat, SeatChange.SELL, record.hold.hold_id)
        return Batch(self._written(now), tuple(self.answer(hold_id) for hold_id in asked))

    def end_checkouts(self, asked: Sequence[HoldId], *, change: HoldChange, now: datetime) -> Batch[Hold | Refusal]:
        """Holds in checkout are given up, by the fan (release) or because nobody paid in time (expire)."""
        for record in self._theirs([(hold_id, None) for hold_id in asked], HoldState.CHECKOUT):
            self._end(record, change, SeatChange(change.value))
        return Batch(self._written(now), tuple(self.answer(hold_id) for hold_id in asked))

    def sell_again(self, hold_id: HoldId, *, now: datetime) -> Batch[Hold | SeatsTaken | Refusal]:
        """Money for an expired hold came late: its seats are sold after all, if every one of them is free."""
        record = self.holds.get(hold_id)
        if record is None or record.hold.state is not HoldState.EXPIRED:
            return Batch(self._written(now), (self.answer(hold_id),))
        theirs = [other for other, known in self.holds.items() if known.fan_id == record.fan_id]
        self._expire([*self._claiming(record.hold.seats), *theirs], now)
        refusal = self._unsellable(record, now)
        if refusal is None:
            record.hold, record.tickets = _changed(record.hold, HoldChange.SELL_AGAIN), len(record.hold.seats)
            for seat in record.hold.seats:
                self._move(seat, SeatChange.SELL_AGAIN, hold_id)
        return Batch(self._written(now), (refusal or record.hold,))

    def return_seats(self, asked: Sequence[tuple[HoldId, Sequence[SeatNo]]], *, now: datetime) -> Batch[Hold | Refusal]:
        """Sold seats come back on sale, all of a request or none. Returning again changes nothing."""
        wrong = [self._has_never_had(hold_id, seats) for hold_id, seats in asked]
        for (hold_id, seats), is_wrong in zip(asked, wrong, strict=True):
            if hold_id in self.holds and not is_wrong:
                self._return(self.holds[hold_id], seats)
        answers = tuple(
            Refusal.UNKNOWN_SEAT if is_wrong else self.answer(hold_id)
            for (hold_id, _), is_wrong in zip(asked, wrong, strict=True)
        )
        return Batch(self._written(now), answers)

    def block_seats(self, asked: Sequence[Sequence[SeatNo]], *, now: datetime) -> Batch[SeatsTaken | Refusal | None]:
        """Take seats off sale, all of a request or none; None says that they are. What is blocked already stays so."""
        self._expire(self._claiming(seat for seats in asked for seat in seats), now)
        answers = tuple(self._not_blockable(seats) for seats in asked)
        for seats, answer in zip(asked, answers, strict=True):
            for seat in () if answer else seats:
                if seat not in self.claims:
                    self._move(seat, SeatChange.BLOCK)
        return Batch(self._written(now), answers)

    def unblock_seats(self, seats: Iterable[SeatNo], *, now: datetime) -> Batch[None]:
        """Put blocked seats back on sale. What is not blocked stays as it is."""
        for seat in set(seats):
            if self.state(seat) is SeatState.BLOCKED:
                self._move(seat, SeatChange.UNBLOCK)
        return Batch(self._written(now), ())

    def expire_holds(self, holds: Iterable[HoldId], *, now: datetime) -> Batch[None]:
        """End those of the holds whose time is over."""
        self._expire(holds, now)
        return Batch(self._written(now), ())

    def move_hold(self, hold_id: HoldId, from_fan: FanId, to_fan: FanId, *, now: datetime) -> Batch[Hold | Refusal]:
        """A hold goes over to another fan, if it is held and they may have it."""
        theirs = [other for other, record in self.holds.items() if record.fan_id == to_fan]
        self._expire([hold_id, *theirs], now)
        answer = self._moved(hold_id, from_fan, to_fan)
        return Batch(self._written(now), (answer,))

    def answer(self, hold_id: HoldId, fan_id: FanId | None = None) -> Hold | Refusal:
        """What a hold is now, for the fan who asks; no fan: for ourselves."""
        record = self.holds.get(hold_id)
        if record is None:
            return Refusal.UNKNOWN
        if fan_id not in {None, record.fan_id}:
            return Refusal.FOREIGN
        return record.hold

    def state(self, seat: SeatNo) -> SeatState:
        return self.claims[seat].state if seat in self.claims else SeatState.AVAILABLE

    def _holder(self, seat: SeatNo) -> HoldId | None:
        return self.claims[seat].hold_id if seat in self.claims else None

    def _decided(  # noqa: PLR0911 -- a table of rules
        self, request: HoldRequest, earlier: "_Earlier", now: datetime
    ) -> HoldAnswer | Deferred | None:
        """The answer to a request, or None: its seats may be held. In the order that hold_seats_v1 has too."""
        of_same_hold, of_same_fan, of_same_seats = earlier.met(request)
        if of_same_hold:
            return DEFERRED
        known = self.answer(request.hold_id, request.fan_id)
        if isinstance(known, Hold):
            return Known(known)
        if known is Refusal.FOREIGN:
            return known
        if of_same_fan:
            return DEFERRED
        if refusal := self._refusal(request, now):
            return refusal
        if taken := tuple(seat for seat in request.seats if seat in self.claims):
            return SeatsTaken(taken)
        return DEFERRED if of_same_seats else None

    def _refusal(self, request: HoldRequest, now: datetime) -> Refusal | None:  # noqa: PLR0911 -- a table of rules
        seats = request.seats
        live, bought = self._of_fan(request.fan_id)
        if not self.terms.is_on_sale(now):
            return Refusal.NOT_ON_SALE
        if not seats:
            return Refusal.NO_SEATS
        if len(seats) > self.terms.seats_per_hold_max:
            return Refusal.TOO_MANY_SEATS
        if not all(0 <= seat < self.terms.seats for seat in seats):
            return Refusal.UNKNOWN_SEAT
        if len(set(seats)) < len(seats):
            return Refusal.SEAT_TWICE
        if live:
            return Refusal.HOLD_EXISTS
        if bought + len(seats) > self.terms.tickets_per_fan_max:
            return Refusal.LIMIT_REACHED
        return None

    def _moved(self, hold_id: HoldId, from_fan: FanId, to_fan: FanId) -> Hold | Refusal:
        """In the order that move_hold_v1 has too."""
        hold = self.answer(hold_id, to_fan)
        if hold is not Refusal.FOREIGN:
            return hold
        hold = self.answer(hold_id, from_fan)
        if not isinstance(hold, Hold) or hold.state is not HoldState.HELD:
            return hold
        live, bought = self._of_fan(to_fan)
        record = self.holds[hold_id]
        if live:
            return Refusal.HOLD_EXISTS
        if bought + record.tickets > self.terms.tickets_per_fan_max:
            return Refusal.LIMIT_REACHED
        record.fan_id = to_fan
        return hold

    def _unsellable(self, record: HoldRecord, now: datetime) -> SeatsTaken | Refusal | None:
        """Why late money does not buy its seats, in the order that sell_again_v1 has too."""
        if not self.terms.is_announced or now >= self.terms.ends_at:
            return Refusal.NOT_ON_SALE
        theirs = sum(known.tickets for known in self.holds.values() if known.fan_id == record.fan_id)
        if theirs + len(record.hold.seats) > self.terms.tickets_per_fan_max:
            return Refusal.LIMIT_REACHED
        taken = tuple(seat for seat in record.hold.seats if seat in self.claims)
        return SeatsTaken(taken) if taken else None

    def _of_fan(self, fan_id: FanId) -> tuple[bool, int]:
        """Whether the fan has a live hold, and how many tickets were bought."""
        theirs = [record for record in self.holds.values() if record.fan_id == fan_id]
        return (
            any(record.hold.state in LIVE for record in theirs),
            sum(record.tickets for record in theirs if record.hold.state is HoldState.SOLD),
        )

    def _place(self, request: HoldRequest, hold: Hold) -> None:
        self.holds[hold.hold_id] = HoldRecord(request.fan_id, hold, tickets=len(hold.seats))
        for seat in hold.seats:
            self._move(seat, SeatChange.HOLD, hold.hold_id)

    def _in_the_way(self, requests: Sequence[HoldRequest]) -> Iterator[HoldId]:
        """Holds with a seat that is wanted, or of a fan who wants seats."""
        fans = {request.fan_id for request in requests}
        yield from self._claiming(seat for request in requests for seat in request.seats)
        yield from (hold_id for hold_id, record in self.holds.items() if record.fan_id in fans)

    def _claiming(self, seats: Iterable[SeatNo]) -> set[HoldId]:
        return {hold_id for seat in seats if seat in self.claims and (hold_id := self.claims[seat].hold_id)}

    def _theirs(self, asked: Iterable[tuple[HoldId, FanId | None]], state: HoldState) -> Iterator[HoldRecord]:
        """The holds asked about that are in this state, and the asking fan's own."""
        for hold_id, fan_id in asked:
            hold = self.answer(hold_id, fan_id)
            if isinstance(hold, Hold) and hold.state is state:
                yield self.holds[hold_id]

    def _expire(self, hold_ids: Iterable[HoldId], now: datetime) -> None:
        """End those of the holds whose time is over, each as a whole."""
        for hold_id in list(hold_ids):
            record = self.holds.get(hold_id)
            if record and _is_over(record.hold, now):
                self._end(record, HoldChange.EXPIRE, SeatChange.EXPIRE)

    def _end(self, record: HoldRecord, change: HoldChange, seat_change: SeatChange) -> None:
        record.hold = _changed(record.hold, change)
        record.tickets = 0
        for seat in record.hold.seats:
            self._move(seat, seat_change, record.hold.hold_id)

    def _has_never_had(self, hold_id: HoldId, seats: Iterable[SeatNo]) -> bool:
        return hold_id in self.holds and not set(seats) <= set(self.holds[hold_id].hold.seats)

    def _return(self, record: HoldRecord, seats: Iterable[SeatNo]) -> None:
        for seat in set(seats):
            if self.claims.get(seat) == Claim(SeatState.SOLD, record.hold.hold_id):
                self._move(seat, SeatChange.RETURN, record.hold.hold_id)
                record.tickets -= 1
        if record.hold.state is HoldState.SOLD and record.tickets == 0:
            record.hold = _changed(record.hold, HoldChange.RETURN_ALL)

    def _not_blockable(self, seats: Sequence[SeatNo]) -> SeatsTaken | Refusal | None:
        if not all(0 <= seat < self.terms.seats for seat in seats):
            return Refusal.UNKNOWN_SEAT
        taken = tuple(seat for seat in seats if self.state(seat) in {SeatState.HELD, SeatState.SOLD})
        return SeatsTaken(taken) if taken else None

    def _move(self, seat: SeatNo, change: SeatChange, hold_id: HoldId | None = None) -> None:
        """The only place where a claim comes, changes or goes. A change that the table does not have is a fault."""
        state = SEAT_TRANSITIONS[self.state(seat), change]
        if seat in self.claims:
            assert self.claims[seat].hold_id == hold_id, f"seat {seat} belongs to another hold"
            del self.claims[seat]
        if state is not SeatState.AVAILABLE:
            self.claims[seat] = Claim(state, hold_id)
        self._touched.add(seat)

    def _written(self, now: datetime, expires_at: datetime | None = None) -> Update:
        """Number what the batch has changed. A change of no seat takes no number."""
        seats = tuple(sorted(self._touched))
        states = "".join(self.state(seat).letter for seat in seats)
        number = len(self.journal) + (1 if seats else 0)
        holders = b"".join(holder(self._holder(seat)) for seat in seats)
        update = Update(number, now, seats, states, holders, expires_at if SeatState.HELD.letter in states else None)
        if seats:
            self.journal.append(update)
            self._touched.clear()
        return update


@dataclass(slots=True)
class _Earlier:
    """What the requests of a batch wanted so far."""

    holds: set[HoldId] = field(default_factory=set[HoldId])
    fans: set[FanId] = field(default_factory=set[FanId])
    seats: set[SeatNo] = field(default_factory=set[SeatNo])

    def met(self, request: HoldRequest) -> tuple[bool, bool, bool]:
        """Whether an earlier request had the same hold, the same fan, one of the same seats. It is one itself now."""
        met = (
            request.hold_id in self.holds,
            request.fan_id in self.fans,
            not self.seats.isdisjoint(request.seats),
        )
        self.holds.add(request.hold_id)
        self.fans.add(request.fan_id)
        self.seats.update(request.seats)
        return met


def _placed(request: HoldRequest, expires_at: datetime) -> Placed:
    return Placed(Hold(request.hold_id, HoldState.HELD, tuple(sorted(request.seats)), expires_at))


def _changed(hold: Hold, change: HoldChange) -> Hold:
    return replace(hold, state=HOLD_TRANSITIONS[hold.state, change])


def _is_over(hold: Hold, now: datetime) -> bool:
    return hold.state is HoldState.HELD and hold.expires_at <= now
