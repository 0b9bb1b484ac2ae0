"""Plays in which something is at stake: two refusals at once, the very moment a hold ends, one hold beside another's.

Each is short and says in its name what must come of it. Together they tell every rule of the SQL from its absence:
test_mutants.py takes the rules away one by one. The clock stands still (CLOCK), so a moment can be met.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from tests.ledger.commands import (
    BeginCheckouts,
    BlockSeats,
    EndCheckouts,
    ExpireHolds,
    HoldSeats,
    MoveHold,
    ReleaseHolds,
    ReturnSeats,
    SellAgain,
    SellHolds,
    UnblockSeats,
)
from tests.ledger.on_sale import fan_no, hold_no, wish
from tests.ledger.stage import HOLD_SECONDS, Pass, Step

from frontrow.core.catalogue import Publication
from frontrow.core.holds import FanId, HoldChange, HoldId, HoldRequest
from frontrow.core.seats import SeatNo

CLOCK: Final = datetime(2050, 1, 1, 12, tzinfo=UTC)
TICK: Final = timedelta(microseconds=1)  # PostgreSQL's
PAST_THE_END: Final = Pass(HOLD_SECONDS)  # a hold placed before ends at this very moment
BEFORE_THE_END: Final = Pass(HOLD_SECONDS - 1)


@dataclass(frozen=True)
class Scenario:
    """Steps, at an event with these terms."""

    steps: Sequence[Step]
    terms: Mapping[str, object] = field(default_factory=dict[str, object])


def holds(*wishes: HoldRequest) -> HoldSeats:
    return HoldSeats(wishes)


def of(hold: int, fan: int) -> tuple[HoldId, FanId]:
    return hold_no(hold), fan_no(fan)


def releases(hold: int, fan: int) -> ReleaseHolds:
    return ReleaseHolds([of(hold, fan)])


def pays(hold: int, fan: int, pay_seconds: int = 90) -> BeginCheckouts:
    return BeginCheckouts([of(hold, fan)], pay_seconds)


def buys(hold: int, fan: int, *seats: int) -> Sequence[Step]:
    """From wanting seats to having them."""
    return [holds(wish(hold, fan, *seats)), pays(hold, fan), SellHolds([hold_no(hold)])]


def returns(hold: int, *seats: int) -> ReturnSeats:
    return ReturnSeats([(hold_no(hold), [*map(SeatNo, seats)])])


def moves(hold: int, from_fan: int, to_fan: int) -> MoveHold:
    return MoveHold(hold_no(hold), fan_no(from_fan), fan_no(to_fan))


def sweeps(*numbers: int) -> ExpireHolds:
    return ExpireHolds([*map(hold_no, numbers)])


def blocks(*wanted: Sequence[int]) -> BlockSeats:
    return BlockSeats([[*map(SeatNo, seats)] for seats in wanted])


def gives_up(*numbers: int, change: HoldChange = HoldChange.EXPIRE) -> EndCheckouts:
    return EndCheckouts([*map(hold_no, numbers)], change)


def lapses(hold: int, fan: int, *seats: int) -> Sequence[Step]:
    """From wanting seats to not having paid them in time."""
    return [holds(wish(hold, fan, *seats)), pays(hold, fan), gives_up(hold)]


def again(hold: int) -> SellAgain:
    return SellAgain(hold_no(hold))


def unblocks(*seats: int) -> UnblockSeats:
    return UnblockSeats([*map(SeatNo, seats)])


# Holding: each answer by itself, then each two that may meet, in the order in which they are asked.
HOLDING: Final[Mapping[str, Sequence[Step]]] = {
    "seats are held in the order of their numbers": [holds(wish(0, 0, 3, 1, 2))],
    "as many as a hold may have, of the last seat too": [holds(wish(0, 0, 4, 5, 6))],
    "one more than a hold may have": [holds(wish(0, 0, 0, 1, 2, 3))],
    "the seat after the last": [holds(wish(0, 0, 7))],
    "the seat before the first": [holds(wish(0, 0, -1))],
    "no seat": [holds(wish(0, 0))],
    "a seat twice": [holds(wish(0, 0, 1, 1))],
    "a taken seat, and none of the others is held": [holds(wish(0, 0, 1)), holds(wish(1, 1, 0, 1, 2))],
    "of two who want a seat at once the first has it": [holds(wish(0, 0, 1, 2), wish(1, 1, 2, 3), wish(2, 2, 4))],
    "a second hold of a fan": [holds(wish(0, 0, 1)), holds(wish(1, 0, 2))],
    "a second hold of a fan who pays": [holds(wish(0, 0, 1)), pays(0, 0), holds(wish(1, 0, 2))],
    "the same again is known, whatever it asks for": [holds(wish(0, 0, 1)), holds(wish(0, 0, 2))],
    "to the limit and no further": [*buys(0, 0, 0, 1, 2), holds(wish(1, 0, 3, 4)), holds(wish(2, 0, 3))],
    "what came back counts no more": [*buys(0, 0, 0, 1, 2), returns(0, 1, 2), holds(wish(1, 0, 3, 4, 5))],
    "one batch, one hold twice, its id another fan's": [holds(wish(0, 0, 1)), holds(wish(0, 0, 1), wish(0, 1, 2))],
    "an id that another fan has": [holds(wish(0, 0, 1)), holds(wish(0, 1, 2))],
    "known, and the fan was met before": [holds(wish(0, 0, 1)), holds(wish(1, 0, 2), wish(0, 0, 1))],
    "one batch, one fan twice": [holds(wish(0, 0, 1), wish(1, 0, 2))],
    "too many, and no such seat": [holds(wish(0, 0, 1, 2, 3, 7))],
    "no such seat, and twice": [holds(wish(0, 0, 7, 7))],
    "twice, by a fan with a hold": [holds(wish(0, 0, 1)), holds(wish(1, 0, 2, 2))],
    "a hold there is, and beyond the limit": [*buys(0, 0, 0, 1, 2), holds(wish(1, 0, 3)), holds(wish(2, 0, 4, 5))],
    "beyond the limit, and taken": [*buys(0, 0, 0, 1, 2), holds(wish(1, 0, 2, 3))],
    "taken, and wanted before": [holds(wish(0, 0, 1)), holds(wish(1, 1, 2), wish(2, 2, 1, 2))],
    "wanted before by one who was refused": [holds(wish(0, 0, 2, 7), wish(1, 1, 2))],
}

# The three ends of a hold that nobody sweeps, and its end by the sweeper.
ENDING: Final[Mapping[str, Sequence[Step]]] = {
    "its seats go to who wants them": [holds(wish(0, 0, 1, 2)), PAST_THE_END, holds(wish(1, 1, 2))],
    "not before": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, holds(wish(1, 1, 2), wish(2, 0, 3))],
    "its fan may hold again": [holds(wish(0, 0, 1, 2)), PAST_THE_END, holds(wish(1, 0, 3))],
    "one who is refused ends it too": [holds(wish(0, 0, 1, 2)), PAST_THE_END, holds(wish(1, 1, 1, 7))],
    "asked again it has expired": [holds(wish(0, 0, 1)), PAST_THE_END, holds(wish(0, 0, 1))],
    "two of them at once": [
        holds(wish(0, 0, 1, 2), wish(1, 1, 3, 4)),
        PAST_THE_END,
        holds(wish(2, 2, 2, 3), wish(3, 1, 5)),
    ],
    "no clock ends what is being paid": [
        holds(wish(0, 0, 1)),
        pays(0, 0),
        PAST_THE_END,
        sweeps(0),
        holds(wish(1, 1, 1), wish(2, 0, 2)),
    ],
    "nor does asking for it": [holds(wish(0, 0, 1)), pays(0, 0), PAST_THE_END, releases(0, 0), pays(0, 0)],
    "it cannot be released": [holds(wish(0, 0, 1, 2)), PAST_THE_END, releases(0, 0)],
    "until then it can": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, releases(0, 0)],
    "it cannot be paid": [holds(wish(0, 0, 1, 2)), PAST_THE_END, pays(0, 0)],
    "until then it can be": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, pays(0, 0)],
    "the sweeper ends it": [holds(wish(0, 0, 1, 2)), PAST_THE_END, sweeps(0)],
    "the sweeper leaves it": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, sweeps(0)],
    "of those that the sweeper has found": [
        holds(wish(1, 1, 1)),
        Pass(1),
        holds(wish(0, 0, 0), wish(3, 3, 3)),
        Pass(1),
        holds(wish(2, 2, 2)),
        BEFORE_THE_END,
        sweeps(2, 0, 7, 0, 1),
    ],
    "a seat blocked over it": [holds(wish(0, 0, 1, 2)), PAST_THE_END, blocks([2, 3])],
    "a seat not blocked over it": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, blocks([2, 3])],
}  # fmt: skip -- a line each where it fits

# What a fan or we do with a hold.
CHANGING: Final[Mapping[str, Sequence[Step]]] = {
    "released once, and again": [holds(wish(0, 0, 1, 2)), releases(0, 0), releases(0, 0), holds(wish(1, 1, 1))],
    "released by a stranger": [holds(wish(0, 0, 1)), releases(0, 1)],
    "released unknown": [releases(0, 0)],
    "released while it is paid": [holds(wish(0, 0, 1)), pays(0, 0), releases(0, 0)],
    "one released, the other kept": [holds(wish(0, 0, 1), wish(1, 1, 2)), releases(1, 1)],
    "paid by a stranger": [holds(wish(0, 0, 1)), pays(0, 1)],
    "paid for longer than it was held": [holds(wish(0, 0, 1)), pays(0, 0, HOLD_SECONDS + 1)],
    "paid in no time it keeps what it has": [holds(wish(0, 0, 1)), pays(0, 0, 1)],
    "paying begins once": [holds(wish(0, 0, 1)), pays(0, 0, 200), pays(0, 0, 300)],
    "one paid, the other expires": [
        holds(wish(0, 0, 1), wish(1, 1, 2)),
        PAST_THE_END,
        holds(wish(2, 2, 3)),
        BeginCheckouts([of(0, 0), of(2, 2)]),
    ],
    "sold": [*buys(0, 0, 1, 2), SellHolds([hold_no(0)]), holds(wish(1, 1, 2, 3))],
    "sold without a checkout": [holds(wish(0, 0, 1)), SellHolds([hold_no(0)])],
    "sold of two the one": [
        holds(wish(0, 0, 1), wish(1, 1, 2)),
        BeginCheckouts([of(0, 0), of(1, 1)]),
        SellHolds([hold_no(1)]),
    ],
    "returned in part, then whole, then again": [*buys(0, 0, 1, 2), returns(0, 1), returns(0, 1, 2), returns(0, 2)],
    "returned with a seat of somebody else": [*buys(0, 0, 1), *buys(1, 1, 2), returns(0, 1, 2)],
    "returned before it was sold": [holds(wish(0, 0, 1)), returns(0, 1), pays(0, 0), returns(0, 1)],
    "returned when it is another's by now": [*buys(0, 0, 1, 2), returns(0, 1), *buys(1, 1, 1), returns(0, 1)],
    "returned unknown": [returns(0, 1)],
    "returned in two requests, one of them wrong": [
        *buys(0, 0, 1, 2),
        ReturnSeats([(hold_no(0), [SeatNo(1), SeatNo(3)]), (hold_no(0), [SeatNo(2)])]),
    ],
}  # fmt: skip -- a line each where it fits

# A nameless fan signs in, and a hold goes over.
MOVING: Final[Mapping[str, Sequence[Step]]] = {
    "it is theirs from then on": [holds(wish(0, 0, 1)), moves(0, 0, 1), releases(0, 0), pays(0, 1)],
    "moved again it is as it was": [holds(wish(0, 0, 1)), moves(0, 0, 1), moves(0, 0, 1)],
    "moved to its own fan": [holds(wish(0, 0, 1)), moves(0, 0, 0)],
    "unknown": [moves(0, 0, 1)],
    "by a stranger": [holds(wish(0, 0, 1)), moves(0, 2, 1)],
    "its fan may hold again": [holds(wish(0, 0, 1)), moves(0, 0, 1), holds(wish(1, 0, 2))],
    "the other may not, but by it": [holds(wish(0, 0, 1)), moves(0, 0, 1), holds(wish(1, 1, 2))],
    "the other holds": [holds(wish(0, 0, 1), wish(1, 1, 2)), moves(0, 0, 1)],
    "the other pays": [holds(wish(0, 0, 1), wish(1, 1, 2)), pays(1, 1), moves(0, 0, 1)],
    "the other's time is over": [holds(wish(1, 1, 2, 3)), PAST_THE_END, holds(wish(0, 0, 1)), moves(0, 0, 1)],
    "the other's is not over": [holds(wish(1, 1, 2, 3)), BEFORE_THE_END, holds(wish(0, 0, 1)), moves(0, 0, 1)],
    "while it is paid": [holds(wish(0, 0, 1)), pays(0, 0), moves(0, 0, 1)],
    "once it is sold": [*buys(0, 0, 1), moves(0, 0, 1)],
    "when its time is over": [holds(wish(0, 0, 1, 2)), PAST_THE_END, moves(0, 0, 1)],
    "a moment before": [holds(wish(0, 0, 1, 2)), BEFORE_THE_END, moves(0, 0, 1)],
    "up to the other's limit": [*buys(0, 1, 0, 1), holds(wish(1, 0, 2, 3)), moves(1, 0, 1)],
    "beyond the other's limit": [*buys(0, 1, 0, 1), holds(wish(1, 0, 2, 3, 4)), moves(1, 0, 1)],
    "what came back counts no more": [*buys(0, 1, 0, 1), returns(0, 0), holds(wish(1, 0, 2, 3, 4)), moves(1, 0, 1)],
    "the other holds, and it would be beyond": [
        *buys(0, 1, 0, 1, 2),
        holds(wish(1, 1, 3), wish(2, 0, 4, 5)),
        moves(2, 0, 1),
    ],
    "paid, and the other holds": [holds(wish(0, 0, 1), wish(1, 1, 2)), pays(0, 0), moves(0, 0, 1)],
    "a stranger's, and the other holds": [holds(wish(0, 0, 1), wish(1, 1, 2)), moves(0, 2, 1)],
    "a stranger's that is paid": [holds(wish(0, 0, 1)), pays(0, 0), moves(0, 2, 1)],
    "only that one": [holds(wish(0, 0, 1), wish(1, 2, 2)), moves(0, 0, 1), releases(1, 2)],
    "only the fan's live one": [holds(wish(0, 0, 1)), releases(0, 0), holds(wish(1, 0, 2)), moves(1, 0, 1)],
}  # fmt: skip -- a line each where it fits

# Checkouts that are given up, and money that comes when they were.
LATE: Final[Mapping[str, Sequence[Step]]] = {
    "given up by the fan": [holds(wish(0, 0, 1, 2)), pays(0, 0), gives_up(0, change=HoldChange.RELEASE)],
    "given up, and its seats are another's": [*lapses(0, 0, 1, 2), holds(wish(1, 1, 2))],
    "given up twice, and unknown": [*lapses(0, 0, 1), gives_up(0, 5)],
    "what is held is not given up": [holds(wish(0, 0, 1)), gives_up(0)],
    "what is sold is not given up": [*buys(0, 0, 1), gives_up(0)],
    "one given up, the other kept": [holds(wish(0, 0, 1), wish(1, 1, 2)), pays(0, 0), pays(1, 1), gives_up(1)],
    "it buys the same seats": [*lapses(0, 0, 1, 2), again(0), holds(wish(1, 1, 2, 3))],
    "it buys them once": [*lapses(0, 0, 1, 2), again(0), again(0)],
    "not when one is held by another": [*lapses(0, 0, 1, 2), holds(wish(1, 1, 2)), again(0)],
    "not when one is sold": [*lapses(0, 0, 1, 2), *buys(1, 1, 2), again(0)],
    "not when one is blocked": [*lapses(0, 0, 1, 2), blocks([2]), again(0)],
    "when the other's time is over": [*lapses(0, 0, 1, 2), holds(wish(1, 1, 2, 3)), PAST_THE_END, again(0)],
    "not a moment before": [*lapses(0, 0, 1, 2), holds(wish(1, 1, 2, 3)), BEFORE_THE_END, again(0)],
    "not while the other pays": [*lapses(0, 0, 1, 2), holds(wish(1, 1, 2)), pays(1, 1), PAST_THE_END, again(0)],
    "nor what was released": [holds(wish(0, 0, 1)), releases(0, 0), again(0)],
    "nor what is held, or unknown": [holds(wish(0, 0, 1)), again(0), again(1)],
    "what expired without a checkout, too": [holds(wish(0, 0, 1)), PAST_THE_END, sweeps(0), again(0)],
    "beside what the fan holds by now": [*lapses(0, 0, 1, 2), holds(wish(1, 0, 3, 4)), again(0)],
    "not beyond the limit with it": [*lapses(0, 0, 1, 2), holds(wish(1, 0, 3, 4, 5)), again(0)],
    "when that time is over": [*lapses(0, 0, 1, 2), holds(wish(1, 0, 3, 4, 5)), PAST_THE_END, again(0)],
    "not beyond the limit with what was bought": [*lapses(0, 0, 1, 2), *buys(1, 0, 3, 4, 5), again(0)],
    "not beyond the limit with what is paid": [*lapses(0, 0, 1, 2), holds(wish(1, 0, 3, 4, 5)), pays(1, 0), again(0)],
    "beyond the limit, and taken": [*lapses(0, 0, 1, 2), *buys(1, 0, 2, 3, 4), again(0)],
    "then it comes back as others do": [*lapses(0, 0, 1, 2), again(0), returns(0, 1), returns(0, 2)],
}  # fmt: skip -- a line each where it fits

BLOCKING: Final[Mapping[str, Sequence[Step]]] = {
    "blocked seats are taken": [blocks([1, 2]), holds(wish(0, 0, 2, 3))],
    "blocked again stays so, beside what is new": [blocks([1]), blocks([1, 2])],
    "all of a request or none, each by itself": [holds(wish(0, 0, 1)), blocks([1, 2], [3])],
    "sold seats are taken": [*buys(0, 0, 1), blocks([1, 2])],
    "no such seat, and none of the others": [blocks([1, 7], [2], [-1])],
    "no such seat, and taken": [holds(wish(0, 0, 1)), blocks([1, 7])],
    "the last seat": [blocks([6])],
    "nothing": [blocks([], []), blocks()],
    "unblocked is what was blocked": [blocks([1]), holds(wish(0, 0, 2)), *buys(1, 1, 3), unblocks(1, 2, 3, 4)],
}

ENDS_NOW: Final = {"starts_at": CLOCK - timedelta(hours=2), "ends_at": CLOCK}
ON_SALE: Final[Mapping[str, Scenario]] = {
    "a draft": Scenario([holds(wish(0, 0, 1))], {"publication": Publication.DRAFT}),
    "cancelled": Scenario([holds(wish(0, 0, 1))], {"publication": Publication.CANCELLED}),
    "from the moment it is on sale": Scenario([holds(wish(0, 0, 1))], {"on_sale_at": CLOCK}),
    "not before its on-sale": Scenario([holds(wish(0, 0, 1))], {"on_sale_at": CLOCK + TICK}),
    "to the moment before its end": Scenario([holds(wish(0, 0, 1))], ENDS_NOW | {"ends_at": CLOCK + TICK}),
    "not at its end": Scenario([holds(wish(0, 0, 1))], ENDS_NOW),
    "one batch, one fan twice, off sale": Scenario([holds(wish(0, 0, 1), wish(1, 0, 2))], ENDS_NOW),
    "no seat, off sale": Scenario([holds(wish(0, 0))], ENDS_NOW),
}

PLAYS: Final = {"hold": HOLDING, "end": ENDING, "change": CHANGING, "move": MOVING, "late": LATE, "block": BLOCKING}
SCENARIOS: Final[Mapping[str, Scenario]] = MappingProxyType(
    {f"{group}: {name}": Scenario(steps) for group, plays in PLAYS.items() for name, steps in plays.items()}
    | {f"on sale: {name}": scenario for name, scenario in ON_SALE.items()}
)
