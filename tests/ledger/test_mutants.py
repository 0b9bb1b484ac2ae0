"""Every rule of the SQL is missed when it is gone: the scenarios tell each changed function from the core.

A changed function that PostgreSQL itself stops, by a key or a check of the tables, counts as told too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

import asyncpg
import pytest
from _pytest.mark import ParameterSet
from tests import servers
from tests.ledger import stage
from tests.ledger.on_sale import hold_no
from tests.ledger.rewriting import rewrite, rewritten
from tests.ledger.scenarios import CLOCK, SCENARIOS, Scenario, buys
from tests.ledger.stage import Theatre

from frontrow import sql
from frontrow.core.faults import UnavailableError


class Mutant(NamedTuple):
    """Other words in a function. An id for pytest comes of them."""

    function: str
    words: str
    others: str


MUTANTS: Final = [
    Mutant("hold_seats_v1", "claim.expires_at <= now_", "claim.expires_at < now_"),  # it ends at its time
    Mutant("hold_seats_v1", "claim.expires_at <= now_", "false"),  # … without a sweeper
    Mutant("hold_seats_v1", "live.expires_at <= now_", "live.expires_at < now_"),
    Mutant("hold_seats_v1", "live.expires_at <= now_", "false"),
    Mutant("hold_seats_v1", "live.state = 'held' AND live.expires_at", "live.expires_at"),  # sweeps checkout
    Mutant("hold_seats_v1", "event.on_sale_at <= now_", "event.on_sale_at < now_"),
    Mutant("hold_seats_v1", "now_ < event.ends_at", "now_ <= event.ends_at"),
    Mutant("hold_seats_v1", "event.publication = 'announced' AND ", ""),
    Mutant("hold_seats_v1", "event.hold_seconds *", "2 * event.hold_seconds *"),
    Mutant("hold_seats_v1", "BETWEEN 0 AND terms.seats - 1", "BETWEEN 0 AND terms.seats"),
    Mutant("hold_seats_v1", "BETWEEN 0 AND terms.seats - 1", "BETWEEN -1 AND terms.seats - 1"),
    Mutant("hold_seats_v1", "ORDER BY want.seat_no", "ORDER BY want.seat_no DESC"),
    Mutant("hold_seats_v1", "> terms.seats_per_hold_max", ">= terms.seats_per_hold_max"),
    Mutant("hold_seats_v1", "> terms.tickets_per_fan_max", ">= terms.tickets_per_fan_max"),
    Mutant("hold_seats_v1", "bought.tickets + wanted.tickets", "wanted.tickets"),
    Mutant("hold_seats_v1", "sum(hold.tickets)", "sum(cardinality(hold.seats))"),  # what came back counts no more
    Mutant("hold_seats_v1", "request > first_value(request)", "request < first_value(request)"),
    Mutant(
        "hold_seats_v1",
        "PARTITION BY given.hold_id ORDER BY given.request",
        "PARTITION BY given.hold_id ORDER BY -given.request",
    ),
    Mutant(
        "hold_seats_v1",
        "PARTITION BY given.fan_id ORDER BY given.request",
        "PARTITION BY given.fan_id ORDER BY -given.request",
    ),
    Mutant("hold_seats_v1", "'seats-taken' THEN taken", "'seats-taken' THEN seats"),
    Mutant("hold_seats_v1", "SELECT unnest(freed) EXCEPT SELECT unnest(won)", "SELECT unnest(freed)"),
    Mutant("hold_seats_v1", "cardinality(won) - cardinality(freed)", "cardinality(won)"),
    Mutant("hold_seats_v1", "freed := free_holds_v1(of_event, lapsed, 'expired')", "freed := freed"),
    Mutant("free_holds_v1", ", tickets = 0", ""),
    Mutant("write_update_v1", "cardinality(seats) = 0", "false"),  # a change of no seat takes no number
    Mutant("write_update_v1", "lane.update_no + 1", "lane.update_no + 2"),
    Mutant("expire_lapsed_v1", "hold.expires_at <= now_", "hold.expires_at < now_"),
    Mutant("expire_lapsed_v1", "hold.expires_at <= now_", "true"),
    Mutant("expire_lapsed_v1", "hold.state || '' = 'held' AND ", ""),
    Mutant("release_holds_v1", "USING (hold_id, fan_id)", "USING (hold_id)"),  # a stranger's
    Mutant("release_holds_v1", "hold.state || '' = 'held' AND ", ""),
    Mutant("release_holds_v1", "hold.expires_at > now_", "false"),
    Mutant("answer_holds_v1", "hold.fan_id <> given.fan_id", "false"),
    Mutant("expire_holds_v1", "expire_lapsed_v1(of_event, hold_ids, now_)", "'{}'"),
    Mutant("expire_holds_v1", "-cardinality(freed)", "0"),
    Mutant("begin_checkouts_v1", "expire_lapsed_v1(of_event, hold_ids, now_)", "'{}'"),
    Mutant("begin_checkouts_v1", "greatest(", "least("),
    Mutant("begin_checkouts_v1", "greatest(hold.expires_at, ", "greatest("),
    Mutant("begin_checkouts_v1", "AND hold.fan_id = given.fan_id", ""),
    Mutant("begin_checkouts_v1", "AND hold.state || '' = 'held'", "AND hold.state IN ('held', 'checkout')"),
    Mutant("begin_checkouts_v1", "SET expires_at = 'infinity'", "SET expires_at = claim.expires_at"),
    Mutant("move_hold_v1", "expire_lapsed_v1(of_event, theirs || of_hold, now_)", "'{}'"),
    Mutant("move_hold_v1", "theirs || of_hold", "ARRAY[of_hold]"),  # the other's time is over as well
    Mutant("move_hold_v1", "theirs || of_hold", "theirs"),
    Mutant("move_hold_v1", "THEN 'unknown'", "THEN 'foreign'"),
    Mutant("move_hold_v1", "WHEN hold.fan_id = to_fan                    THEN hold.state", ""),  # moved before
    Mutant("move_hold_v1", "WHEN hold.fan_id <> from_fan                 THEN 'foreign'", ""),  # a stranger's
    Mutant("move_hold_v1", "WHEN hold.state <> 'held'                    THEN hold.state", ""),
    Mutant("move_hold_v1", "WHEN live.hold_id IS NOT NULL                THEN 'hold-exists'", ""),
    Mutant("move_hold_v1", "+ hold.tickets > event", "+ hold.tickets >= event"),
    Mutant("move_hold_v1", "bought.tickets + hold.tickets >", "hold.tickets >"),
    Mutant("move_hold_v1", "sum(other.tickets)", "sum(cardinality(other.seats))"),  # what came back counts no more
    Mutant("move_hold_v1", "other.state IN ('held', 'checkout')", "other.state = 'held'"),
    Mutant("move_hold_v1", "WHERE hold.hold_id = of_hold AND hold.event_id", "WHERE hold.event_id"),  # all others too
    Mutant("move_hold_v1", " AND moving.answer = 'held'", ""),
    Mutant("move_hold_v1", "NULL, -cardinality(freed), 0, 0", "NULL, 0, 0, 0"),
    Mutant("sell_holds_v1", "hold.state || '' = 'checkout'", "hold.state IN ('held', 'checkout')"),
    Mutant("sell_holds_v1", "hold.state || '' = 'checkout'", "hold.state IN ('checkout', 'sold')"),
    Mutant("sell_holds_v1", "hold.hold_id = ANY (hold_ids) AND ", ""),
    Mutant("return_seats_v1", "AND claim.state = 'sold'", ""),
    Mutant("return_seats_v1", "AND claim.hold_id = hold_ids[given.request] ", ""),
    Mutant("return_seats_v1", "AND NOT given.request = ANY (coalesce(wrong, '{}'))", ""),
    Mutant("return_seats_v1", "WHEN hold.tickets = counted.seats THEN 'returned'", "WHEN true THEN 'returned'"),
    Mutant("return_seats_v1", "WHEN hold.tickets = counted.seats THEN 'returned'", "WHEN false THEN 'returned'"),
    Mutant("return_seats_v1", "hold.tickets - counted.seats", "hold.tickets - 1"),
    Mutant("return_seats_v1", " AND answer <> 'unknown'", ""),
    Mutant("block_seats_v1", "claim.expires_at <= now_", "claim.expires_at < now_"),
    Mutant("block_seats_v1", "BETWEEN 0 AND seats_ - 1", "BETWEEN 0 AND seats_"),
    Mutant("block_seats_v1", "NOT seat_unknown AND taken IS NULL AND", "taken IS NULL AND"),
    Mutant("block_seats_v1", "NOT seat_unknown AND taken IS NULL AND", "NOT seat_unknown AND"),
    Mutant("block_seats_v1", "FILTER (WHERE claim.state <> 'blocked')", "FILTER (WHERE claim.state IS NOT NULL)"),
    Mutant("block_seats_v1", "FILTER (WHERE claim.state <> 'blocked')", "FILTER (WHERE claim.state = 'held')"),
    Mutant("block_seats_v1", "NULL, -cardinality(freed), 0, cardinality(newly)", "NULL, 0, 0, cardinality(newly)"),
    Mutant("unblock_seats_v1", "AND claim.state = 'blocked'", ""),
    Mutant("end_checkouts_v1", "hold.state || '' = 'checkout'", "hold.state IN ('held', 'checkout')"),
    Mutant("end_checkouts_v1", "hold.hold_id = ANY (hold_ids) AND ", ""),
    Mutant("end_checkouts_v1", ", outcome)", ", 'expired')"),
    Mutant("end_checkouts_v1", "NULL, -cardinality(freed), 0, 0", "NULL, 0, 0, 0"),
    Mutant("sell_again_v1", "claim.expires_at <= now_", "claim.expires_at < now_"),
    Mutant("sell_again_v1", "claim.expires_at <= now_", "false"),
    Mutant("sell_again_v1", "hold.expires_at <= now_", "false"),  # the fan's own, elsewhere
    Mutant("sell_again_v1", "WHEN late.state <> 'expired'    THEN late.state", ""),
    Mutant("sell_again_v1", "theirs.tickets + cardinality(late.seats) >", "cardinality(late.seats) >"),
    Mutant("sell_again_v1", "cardinality(late.seats) > event", "cardinality(late.seats) >= event"),
    Mutant("sell_again_v1", "hold.state IN ('held', 'checkout')", "hold.state = 'checkout'"),
    Mutant("sell_again_v1", "hold.state IN ('held', 'checkout')", "hold.state = 'held'"),
    Mutant("sell_again_v1", "AND hold.state = 'sold'), 0)", "AND false), 0)"),
    Mutant("sell_again_v1", "WHEN cardinality(taken) > 0     THEN 'seats-taken'", ""),
    Mutant("sell_again_v1", "SELECT unnest(freed) EXCEPT SELECT unnest(sold)", "SELECT unnest(freed)"),
    Mutant("sell_again_v1", "-cardinality(freed), cardinality(sold)", "0, cardinality(sold)"),
    Mutant("sell_again_v1", ", tickets = cardinality(hold.seats)", ""),
]  # fmt: skip -- a table

# The answers of hold_seats_v1 in their order. Each is missed when it is gone, and each two neighbours when they change
# places, but for these two: a request for no seats is not one for too many.
CASES: Final = re.compile(r"^ {19}WHEN .+? +THEN .+\n", re.MULTILINE)
CANNOT_MEET: Final = "no-seats", "too-many-seats"


def _cases() -> Sequence[str]:
    schema = (sql.FOLDER / "schema/3_ledger_functions.sql").read_text("utf-8")
    _, _, after = schema.partition("CREATE FUNCTION hold_seats_v1(")
    return CASES.findall(after.partition("$$;")[0])


def _without_a_case() -> Iterator[Mutant]:
    for case in _cases():
        yield Mutant("hold_seats_v1", case, "")


def _with_two_swapped() -> Iterator[Mutant]:
    for first, second in pairwise(_cases()):
        if not (CANNOT_MEET[0] in first and CANNOT_MEET[1] in second):
            yield Mutant("hold_seats_v1", first + second, second + first)


def _in_short(mutant: Mutant) -> str:
    return re.sub(r"\s+", " ", f"{mutant.function}: {mutant.words} -> {mutant.others}")


@pytest.fixture(scope="module")
def theatre(databases: servers.Databases) -> Iterator[Theatre]:
    """With a clock that stands still."""
    with stage.opened(databases) as theatre:
        still = {"clock_timestamp()": f"timestamptz '{CLOCK.isoformat()}'"}
        theatre.loop.run(rewrite(theatre.pool, "take_lane_v1", still))
        yield theatre


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_functions_and_the_core_agree(theatre: Theatre, name: str):
    scenario = SCENARIOS[name]
    theatre.play(theatre.stage(**scenario.terms), scenario.steps)
    assert theatre.violations() == []


def test_the_cases_are_found():
    assert len(_cases()) == 13


def _in_turn(mutants: Iterable[Mutant]) -> Iterator[ParameterSet]:
    """The first of each function with every run, all others with the slow ones."""
    met: set[str] = set()
    for mutant in mutants:
        yield pytest.param(mutant, marks=[pytest.mark.slow] if mutant.function in met else [], id=_in_short(mutant))
        met.add(mutant.function)


@pytest.mark.parametrize("mutant", list(_in_turn([*MUTANTS, *_without_a_case(), *_with_two_swapped()])))
def test_a_changed_function_is_told_from_the_core(theatre: Theatre, mutant: Mutant):
    assert theatre.loop.run(_first_to_tell(theatre, mutant)) is not None


# A rule that no command gets at, since whoever calls the function asks for live holds alone. It is tried by itself.
ONLY_LIVE: Final = {"AND hold.state || '' IN ('held', 'checkout')": ""}


def test_what_was_sold_is_not_freed_whoever_asks(theatre: Theatre):
    assert theatre.loop.run(_freed_of_sold(theatre)) == []


def test_control_without_the_rule_it_stops(theatre: Theatre):
    with pytest.raises(asyncpg.RaiseError, match="holds of 1 seats had claims on 0"):
        theatre.loop.run(_freed_of_sold(theatre, ONLY_LIVE))


async def _freed_of_sold(theatre: Theatre, changes: Mapping[str, str] = MappingProxyType({})) -> object:
    stage = await theatre.staged()
    await stage.play(buys(0, 0, 1))
    async with rewritten(theatre.pool, "free_holds_v1", changes):
        return await theatre.pool.fetchval(
            "SELECT free_holds_v1($1, $2, 'released')", stage.event.event_id, [hold_no(0)]
        )


async def _first_to_tell(theatre: Theatre, mutant: Mutant) -> str | None:
    """The scenario that tells it. None: it lives."""
    async with rewritten(theatre.pool, mutant.function, {mutant.words: mutant.others}):
        for name in sorted(SCENARIOS, key=lambda name: not _asks(SCENARIOS[name], mutant.function)):
            if await _tells(theatre, SCENARIOS[name]):
                return name
    return None


def _asks(scenario: Scenario, function: str) -> bool:
    """Whether a step is the command of this function (MoveHold, of move_hold_v1): such scenarios tell it soonest."""
    command = function.removesuffix("_v1").replace("_", "")
    return any(type(step).__name__.lower() == command for step in scenario.steps)


async def _tells(theatre: Theatre, scenario: Scenario) -> bool:
    stage = await theatre.staged(**scenario.terms)
    try:
        await stage.play(scenario.steps)
    except (AssertionError, UnavailableError):
        return True
    return False
