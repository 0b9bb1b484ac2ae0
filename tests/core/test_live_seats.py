"""One event's seats as a process knows them: the same as the ledger's when it has heard everything, never more sure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.commands import Command, commands
from tests.ledger.on_sale import hold_no, wish
from tests.postgres.small_season import SEATS, map_document

from frontrow.core.catalogue import PriceLevel
from frontrow.core.choosing import SeatPlan, choose, plan_seats
from frontrow.core.holds import HoldId
from frontrow.core.ledger import EventLedger, Terms
from frontrow.core.live_seats import CODES, ClaimsSeen, LiveSeats, packed
from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatMap, canonical, read
from frontrow.core.seats import SeatNo, SeatState
from frontrow.core.updates import NEVER, NOBODY, Update, holder

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOLD_SECONDS = 100
MINE, THEIRS = hold_no(1), hold_no(2)
ALL = tuple(map(SeatNo, range(SEATS)))
A, H, S, B = SeatState.AVAILABLE, SeatState.HELD, SeatState.SOLD, SeatState.BLOCKED

Play = list[tuple[Command, int]]  # a command, and how many seconds before it go by
plays = st.lists(st.tuples(commands, st.sampled_from([0, 40, HOLD_SECONDS])), max_size=20)


def plan() -> SeatPlan:
    seat_map = read(canonical(map_document()))
    assert isinstance(seat_map, SeatMap)
    free = Money(0, "EUR")
    return plan_seats(seat_map, [PriceLevel(name, name, Money(100, "EUR"), free) for name in seat_map.price_levels])


PLAN = plan()
NO_CLAIMS = ClaimsSeen(0, NOW.timestamp(), [], "", b"", [])


def live(claims: ClaimsSeen = NO_CLAIMS) -> LiveSeats:
    return LiveSeats(PLAN, claims)


def ledger() -> EventLedger:
    terms = Terms(
        seats=SEATS,
        is_announced=True,
        on_sale_at=NOW - timedelta(days=1),
        ends_at=NOW + timedelta(days=1),
        hold_for=timedelta(seconds=HOLD_SECONDS),
        seats_per_hold_max=3,
        tickets_per_fan_max=4,
    )
    return EventLedger(terms)


def update(number: int, seats: Sequence[int], states: str, hold_id: HoldId | None = None) -> Update:
    holders = b"".join(holder(hold_id) if state in "hs" else NOBODY for state in states)
    expires_at = NOW + timedelta(seconds=HOLD_SECONDS) if "h" in states else None
    return Update(number, NOW, tuple(map(SeatNo, seats)), states, holders, expires_at)


def states(seats: LiveSeats) -> list[SeatState]:
    return list(seats.states(0, SEATS))


def free(seats: LiveSeats) -> set[int]:
    return {seat for seat in range(SEATS) if seat in seats.supply}


def seen(core: EventLedger, now: datetime) -> ClaimsSeen:
    """The claims as the database tells them to a process that begins now."""
    ends = [
        core.holds[claim.hold_id].hold.expires_at.timestamp()
        if claim.state is H and claim.hold_id and core.holds[claim.hold_id].hold.state == "held"
        else float("inf")
        for claim in core.claims.values()
    ]
    return ClaimsSeen(
        len(core.journal),
        now.timestamp(),
        list(core.claims),
        "".join(claim.state.letter for claim in core.claims.values()),
        b"".join(holder(claim.hold_id) for claim in core.claims.values()),
        ends,
    )


@given(played=plays, begun=st.integers(0, 20))
def test_the_journal_folded_is_the_claims(played: Play, begun: int):
    """Followed from the first update, or from claims seen somewhere on the way: it comes to the same."""
    core, now = ledger(), NOW
    from_the_start, from_the_middle = live(), live()
    for number, (command, seconds) in enumerate(played):
        if number == begun:
            from_the_middle = live(seen(core, now))
        now += timedelta(seconds=seconds)
        batch = command.by_core(core, now)
        for followed in (from_the_start, from_the_middle) if number >= begun else (from_the_start,):
            assert followed.fold(batch.update)
            assert followed.update_no == len(core.journal)
    for followed in (from_the_start, from_the_middle) if begun < len(played) else (from_the_start,):
        assert states(followed) == [core.state(SeatNo(seat)) for seat in range(SEATS)]
        assert free(followed) == {seat for seat in range(SEATS) if core.state(SeatNo(seat)) is A}


@given(played=plays, asks=st.integers(0, 7).map(hold_no))
def test_whoever_has_heard_everything_refuses_nobody_wrongly(played: Play, asks: HoldId):
    """What is surely taken, and only that, is what the ledger would refuse this hold. The two agree to the moment."""
    core, now, followed = ledger(), NOW, live()
    for command, seconds in played:
        now += timedelta(seconds=seconds)
        followed.fold(command.by_core(core, now).update)
    refused = set(followed.taken(ALL, hold_id=asks, at=now.timestamp()))
    core.expire_holds(list(core.holds), now=now)
    assert refused == {seat for seat, claim in core.claims.items() if claim.hold_id != asks}


def test_an_update_is_taken_in_once():
    seats = live()
    held = update(1, [0, 1], "hh", MINE)
    assert seats.fold(held)
    assert seats.fold(update(2, [0, 1], "aa"))
    assert seats.fold(held)  # heard before
    assert states(seats)[:2] == [A, A]


def test_one_that_does_not_follow_changes_nothing():
    seats = live()
    assert not seats.fold(update(2, [0], "h", MINE))
    assert (seats.update_no, states(seats)) == (0, [A] * SEATS)


def test_a_batch_that_changed_nothing_is_no_news_of_the_update_whose_number_it_tells():
    """Another process wrote update 1. Taking the empty one for it would lose what it freed or took, for ever."""
    seats = live()
    assert not seats.fold(update(1, [], ""))
    assert seats.update_no == 0
    assert seats.fold(update(1, [3], "h", THEIRS))
    assert states(seats)[3] is H
    assert seats.fold(update(1, [], ""))  # and now it is


def test_seats_of_another_map_do_not_follow():
    seats = live()
    assert not seats.fold(update(1, [0, SEATS], "hh", MINE))
    assert (seats.update_no, states(seats)) == (0, [A] * SEATS)


@pytest.mark.parametrize(
    ("letter", "holds", "asks", "seconds", "is_taken"),
    [
        ("h", THEIRS, MINE, 0, True),
        ("h", THEIRS, MINE, 99.999, True),
        ("h", THEIRS, MINE, 100, False),  # it ends at its time, whether anybody swept it or not
        ("h", THEIRS, MINE, 200, False),
        ("h", MINE, MINE, 0, False),  # one's own: sent again, and the ledger tells what has become of it
        ("s", THEIRS, MINE, 10**9, True),
        ("s", MINE, MINE, 0, False),
        ("b", None, MINE, 10**9, True),
        ("a", None, MINE, 0, False),
    ],
)
def test_what_is_surely_taken(letter: str, holds: HoldId | None, asks: HoldId, seconds: float, *, is_taken: bool):
    seats = live()
    assert seats.fold(update(1, [2], letter, holds))
    at = NOW.timestamp() + seconds
    assert seats.taken([SeatNo(1), SeatNo(2)], hold_id=asks, at=at) == ((SeatNo(2),) if is_taken else ())


def test_what_is_being_paid_has_no_end():
    seats = live()
    seats.fold(replace(update(1, [2], "h", THEIRS), expires_at=NEVER))
    assert seats.taken([SeatNo(2)], hold_id=MINE, at=(NOW + timedelta(days=365)).timestamp()) == (2,)


@given(st.lists(st.integers(0, 3), max_size=40))
def test_four_seats_in_a_byte_the_first_in_the_lowest_bits(codes: list[int]):
    bits = packed(bytes(codes))
    assert len(bits) == -(-len(codes) // 4)
    assert [bits[seat // 4] >> 2 * (seat % 4) & 3 for seat in range(len(codes))] == codes
    assert int.from_bytes(bits, "little") >> 2 * len(codes) == 0  # what is left over is zero


def test_a_snapshot_is_of_its_update():
    seats = live()
    assert seats.snapshot() == bytes(2)
    seats.fold(update(1, [0, 1, 2, 4], "hsbs", THEIRS))
    assert seats.snapshot() == bytes([0b00_11_10_01, 0b10])
    assert [CODES[state] for state in (A, H, S, B)] == [0, 1, 2, 3]


def test_what_is_left():
    seats = live()
    seats.fold(update(1, [0, 1, 5], "hss", THEIRS))
    assert (seats.available(0, 4), seats.available(4, 3)) == (2, 2)  # the row, the floor


@pytest.mark.parametrize(
    ("letters", "is_sold_out"),
    [
        ("sssssss", True),
        ("sssbbbb", True),
        ("ssshsss", False),  # it may come back
        ("ssssssa", False),
    ],
)
def test_sold_out_is_when_nothing_may_come_back(letters: str, *, is_sold_out: bool):
    seats = live()
    seats.fold(update(1, range(SEATS), letters, THEIRS))
    assert seats.is_sold_out is is_sold_out


ROW = tuple(map(SeatNo, range(4)))


def test_what_is_pencilled_in_is_chosen_by_nobody_else():
    seats = live()
    assert choose(seats.supply, 4, chance=0) == ROW
    seats.pencil_in(ROW)
    assert choose(seats.supply, 4, chance=0) is None
    assert states(seats) == [A] * SEATS  # that is for choosing alone
    seats.rub_out(ROW)
    assert choose(seats.supply, 4, chance=0) == ROW


def test_what_is_rubbed_out_is_what_the_ledger_says():
    seats = live()
    seats.pencil_in(ROW)
    seats.fold(update(1, [0], "h", MINE))  # it held one of them
    seats.rub_out(ROW)
    assert free(seats) == {1, 2, 3, 4, 5, 6}


def test_control_a_wish_is_heard():
    """The core's ledger does hold seats in these tests."""
    core = ledger()
    core.hold_seats([wish(0, 0, 0, 1)], now=NOW)
    assert core.state(SeatNo(0)) is H
