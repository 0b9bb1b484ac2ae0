"""Events at hand on a real PostgreSQL: what a process knows of events, how it hears more, and when it lets go."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs
from tests.flows.shop import Process, away, sell
from tests.ledger.on_sale import hold_no, wish
from tests.postgres.small_season import SEATS, SmallSeason
from tests.postgres.watching import until

from frontrow.adapters.postgres.catalogue import PostgresCatalogue
from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event, EventId, Publication
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import Placed
from frontrow.core.seats import SeatNo, SeatState
from frontrow.flows import at_hand as flow
from frontrow.flows.at_hand import EventsAtHand

EVERY_SEAT = tuple(map(SeatNo, range(SEATS)))


@asynccontextmanager
async def following(process: Process) -> AsyncGenerator[None]:
    """The journal is read as long as the block lasts, as in a process that serves."""
    task = asyncio.create_task(process.events.follow())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def change(database: Database, event: Event, what: str, value: object) -> None:
    await database.pool.execute(f"UPDATE event SET {what} = $2 WHERE event_id = $1", event.event_id, value)  # noqa: S608 -- a column, from a test


class TestLoading:
    async def test_what_is_known_then(self, event: Event, here: Process, elsewhere: Process):
        placed = await elsewhere.hold(event, wish(0, 0, 2, 3))
        assert isinstance(placed, Placed)
        assert here.events.known(event.event_id) is None
        at_hand = await here.at_hand(event)
        assert here.events.known(event.event_id) is at_hand
        assert at_hand.event == event
        assert at_hand.seats.update_no == 1
        assert [seat for seat, state in enumerate(at_hand.seats.states(0, SEATS)) if state is SeatState.HELD] == [2, 3]
        now = asyncio.get_running_loop().time()
        assert at_hand.surely_taken(EVERY_SEAT, hold_no(1), now=now) == (2, 3)
        assert at_hand.surely_taken(EVERY_SEAT, hold_no(0), now=now) == ()  # their own

    @pytest.mark.parametrize("publication", [Publication.DRAFT, None])
    async def test_what_the_public_does_not_know_is_not_there(
        self, database: Database, season: SmallSeason, here: Process, publication: Publication | None
    ):
        unknown = EventId(2**62)
        event_id = (await sell(database, season, publication=publication)).event_id if publication else unknown
        assert await here.events.get(event_id) is None

    async def test_a_crowd_that_comes_at_once_loads_once(
        self, monkeypatch: pytest.MonkeyPatch, database: Database, event: Event
    ):
        loads: list[EventId] = []

        class Watched(PostgresCatalogue):
            async def event(self, event_id: EventId) -> Event | None:
                loads.append(event_id)
                return await super().event(event_id)

        monkeypatch.setattr(database.catalogue, "__class__", Watched)
        events = EventsAtHand(database.catalogue, database.journal)
        found = await asyncio.gather(*(events.get(event.event_id) for _ in range(50)))
        assert len({id(at_hand) for at_hand in found}) == 1
        assert loads == [event.event_id]

    async def test_who_goes_away_while_it_loads_takes_nobody_along(self, event: Event, here: Process):
        gone = asyncio.create_task(here.events.get(event.event_id))
        stays = asyncio.create_task(here.events.get(event.event_id))
        await asyncio.sleep(0)
        gone.cancel()
        assert (await stays) is not None

    async def test_one_that_could_not_be_loaded_is_loaded_later(self, database_url: str, event: Event, here: Process):
        async with away(database_url):
            with pytest.raises(UnavailableError):
                await here.events.get(event.event_id)
        assert await here.events.get(event.event_id) is not None


class TestHearing:
    async def test_of_ones_own_batches_at_once(self, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        at_hand.fresh_at = 0
        await here.hold(event, wish(0, 0, 0))
        assert at_hand.seats.update_no == 1
        assert at_hand.fresh_at > 0  # and what was decided before it has been heard, too
        assert here.journal.reads == 0

    async def test_of_those_of_others_by_looking(self, event: Event, here: Process, elsewhere: Process):
        at_hand = await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 0))
        await elsewhere.hold(event, wish(1, 1, 1))
        await elsewhere.release(event, 0, 0)
        at_hand.fresh_at = 0
        await here.events.look()
        assert at_hand.seats.update_no == 3
        assert list(at_hand.seats.states(0, 2)) == [SeatState.AVAILABLE, SeatState.HELD]
        assert at_hand.fresh_at > 0

    async def test_a_batch_after_one_that_was_missed_is_not_taken_in(
        self, event: Event, here: Process, elsewhere: Process
    ):
        at_hand = await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 0))
        at_hand.fresh_at = 0
        await here.hold(event, wish(1, 1, 1))
        assert (at_hand.seats.update_no, at_hand.fresh_at) == (0, 0)
        await here.events.look()
        assert at_hand.seats.update_no == 2

    async def test_what_was_missed_is_looked_for_at_once(
        self, monkeypatch: pytest.MonkeyPatch, event: Event, here: Process, elsewhere: Process
    ):
        """Not only when it is time to look again, which here it never is."""
        monkeypatch.setattr(flow, "LOOK_SECONDS", 3600)
        at_hand = await here.at_hand(event)
        async with following(here):
            await until(lambda: _is(here.journal.reads == 1))
            await elsewhere.hold(event, wish(0, 0, 0))
            await here.hold(event, wish(1, 1, 1))
            await until(lambda: _is(at_hand.seats.update_no == 2))

    async def test_whoever_follows_hears_without_being_asked(self, event: Event, here: Process, elsewhere: Process):
        at_hand = await here.at_hand(event)
        async with following(here):
            await elsewhere.hold(event, wish(0, 0, 0))
            await until(lambda: _is(at_hand.seats.update_no == 1))

    async def test_more_than_fits_into_one_look_is_heard_by_looking_on(
        self, monkeypatch: pytest.MonkeyPatch, event: Event, here: Process, elsewhere: Process
    ):
        monkeypatch.setattr(flow, "UPDATES_MAX", 2)
        monkeypatch.setattr(flow, "LOOK_SECONDS", 3600)
        at_hand = await here.at_hand(event)
        for seat in range(SEATS):
            await elsewhere.hold(event, wish(seat, seat, seat))
        at_hand.fresh_at = 0
        await here.events.look()
        assert (at_hand.seats.update_no, at_hand.fresh_at) == (2, 0)  # not all was heard: it is not fresh yet
        async with following(here):
            await until(lambda: _is(at_hand.seats.update_no == SEATS))
            await until(lambda: _is(at_hand.fresh_at > 0))

    async def test_a_crowd_that_looks_at_once_reads_twice(self, event: Event, here: Process):
        """Those who come while one looks share the next look: what they want to hear may have come in between."""
        await here.at_hand(event)
        await asyncio.gather(*(here.events.look() for _ in range(100)))
        assert here.journal.reads == 2

    async def test_updates_that_do_not_follow_what_is_known_load_the_event_anew(
        self, database: Database, event: Event, here: Process, elsewhere: Process
    ):
        """As when old rows of the journal were taken away."""
        await here.at_hand(event)
        for seat in range(3):
            await elsewhere.hold(event, wish(seat, seat, seat))
        await database.pool.execute("DELETE FROM journal WHERE event_id = $1 AND update_no = 1", event.event_id)
        await here.events.look()
        assert here.events.known(event.event_id) is None
        assert (await here.at_hand(event)).seats.update_no == 3

    async def test_while_postgres_is_away_it_is_said_and_what_is_known_grows_old(
        self, monkeypatch: pytest.MonkeyPatch, database_url: str, event: Event, here: Process, elsewhere: Process
    ):
        monkeypatch.setattr(flow, "LOOK_SECONDS", 0.01)
        at_hand = await here.at_hand(event)
        with capture_logs() as lines:
            async with away(database_url):
                fresh_at = at_hand.fresh_at
                async with following(here):
                    await until(lambda: _is(len(lines) > 1))  # it goes on trying
                assert at_hand.fresh_at == fresh_at
        async with following(here):
            await elsewhere.hold(event, wish(0, 0, 0))
            await until(lambda: _is(at_hand.seats.update_no == 1))
        assert {line["event"] for line in lines} == {"journal.unread"}
        assert all(line["why"] for line in lines)

    async def test_whatever_breaks_once_is_looked_at_again(
        self, monkeypatch: pytest.MonkeyPatch, event: Event, here: Process, elsewhere: Process
    ):
        monkeypatch.setattr(flow, "LOOK_SECONDS", 0.01)
        at_hand = await here.at_hand(event)
        updates_after = here.journal.updates_after
        monkeypatch.setattr(here.journal, "updates_after", _broken)
        with capture_logs() as lines:
            async with following(here):
                await until(lambda: _is(bool(lines)))
                monkeypatch.setattr(here.journal, "updates_after", updates_after)
                await elsewhere.hold(event, wish(0, 0, 0))
                await until(lambda: _is(at_hand.seats.update_no == 1))
        assert (lines[0]["event"], lines[0]["log_level"]) == ("journal.unread", "error")


async def _broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError


class TestClock:
    async def test_postgres_reads_at_most_what_is_said_here(self, database: Database, event: Event, here: Process):
        """Known from the loading, and anew from each batch. Never less than it is: nobody is refused for too long."""
        loop = asyncio.get_running_loop()
        at_hand = await here.at_hand(event)
        for fan in range(3):
            reads: float = await database.pool.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8")
            assert reads <= at_hand.postgres_now(loop.time())
            await here.hold(event, wish(fan, fan, fan))


class TestTerms:
    async def test_they_are_read_again_when_they_are_old(self, database: Database, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        await change(database, event, "seats_per_hold_max", 2)
        await here.events.look()
        assert at_hand.event.seats_per_hold_max == 4  # read a moment ago
        at_hand.terms_at -= 2 * flow.TERMS_SECONDS_MAX
        await here.events.look()
        assert at_hand.event.seats_per_hold_max == 2

    async def test_an_event_that_is_withdrawn_is_not_there_any_more(
        self, database: Database, event: Event, here: Process
    ):
        at_hand = await here.at_hand(event)
        await change(database, event, "publication", "draft")
        at_hand.terms_at -= 2 * flow.TERMS_SECONDS_MAX
        await here.events.look()
        assert await here.events.get(event.event_id) is None

    async def test_other_prices_are_another_plan(self, database: Database, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        await database.pool.execute(
            "UPDATE price_level SET amount_minor = 9900 WHERE event_id = $1 AND level = 'B'", event.event_id
        )
        at_hand.terms_at -= 2 * flow.TERMS_SECONDS_MAX
        await here.events.look()
        anew = await here.at_hand(event)
        assert anew is not at_hand
        assert anew.seats.plan is not at_hand.seats.plan
        assert anew.seats.plan.price_of["B"] == 9900 + 200

    async def test_events_of_one_hall_and_price_share_a_plan(
        self, database: Database, season: SmallSeason, event: Event, here: Process
    ):
        other = await sell(database, season)
        assert (await here.at_hand(event)).seats.plan is (await here.at_hand(other)).seats.plan


class TestLettingGo:
    async def test_nobody_asked_for_a_while(self, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        at_hand.used_at -= flow.UNUSED_SECONDS_MAX / 2
        await here.events.look()
        assert here.events.known(event.event_id) is at_hand  # and that counts as asking
        at_hand.used_at -= 2 * flow.UNUSED_SECONDS_MAX
        await here.events.look()
        assert here.events.known(event.event_id) is None
        assert await here.events.get(event.event_id) is not None  # whoever asks again gets it

    async def test_too_many_are_asked_for(
        self, monkeypatch: pytest.MonkeyPatch, database: Database, season: SmallSeason, here: Process
    ):
        monkeypatch.setattr(flow, "EVENTS_MAX", 2)
        events = [await sell(database, season) for _ in range(3)]
        for event in events:
            await here.at_hand(event)
        await here.events.look()
        assert [here.events.known(event.event_id) is not None for event in events] == [False, True, True]

    async def test_a_look_that_is_under_way_is_no_matter(self, event: Event, here: Process):
        """Some look while others do and while events are let go: nothing of it meets what is no longer there."""
        for _ in range(5):
            at_hand = await here.at_hand(event)
            at_hand.used_at -= 2 * flow.UNUSED_SECONDS_MAX
            await asyncio.gather(here.events.look(), here.events.get(event.event_id), here.events.look())

    async def test_a_map_goes_with_its_last_event(self, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        at_hand.used_at -= 2 * flow.UNUSED_SECONDS_MAX
        await here.events.look()
        again = await here.at_hand(event)
        assert again.seat_map is not at_hand.seat_map
        assert again.seat_map == at_hand.seat_map


async def _is(fact: bool) -> bool:  # noqa: FBT001 -- what `until` asks for
    return fact
