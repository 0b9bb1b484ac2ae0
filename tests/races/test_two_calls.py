"""Each two calls that may meet at the ledger: with all guards nothing is lost; without some, it is seen what is.

The first call of a race is done but not committed when the second one comes; see meeting.py.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest
from tests.ledger.commands import SellHolds
from tests.ledger.on_sale import hold_no, wish
from tests.ledger.scenarios import blocks, holds, pays, releases, returns, sweeps
from tests.ledger.stage import HOLD_SECONDS
from tests.races.guards import GUARDS
from tests.races.meeting import Call, Meeting, in_words

LAST: Final = HOLD_SECONDS - 1  # the second before a hold of second 0 ends
END: Final = HOLD_SECONDS


class Race(NamedTuple):
    """Two calls, after others; what both are told, and which seats are not available then."""

    before: Sequence[Call]
    first: Call
    second: Call
    told: tuple[str, str]
    seats: Mapping[int, str]
    meanwhile: int | None = None  # the second it is when the first commits


HELD: Final = [Call(0, holds(wish(0, 0, 1)))]
IN_CHECKOUT: Final = [*HELD, Call(0, pays(0, 0))]
SOLD: Final = [*IN_CHECKOUT, Call(0, SellHolds([hold_no(0)]))]

RACES: Final[Mapping[str, Race]] = MappingProxyType(
    {
        "two fans, one seat": Race(
            [],
            Call(0, holds(wish(0, 0, 1, 2))),
            Call(0, holds(wish(1, 1, 2, 3))),
            ("placed", "seats-taken"),
            {1: "held", 2: "held"},
        ),
        "one fan, two holds": Race(
            [],
            Call(0, holds(wish(0, 0, 0, 1, 2))),
            Call(0, holds(wish(1, 0, 3, 4))),
            ("placed", "hold-exists"),
            {0: "held", 1: "held", 2: "held"},
        ),
        "one hold, asked for twice": Race(
            [],
            Call(0, holds(wish(0, 0, 1))),
            Call(0, holds(wish(0, 0, 1))),
            ("placed", "known held"),
            {1: "held"},
        ),
        "up to the limit, and one more": Race(
            [Call(0, holds(wish(0, 0, 0, 1, 2))), Call(0, pays(0, 0))],
            Call(0, SellHolds([hold_no(0)])),
            Call(0, holds(wish(1, 0, 3, 4))),
            ("sold", "limit-reached"),
            {0: "sold", 1: "sold", 2: "sold"},
        ),
        "paid for as it ends": Race(
            HELD,
            Call(LAST, pays(0, 0)),
            Call(END, sweeps(0)),
            ("checkout", "freed 0"),
            {1: "held"},
        ),
        "ended as it is paid for": Race(
            HELD,
            Call(END, sweeps(0)),
            Call(END, pays(0, 0)),
            ("freed 1", "expired"),
            {},
        ),
        "ended while its payer waits": Race(
            HELD,
            Call(LAST, holds(wish(1, 1, 2))),
            Call(LAST, pays(0, 0)),
            ("placed", "expired"),
            {2: "held"},
            END,
        ),
        "swept, then taken over": Race(
            HELD,
            Call(END, sweeps(0)),
            Call(END, holds(wish(1, 1, 1))),
            ("freed 1", "placed"),
            {1: "held"},
        ),
        "taken over, then swept": Race(
            HELD,
            Call(END, holds(wish(1, 1, 1))),
            Call(END, sweeps(0)),
            ("placed", "freed 0"),
            {1: "held"},
        ),
        "two sweepers": Race(
            HELD,
            Call(END, sweeps(0)),
            Call(END, sweeps(0)),
            ("freed 1", "freed 0"),
            {},
        ),
        "given back while it is paid for": Race(
            HELD,
            Call(0, pays(0, 0)),
            Call(0, releases(0, 0)),
            ("checkout", "checkout"),
            {1: "held"},
        ),
        "paid for while it is given back": Race(
            HELD,
            Call(0, releases(0, 0)),
            Call(0, pays(0, 0)),
            ("released", "released"),
            {},
        ),
        "given back as it is sold": Race(
            IN_CHECKOUT,
            Call(0, SellHolds([hold_no(0)])),
            Call(0, releases(0, 0)),
            ("sold", "sold"),
            {1: "sold"},
        ),
        "given back twice": Race(
            HELD,
            Call(0, releases(0, 0)),
            Call(0, releases(0, 0)),
            ("released", "released"),
            {},
        ),
        "sold twice": Race(
            IN_CHECKOUT,
            Call(0, SellHolds([hold_no(0)])),
            Call(0, SellHolds([hold_no(0)])),
            ("sold", "sold"),
            {1: "sold"},
        ),
        "returned twice": Race(
            SOLD,
            Call(0, returns(0, 1)),
            Call(0, returns(0, 1)),
            ("returned", "returned"),
            {},
        ),
        "wanted as it is returned": Race(
            SOLD,
            Call(0, returns(0, 1)),
            Call(0, holds(wish(1, 1, 1))),
            ("returned", "placed"),
            {1: "held"},
        ),
        "blocked as it is held": Race(
            [],
            Call(0, holds(wish(0, 0, 1))),
            Call(0, blocks([1])),
            ("placed", "seats-taken"),
            {1: "held"},
        ),
        "held as it is blocked": Race(
            [],
            Call(0, blocks([1])),
            Call(0, holds(wish(0, 0, 1))),
            ("blocked", "seats-taken"),
            {1: "blocked"},
        ),
    }
)  # fmt: skip -- a table


class Control(NamedTuple):
    """A race without some of the guards: what both are told then, and what becomes of the seats."""

    race: str
    without: tuple[str, ...]
    told: tuple[str, str]
    seats: Mapping[int, str]


# "fault": the call was undone, and so was everything else in its batch.
CONTROLS: Final = [
    Control("two fans, one seat", ("lane",), ("placed", "fault"), {1: "held", 2: "held"}),  # the key stops it
    Control("two fans, one seat", ("lane", "key"), ("placed", "placed"), {1: "held", 2: "held, held", 3: "held"}),
    Control("one fan, two holds", ("lane",), ("placed", "fault"), {0: "held", 1: "held", 2: "held"}),
    Control(  # five tickets, where four are the limit
        "one fan, two holds", ("lane", "one live hold"), ("placed", "placed"), dict.fromkeys(range(5), "held")
    ),
    Control("one hold, asked for twice", ("lane",), ("placed", "fault"), {1: "held"}),
    Control("paid for as it ends", ("lane",), ("checkout", "freed 1"), {}),  # who pays has no seat
    Control("ended while its payer waits", ("clock",), ("placed", "checkout"), {1: "held", 2: "held"}),
    Control("taken over, then swept", ("lane",), ("placed", "freed 0"), {1: "held"}),  # an ended hold is not live
    Control("taken over, then swept", ("lane", "live"), ("placed", "fault"), {1: "held"}),  # the count stops it
    Control("taken over, then swept", ("lane", "live", "count"), ("placed", "freed 0"), {1: "held"}),  # the fence
    Control("taken over, then swept", ("lane", "live", "fence"), ("placed", "freed 1"), {}),  # the next fan's seat
    Control("two sweepers", ("lane",), ("freed 1", "freed 0"), {}),
    Control("two sweepers", ("lane", "live"), ("freed 1", "fault"), {}),
    Control("given back while it is paid for", ("lane",), ("checkout", "released"), {}),  # who pays has no seat
    Control("given back as it is sold", ("lane", "releasable"), ("sold", "sold"), {1: "sold"}),
    Control("given back as it is sold", ("lane", "releasable", "live"), ("sold", "fault"), {1: "sold"}),
    Control("given back as it is sold", ("lane", "releasable", "live", "unsold"), ("sold", "fault"), {1: "sold"}),
    Control("given back as it is sold", ("lane", "releasable", "live", "unsold", "counts"), ("sold", "released"), {}),
    Control("blocked as it is held", ("lane",), ("placed", "blocked"), {1: "held"}),  # the organizer was told otherwise
    Control("held as it is blocked", ("lane",), ("blocked", "fault"), {1: "blocked"}),
]  # fmt: skip -- a table


@pytest.mark.parametrize("name", RACES)
async def test_nothing_is_lost(meeting: Meeting, name: str):
    race = RACES[name]
    assert (await _met(meeting, race), await meeting.states()) == (race.told, race.seats)
    assert await meeting.violations() == []


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: f"{control.race}, without {control.without}")
async def test_control_without(meeting: Meeting, control: Control):
    race = RACES[control.race]
    for guard in control.without:
        await GUARDS[guard].take_away(meeting.pool)
    assert (await _met(meeting, race), await meeting.states()) == (control.told, control.seats)


def test_every_guard_has_a_control():
    assert {guard for control in CONTROLS for guard in control.without} == set(GUARDS)


async def _met(meeting: Meeting, race: Race) -> tuple[str, ...]:
    await meeting.play(*race.before)
    return in_words(await meeting.meet(race.first, race.second, meanwhile=race.meanwhile))
