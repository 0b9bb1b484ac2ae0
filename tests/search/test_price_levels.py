"""The lowest price is that of a seat that is left: it follows what is held, sold, blocked and given back."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.postgres.small_season import NOW, SEATS, SmallSeason, map_document
from tests.search.conftest import follower

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import EventId
from frontrow.core.live_seats import ClaimsSeen
from frontrow.core.price_levels import LevelsLeft, SeatLevels
from frontrow.core.search import Position, Sort, Wish
from frontrow.core.seat_maps import SeatMap, canonical, read
from frontrow.core.seats import SeatNo
from frontrow.core.updates import Update
from frontrow.flows.follow_price_levels import UPDATES_MAX
from frontrow.flows.search import Search

STALLS = [SeatNo(seat) for seat in range(4)]  # of level A, for 48.00
FLOOR = [SeatNo(seat) for seat in range(4, 7)]  # of level B, for 27.00


def seat_map() -> SeatMap:
    found = read(canonical(map_document()))
    assert isinstance(found, SeatMap)
    return found


class TestFolding:
    CHANGES = st.lists(st.dictionaries(st.integers(0, SEATS - 1), st.sampled_from("ahsb"), min_size=1), max_size=12)

    @given(CHANGES, st.sets(st.integers(0, SEATS - 1)))
    def test_what_is_left_is_what_nobody_has(self, changes: Sequence[dict[int, str]], claimed: set[int]):
        left = LevelsLeft(SeatLevels(seat_map()), self.seen(claimed))
        states = dict.fromkeys(range(SEATS), "a") | dict.fromkeys(claimed, "s")
        for number, change in enumerate(changes, start=1):
            assert left.fold(self.update(number, change))
            states |= change
        free = {seat for seat, state in states.items() if state == "a"}
        gone = [level for level, seats in (("A", STALLS), ("B", FLOOR)) if not free.intersection(seats)]
        assert list(left.gone) == gone

    def test_what_was_heard_before_changes_nothing(self):
        left = LevelsLeft(SeatLevels(seat_map()), self.seen(set()))
        assert left.fold(self.update(1, dict.fromkeys(FLOOR, "h")))
        assert left.fold(self.update(1, dict.fromkeys(STALLS, "h")))
        assert left.gone == ["B"]

    def test_a_gap_is_noticed(self):
        left = LevelsLeft(SeatLevels(seat_map()), self.seen(set()))
        assert not left.fold(self.update(2, dict.fromkeys(FLOOR, "h")))
        assert left.gone == []

    @staticmethod
    def seen(claimed: set[int]) -> ClaimsSeen:
        seats = sorted(claimed)
        return ClaimsSeen(0, 0.0, seats, "s" * len(seats), bytes(8 * len(seats)), [0.0] * len(seats))

    @staticmethod
    def update(number: int, change: dict[int, str]) -> Update:
        seats = tuple(SeatNo(seat) for seat in change)
        return Update(number, NOW, seats, "".join(change.values()), bytes(8 * len(seats)), None)


@pytest.fixture
async def on_sale(database: Database, small: SmallSeason) -> EventId:
    """The small season's event, on sale by PostgreSQL's clock."""
    await database.pool.execute("""
        UPDATE event SET on_sale_at = now() - interval '1 day', starts_at = now() + interval '1 day',
                         ends_at = now() + interval '2 days', seats_per_hold_max = 10, tickets_per_fan_max = 10
    """)
    return small.event.event_id


async def hold(database: Database, event_id: EventId, seats: Sequence[SeatNo]) -> tuple[UUID, UUID]:
    hold_id, fan_id = uuid4(), uuid4()
    rows = await database.pool.fetch(
        "SELECT answer FROM hold_seats_v1($1, $2, $3, $4, $5)", event_id, [hold_id], [fan_id], [1] * len(seats), seats
    )
    assert rows[1]["answer"] == "placed"
    return hold_id, fan_id


async def price(database: Database, event_id: EventId) -> int:
    """As lists and searches have it; they are never of two minds."""
    listing = await database.catalogue.listing(event_id)
    assert listing is not None
    assert await database.pool.fetchval("SELECT price_minor FROM search_event") == listing.price_from.amount
    return listing.price_from.amount


async def test_it_rises_with_the_last_cheap_seat_and_falls_with_the_first_that_comes_back(
    database: Database, on_sale: EventId
):
    follow = follower(database)
    await follow.look(at_all=True)
    assert await price(database, on_sale) == 2_700
    hold_id, fan_id = await hold(database, on_sale, FLOOR)
    await follow.look()
    assert await price(database, on_sale) == 4_800
    await database.pool.fetch("SELECT * FROM release_holds_v1($1, $2, $3)", on_sale, [hold_id], [fan_id])
    await follow.look()
    assert await price(database, on_sale) == 2_700


async def test_of_what_is_sold_out_the_lowest_price_there_was_is_shown(database: Database, on_sale: EventId):
    await hold(database, on_sale, [*STALLS, *FLOOR])
    await follower(database).look(at_all=True)
    assert await price(database, on_sale) == 2_700


async def test_another_follower_goes_on_where_the_last_one_stopped(database: Database, on_sale: EventId):
    await hold(database, on_sale, STALLS)
    await follower(database).look(at_all=True)
    await hold(database, on_sale, FLOOR[:2])
    await hold(database, on_sale, FLOOR[2:])
    await follower(database).look(at_all=True)
    noted = await database.pool.fetchrow("SELECT update_no, levels FROM levels_gone")
    assert noted is not None
    assert (noted["update_no"], sorted(noted["levels"])) == (3, ["A", "B"])


async def test_an_older_note_changes_nothing(database: Database, on_sale: EventId):
    await hold(database, on_sale, FLOOR)
    await hold(database, on_sale, STALLS[:1])
    await follower(database).look(at_all=True)
    await database.pool.fetch("SELECT note_levels_gone_v1($1, 1, '{A}')", on_sale)
    assert await database.pool.fetchval("SELECT levels FROM levels_gone") == ["B"]
    assert await price(database, on_sale) == 4_800


async def test_prices_that_an_organizer_changes_keep_what_is_gone(database: Database, on_sale: EventId):
    await hold(database, on_sale, FLOOR)
    await follower(database).look(at_all=True)
    await database.pool.execute("UPDATE price_level SET amount_minor = amount_minor + 1000")
    assert await price(database, on_sale) == 5_800


async def test_a_draft_is_followed_for_the_day_it_is_published(database: Database, on_sale: EventId):
    await database.pool.fetch("SELECT * FROM block_seats_v1($1, 1, '{1,1,1}', $2)", on_sale, FLOOR)
    await database.pool.execute("UPDATE event SET publication = 'draft'")
    await follower(database).look(at_all=True)
    await database.pool.execute("UPDATE event SET publication = 'announced'")
    assert await price(database, on_sale) == 4_800


async def test_many_updates_at_once_are_all_followed(database: Database, on_sale: EventId):
    follow = follower(database)
    await follow.look(at_all=True)
    for _ in range(UPDATES_MAX // 100):
        hold_id, fan_id = await hold(database, on_sale, FLOOR)
        await database.pool.fetch("SELECT * FROM release_holds_v1($1, $2, $3)", on_sale, [hold_id], [fan_id])
    await hold(database, on_sale, FLOOR)
    await follow.look()
    assert await price(database, on_sale) == 4_800


async def test_seats_left_are_those_of_this_moment(database: Database, small_search: Search, on_sale: EventId):
    """Nobody need follow for that."""

    async def left(*, with_seats: bool) -> list[int]:
        now = NOW.replace(year=2020)
        page = await small_search.find(
            Wish(with_seats=with_seats), sort=Sort.DATE, after=Position.first(now), limit=5, counted=False
        )
        return [found.listing.seats_left for found in page.found]

    assert await left(with_seats=True) == [SEATS]
    await hold(database, on_sale, STALLS)
    assert await left(with_seats=True) == [3]
    await hold(database, on_sale, FLOOR)
    assert await left(with_seats=True) == []
    assert await left(with_seats=False) == [0]


async def test_the_audit_agrees_and_tells_what_is_wrong(database: Database, on_sale: EventId):
    await hold(database, on_sale, FLOOR)
    await follower(database).look(at_all=True)
    wrong = "SELECT * FROM inv_levels_gone_wrong"
    assert await database.pool.fetch(wrong) == []
    await database.pool.execute("UPDATE levels_gone SET levels = '{A}'")
    assert {row["level"] for row in await database.pool.fetch(wrong)} == {"A", "B"}
    await database.pool.execute("UPDATE levels_gone SET update_no = 0")  # nobody says that this is how it is now
    assert await database.pool.fetch(wrong) == []


@pytest.mark.slow
async def test_an_event_that_nobody_can_change_holds_up_no_other(
    database: Database, database_url: str, on_sale: EventId
):
    """Its organizer has it open: it is noted with the next look."""
    organizer = await asyncpg.connect(database_url)
    await organizer.execute("BEGIN; SELECT FROM event FOR UPDATE")
    await hold(database, on_sale, FLOOR)
    follow = follower(database)
    await follow.look(at_all=True)
    assert await database.pool.fetchval("SELECT count(*) FROM levels_gone") == 0
    await organizer.execute("COMMIT")
    await organizer.close()
    await follow.look()
    assert await price(database, on_sale) == 4_800


def test_what_was_seen_lately_covers_every_open_transaction():
    """The look back in events_changed_lately against the limits of a session that commits late."""
    from frontrow.adapters.postgres.pool import SESSION  # noqa: PLC0415 -- only here

    limits = (SESSION["statement_timeout"], SESSION["idle_in_transaction_session_timeout"])
    assert sum(timedelta(seconds=int(limit.removesuffix("s"))).seconds for limit in limits) < 12
