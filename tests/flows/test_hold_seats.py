"""Holding seats on a real PostgreSQL: who wins, what is refused without asking, and what a retry is told."""

import asyncio
from math import inf
from random import Random

import asyncpg
import pytest
from tests.flows.shop import Process, away, claims, sell, violations
from tests.ledger.on_sale import fan_no, hold_no, wish
from tests.ledger.stage import age
from tests.postgres.small_season import SEATS, SmallSeason
from tests.postgres.watching import until, until_waiting

from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import Event
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.holds import Hold, HoldAnswer, HoldState, Known, Placed, Refusal, SeatsTaken
from frontrow.core.seats import SeatNo
from frontrow.flows.at_hand import FRESH_SECONDS_MAX
from frontrow.flows.hold_seats import CHOICES_MAX, Wish


def seats_of(answer: HoldAnswer) -> tuple[int, ...]:
    assert isinstance(answer, Placed | Known), answer
    return answer.hold.seats


class TestOneSeat:
    async def test_of_500_fans_one_wins_and_few_of_the_others_reach_the_ledger(
        self, database: Database, event: Event, here: Process, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("frontrow.flows.at_hand.FRESH_SECONDS_MAX", inf)  # however long this machine takes
        answers = await asyncio.gather(*(here.hold(event, wish(fan, fan, 0)) for fan in range(500)))
        assert [type(answer) for answer in answers].count(Placed) == 1
        assert answers.count(SeatsTaken((SeatNo(0),))) == 499
        assert len(here.ledger.asked) == 1  # one call, with one request in it
        assert len(here.ledger.asked[0]) == 1
        assert await claims(database, event) == {0: hold_no(0)}  # the first who came

    async def test_control_who_has_heard_nothing_for_long_asks_for_each(self, event: Event, here: Process):
        """The same 20 fans, with what refuses early switched off."""
        at_hand = await here.at_hand(event)
        for fan in range(20):
            at_hand.fresh_at -= 2 * FRESH_SECONDS_MAX
            answer = await here.hold(event, wish(fan, fan, 0))
            assert isinstance(answer, SeatsTaken if fan else Placed)
        assert len(here.ledger.asked) == 20

    async def test_what_another_process_took_is_refused_here_once_it_is_heard(
        self, event: Event, here: Process, elsewhere: Process
    ):
        await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 0))
        await here.events.look()
        assert await here.hold(event, wish(1, 1, 0, 1)) == SeatsTaken((SeatNo(0),))
        assert here.ledger.asked == []

    async def test_what_another_process_took_and_nobody_told_is_refused_by_the_ledger(
        self, event: Event, here: Process, elsewhere: Process
    ):
        at_hand = await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 0))
        assert await here.hold(event, wish(1, 1, 0)) == SeatsTaken((SeatNo(0),))
        assert len(here.ledger.asked) == 1
        # That batch changed nothing, so its number is the other one's, which has not been heard for that.
        assert at_hand.seats.update_no == 0
        await here.events.look()
        assert at_hand.seats.update_no == 1
        await here.hold(event, wish(2, 2, 0))
        assert len(here.ledger.asked) == 1

    async def test_a_seat_that_came_back_elsewhere_is_refused_for_less_than_a_second(
        self, event: Event, here: Process, elsewhere: Process
    ):
        """What was heard refuses for as long as it is fresh. After that the ledger is asked, whatever is known here."""
        await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 0))
        await here.events.look()
        await elsewhere.release(event, 0, 0)
        at_hand = await here.at_hand(event)
        fresh_until = at_hand.fresh_at + FRESH_SECONDS_MAX
        assert at_hand.surely_taken([SeatNo(0)], hold_no(1), now=fresh_until) == (0,)
        assert at_hand.surely_taken([SeatNo(0)], hold_no(1), now=fresh_until + 0.001) == ()
        assert FRESH_SECONDS_MAX < 1
        at_hand.fresh_at -= 2 * FRESH_SECONDS_MAX
        assert seats_of(await here.hold(event, wish(1, 1, 0))) == (0,)

    async def test_a_hold_past_its_time_stops_nobody(self, database: Database, event: Event, here: Process):
        """Nobody swept it, and this process heard of it when it was placed."""
        await here.hold(event, wish(0, 0, 0))
        await age(database.pool, event.event_id, event.hold_seconds)
        at_hand = await here.at_hand(event)
        assert await here.hold(event, wish(1, 1, 0)) == SeatsTaken((SeatNo(0),))  # by what was heard, it has time left
        at_hand.postgres_ahead += event.hold_seconds  # the same time goes by here
        assert seats_of(await here.hold(event, wish(2, 2, 0))) == (0,)

    async def test_what_is_not_even_a_seat_never_reaches_the_ledger(self, event: Event, here: Process):
        refused: list[tuple[list[int], Refusal]] = [
            ([], Refusal.NO_SEATS),
            ([0] * 11, Refusal.TOO_MANY_SEATS),  # before all else that is wrong with them
            ([SEATS], Refusal.UNKNOWN_SEAT),
            ([0, -1], Refusal.UNKNOWN_SEAT),
            ([2**40], Refusal.UNKNOWN_SEAT),
            ([2**400], Refusal.UNKNOWN_SEAT),
            ([1, 1], Refusal.SEAT_TWICE),
        ]
        for seats, refusal in refused:
            assert await here.hold(event, wish(0, 0, *seats)) is refusal
        assert here.ledger.asked == []


class TestRetries:
    async def test_the_same_request_gets_the_same_hold(self, event: Event, here: Process, elsewhere: Process):
        first = await here.hold(event, wish(0, 0, 0, 1))
        assert isinstance(first, Placed)
        for process in (here, elsewhere):
            assert await process.hold(event, wish(0, 0, 0, 1)) == Known(first.hold)

    async def test_also_while_the_first_is_under_way(self, database: Database, event: Event, here: Process):
        answers = await asyncio.gather(*(here.hold(event, wish(0, 0, 0, 1)) for _ in range(20)))
        assert [type(answer) for answer in answers].count(Placed) == 1
        assert {seats_of(answer) for answer in answers} == {(0, 1)}
        assert len(await claims(database, event)) == 2

    async def test_also_when_the_best_were_asked_for(self, database: Database, event: Event, here: Process):
        answers = await asyncio.gather(*(here.hold_best(event, 0, 0, Wish(2)) for _ in range(5)))
        assert len({seats_of(answer) for answer in answers}) == 1
        assert len(await claims(database, event)) == 2
        again = await here.hold_best(event, 0, 0, Wish(2))
        assert seats_of(again) == seats_of(answers[0])

    async def test_also_when_everything_else_is_sold_by_now(self, event: Event, here: Process):
        first = await here.hold_best(event, 0, 0, Wish(4))
        assert seats_of(await here.hold_best(event, 1, 1, Wish(3))) == (4, 5, 6)
        assert await here.hold_best(event, 2, 2, Wish(1)) == SeatsTaken(())
        assert seats_of(await here.hold_best(event, 0, 0, Wish(4))) == seats_of(first)

    async def test_an_answer_that_got_lost_is_asked_for_again(self, database: Database, event: Event, here: Process):
        here.ledger.answers_to_lose = 1
        answer = await here.hold(event, wish(0, 0, 0))
        assert seats_of(answer) == (0,)
        assert await claims(database, event) == {0: hold_no(0)}

    async def test_one_that_got_lost_twice_is_unknown_until_the_fan_asks_again(
        self, database: Database, event: Event, here: Process
    ):
        here.ledger.answers_to_lose = 2
        with pytest.raises(OutcomeUnknownError):
            await here.hold(event, wish(0, 0, 0))
        assert seats_of(await here.hold(event, wish(0, 0, 0))) == (0,)
        assert await claims(database, event) == {0: hold_no(0)}
        assert await violations(database) == []

    async def test_control_with_another_id_it_is_another_hold(self, event: Event, here: Process):
        here.ledger.answers_to_lose = 2
        with pytest.raises(OutcomeUnknownError):
            await here.hold(event, wish(0, 0, 0))
        await here.events.look()
        assert await here.hold(event, wish(1, 0, 0)) == SeatsTaken((SeatNo(0),))
        assert await here.hold(event, wish(1, 0, 1)) is Refusal.HOLD_EXISTS

    async def test_a_hold_that_ended_is_not_placed_anew(self, database: Database, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        await here.release(event, 0, 0)
        again = await here.hold(event, wish(0, 0, 0))
        assert isinstance(again, Known)
        assert again.hold.state is HoldState.RELEASED
        assert await claims(database, event) == {}

    async def test_the_id_of_somebody_elses_hold_is_theirs(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        assert await here.hold(event, wish(0, 1, 1)) is Refusal.FOREIGN


class TestBest:
    async def test_they_come_already_held(self, database: Database, event: Event, here: Process):
        assert seats_of(await here.hold_best(event, 0, 0, Wish(4))) == (0, 1, 2, 3)
        assert set(await claims(database, event)) == {0, 1, 2, 3}

    async def test_those_who_ask_at_once_get_different_ones(self, event: Event, here: Process):
        """No race in one process: what one is offered is pencilled in until the ledger has answered."""
        answers = await asyncio.gather(*(here.hold_best(event, fan, fan, Wish(1)) for fan in range(SEATS)))
        assert sorted(seat for answer in answers for seat in seats_of(answer)) == list(range(SEATS))
        assert all(not isinstance(answer, SeatsTaken) for answer in answers)
        assert len([request for batch in here.ledger.asked for request in batch]) == SEATS  # each at the first try

    async def test_who_loses_a_race_is_offered_the_next_best(self, event: Event, here: Process, elsewhere: Process):
        """Nothing was heard here of what the other process took: the ledger says no, and the next choice is another."""
        await here.at_hand(event)
        taken = seats_of(await elsewhere.hold_best(event, 0, 0, Wish(2)))
        chosen = seats_of(await here.hold_best(event, 1, 1, Wish(2)))
        assert set(taken).isdisjoint(chosen)
        assert len(here.ledger.asked) == 2

    async def test_whoever_loses_too_often_is_told_so(
        self, monkeypatch: pytest.MonkeyPatch, event: Event, here: Process, elsewhere: Process
    ):
        """Whatever is chosen here, somebody else has just taken it: they are as quick each time this process looks."""
        at_hand = await here.at_hand(event)
        look, quick = here.events.look, iter(range(1, SEATS))

        async def look_and_lose() -> None:
            await look()
            fan = next(quick)
            await elsewhere.hold_best(event, fan, fan, Wish(1))

        monkeypatch.setattr(here.events, "look", look_and_lose)
        await elsewhere.hold_best(event, 50, 50, Wish(1))
        assert await here.hold_best(event, 0, 0, Wish(1)) == SeatsTaken(())
        assert len(here.ledger.asked) == CHOICES_MAX
        await look()
        assert [seat for seat in range(SEATS) if seat in at_hand.seats.supply] == [6]  # and nothing stays pencilled in

    async def test_any_places_of_a_standing_area_will_do(self, event: Event, here: Process):
        at_hand = await here.at_hand(event)
        floor = at_hand.seat_map.section("Floor")
        first = seats_of(await here.hold_best(event, 0, 0, Wish(2, section=floor)))
        second = seats_of(await here.hold_best(event, 1, 1, Wish(1, section=floor)))
        assert sorted(first + second) == [4, 5, 6]
        assert await here.hold_best(event, 2, 2, Wish(1, section=floor)) == SeatsTaken(())

    async def test_up_to_a_price(self, event: Event, here: Process):
        assert seats_of(await here.hold_best(event, 0, 0, Wish(1, price_max=2_700))) <= (6,)
        assert await here.hold_best(event, 1, 1, Wish(1, price_max=2_699)) == SeatsTaken(())

    async def test_more_than_a_hold_may_have(self, event: Event, here: Process):
        for quantity in (5, 11, 2**31):
            assert await here.hold_best(event, 0, 0, Wish(quantity)) is Refusal.TOO_MANY_SEATS
        assert here.ledger.asked == []

    async def test_when_too_few_are_left(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0, 1, 2, 3))
        assert isinstance(await here.hold_best(event, 1, 1, Wish(4)), SeatsTaken)
        assert seats_of(await here.hold_best(event, 1, 1, Wish(3))) == (4, 5, 6)

    async def test_a_fans_limits_hold_for_the_best_too(self, event: Event, here: Process):
        await here.hold_best(event, 0, 0, Wish(2))
        assert await here.hold_best(event, 1, 0, Wish(2)) is Refusal.HOLD_EXISTS
        # What was chosen for the refused one is free again.
        assert seats_of(await here.hold_best(event, 2, 2, Wish(2))) == (2, 3)


class TestInstead:
    async def test_groups_that_are_free_at_that_moment(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        at_hand = await here.at_hand(event)
        groups = here.hold_seats.instead_of(at_hand, [SeatNo(0), SeatNo(1)], [SeatNo(0)])
        assert groups
        assert all(len(group) == 2 and 0 not in group for group in groups)

    async def test_what_the_ledger_says_is_taken_is_not_offered_although_nobody_told(
        self, event: Event, here: Process, elsewhere: Process
    ):
        at_hand = await here.at_hand(event)
        await elsewhere.hold(event, wish(0, 0, 1))
        assert await here.hold(event, wish(1, 1, 0, 1)) == SeatsTaken((SeatNo(1),))
        groups = here.hold_seats.instead_of(at_hand, [SeatNo(0), SeatNo(1)], [SeatNo(1)])
        assert groups
        assert all(1 not in group for group in groups)
        assert 1 in at_hand.seats.supply  # as far as this process has heard

    async def test_who_named_no_seats_is_offered_none(self, event: Event, here: Process):
        assert here.hold_seats.instead_of(await here.at_hand(event), [], []) == ()


class TestGivingBack:
    async def test_once_or_twice_is_the_same(self, database: Database, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        for _ in range(2):
            released = await here.release(event, 0, 0)
            assert isinstance(released, Hold)
            assert released.state is HoldState.RELEASED
        assert await claims(database, event) == {}
        assert seats_of(await here.hold(event, wish(1, 1, 0))) == (0,)  # heard at once

    async def test_also_at_the_same_time(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        answers = await asyncio.gather(*(here.release(event, 0, 0) for _ in range(10)))
        assert all(isinstance(answer, Hold) and answer.state is HoldState.RELEASED for answer in answers)

    async def test_by_a_stranger_changes_nothing(self, database: Database, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        assert await here.release(event, 0, 1) is Refusal.FOREIGN
        assert await here.release(event, 9, 0) is Refusal.UNKNOWN
        assert await claims(database, event) == {0: hold_no(0)}

    async def test_after_its_time_changes_nothing(self, database: Database, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        await age(database.pool, event.event_id, event.hold_seconds)
        ended = await here.release(event, 0, 0)
        assert isinstance(ended, Hold)
        assert ended.state is HoldState.EXPIRED

    async def test_what_is_being_paid_is_kept(self, database: Database, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        await here.ledger.begin_checkouts(event.event_id, [(hold_no(0), fan_no(0))], pay_seconds=60)
        kept = await here.release(event, 0, 0)
        assert isinstance(kept, Hold)
        assert kept.state is HoldState.CHECKOUT
        assert await claims(database, event) == {0: hold_no(0)}

    async def test_an_answer_that_got_lost_is_asked_for_again(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        here.ledger.answers_to_lose = 1
        released = await here.release(event, 0, 0)
        assert isinstance(released, Hold)
        assert released.state is HoldState.RELEASED

    async def test_only_its_own_fan_finds_it(self, event: Event, here: Process):
        await here.hold(event, wish(0, 0, 0))
        found = await here.hold_seats.find(hold_no(0), fan_no(0))
        assert found
        assert (found[0], found[1].seats) == (event.event_id, (0,))
        assert await here.hold_seats.find(hold_no(0), fan_no(1)) is None
        assert await here.hold_seats.find(hold_no(1), fan_no(0)) is None


class TestAway:
    async def test_nothing_is_held_while_postgres_is_away_and_everything_goes_on_after(
        self, database: Database, database_url: str, event: Event, here: Process
    ):
        at_hand = await here.at_hand(event)
        async with away(database_url):
            with pytest.raises((UnavailableError, OutcomeUnknownError)):
                await here.hold_seats.hold(at_hand, wish(0, 0, 0))
            with pytest.raises(UnavailableError):  # the broken connection is noticed by now
                await here.hold_seats.hold(at_hand, wish(0, 0, 0))
        assert await claims(database, event) == {}
        assert seats_of(await here.hold(event, wish(0, 0, 0))) == (0,)

    async def test_a_connection_that_breaks_while_it_waits_for_its_turn_is_no_ones_matter(
        self, database: Database, database_url: str, event: Event, here: Process
    ):
        """The server ends the connection in the middle of a batch: asked again, it gets the true answer."""
        at_hand = await here.at_hand(event)
        watcher = await asyncpg.connect(database_url)
        async with watcher.transaction():
            await watcher.execute("SELECT FROM lane WHERE event_id = $1 FOR UPDATE", event.event_id)
            holding = asyncio.create_task(here.hold_seats.hold(at_hand, wish(0, 0, 0)))
            await until_waiting(watcher, 1)
            await watcher.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            await until(lambda: _is(len(here.ledger.asked) == 2))
        await watcher.close()
        assert seats_of(await holding) == (0,)
        assert await claims(database, event) == {0: hold_no(0)}


async def _is(fact: bool) -> bool:  # noqa: FBT001 -- what `until` asks for
    return fact


class TestCrowds:
    @pytest.mark.parametrize("seed", range(4))
    async def test_two_processes_never_hold_a_seat_twice(
        self, database: Database, season: SmallSeason, here: Process, elsewhere: Process, seed: int
    ):
        """Fans of two events want seats and give some back, by way of either process, each asking up to three times."""
        events = [await sell(database, season), await sell(database, season)]
        random = Random(seed)  # noqa: S311 -- the same crowd each time
        held: list[HoldAnswer] = []

        async def fan(number: int) -> None:
            event, process = random.choice(events), random.choice([here, elsewhere])
            request = wish(number, number, *random.sample(range(SEATS), random.randint(1, 3)))
            held.extend([await process.hold(event, request) for _ in range(random.randint(1, 3))])
            if random.random() < 0.3:
                await random.choice([here, elsewhere]).release(event, number, number)

        await asyncio.gather(*(fan(number) for number in range(60)))
        assert any(isinstance(answer, Placed) for answer in held)
        assert any(isinstance(answer, SeatsTaken) for answer in held)
        assert await violations(database) == []
        for event in events:
            for process in (here, elsewhere):
                await process.events.look()
                at_hand = await process.at_hand(event)
                shown = {seat for seat, state in enumerate(at_hand.seats.states(0, SEATS)) if state != "available"}
                assert shown == set(await claims(database, event))
