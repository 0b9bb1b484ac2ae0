"""What is on in the demo, from many moments: all that it promises, at times when people go out."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.catalogue import Category
from frontrow.core.money import AMOUNT_MINOR_MAX
from frontrow.demo import places, productions
from frontrow.demo.places import Hall
from frontrow.demo.plans.arena import arena_in_the_round
from frontrow.demo.season import BIG_ON_SALE_IN, FILM_DAYS, SEASONS, Event, season

NOW: Final = datetime(2026, 11, 19, 4, 59, tzinfo=UTC)

# Moments at which a careless calendar goes wrong.
MOMENTS: Final = [
    NOW,
    datetime(2027, 3, 27, 23, 30, tzinfo=UTC),  # in Berlin it is tomorrow, and summer time begins tonight
    datetime(2027, 3, 28, 1, 0, tzinfo=UTC),  # the second in which it begins
    datetime(2027, 10, 31, 0, 30, tzinfo=UTC),  # the hour that London has twice
    datetime(2027, 10, 24, 12, 0, tzinfo=UTC),  # the change is inside the week of films
    datetime(2027, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2028, 2, 28, 23, 0, tzinfo=UTC),  # tomorrow is the 29th
]
every_moment = pytest.mark.parametrize("now", MOMENTS, ids=str)
moments = st.datetimes(datetime(2026, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 -- the zone is added


def test_same_moment_gives_the_same_season():
    assert season(NOW) == season(NOW)
    assert season(NOW) == season(NOW.astimezone(places.LISBON.zone))


@every_moment
def test_is_on_in_three_cities(now: datetime):
    assert {event.hall.venue.city for event in season(now)} == {places.BERLIN, places.LONDON, places.LISBON}


@every_moment
def test_every_cinema_has_films_for_a_week(now: datetime):
    for cinema in places.LUMENS:
        today = now.astimezone(cinema.city.zone).date()
        days = {_local(event).date() for event in _at(now, cinema.halls)}
        assert {today + timedelta(days=days) for days in range(1, FILM_DAYS + 1)} <= days
        for hall in cinema.halls:
            assert len({event.production for event in _at(now, [hall])}) >= 5, hall


@every_moment
def test_every_film_runs_in_every_city(now: datetime):
    films = {production for production in _productions() if production.category is Category.FILM}
    for cinema in places.LUMENS:
        assert {event.production for event in _at(now, cinema.halls)} == films


@every_moment
def test_two_tours_visit_every_city(now: datetime):
    for tour in (productions.TIDAL_ROOMS, productions.SECOND_SUMMER):
        dates = _of(now, tour)
        assert {event.hall.venue.city for event in dates} == {places.BERLIN, places.LONDON, places.LISBON}
        assert all(a.ends_at.date() < b.starts_at.date() for a, b in pairwise(dates))  # nobody plays twice a day


@every_moment
def test_one_match_in_the_stadium(now: datetime):
    (match,) = (event for event in season(now) if event.production.category is Category.SPORT)
    assert match.hall.venue is places.MERIDIAN_STADIUM


@every_moment
def test_one_event_is_to_be_sold_out_and_it_is_on_sale(now: datetime):
    (sold_out,) = (event for event in season(now) if event.sold_out)
    assert sold_out.on_sale_at < now


@every_moment
def test_one_big_on_sale_begins_in_two_minutes(now: datetime):
    (big,) = (event for event in season(now) if event.waiting_room)
    assert timedelta(minutes=2) == BIG_ON_SALE_IN
    assert big.on_sale_at == now + BIG_ON_SALE_IN
    assert big.plan is arena_in_the_round
    assert big.production.popularity == max(production.popularity for production in _productions())


@every_moment
def test_one_sale_is_announced_for_a_day_next_week(now: datetime):
    (announced,) = (event for event in season(now) if event.on_sale_at > now and not event.waiting_room)
    assert now + timedelta(days=5) < announced.on_sale_at < now + timedelta(days=7)


def test_everything_there_is_gets_a_date():
    events = season(NOW)
    assert {event.production for event in events} == set(_productions())
    assert {event.production.organizer for event in events} == set(SEASONS)
    assert {event.production.category for event in events} == set(Category)
    assert {event.hall.venue for event in events} == {
        venue for venue in vars(places).values() if isinstance(venue, places.Venue)
    }


@given(moments)
def test_nothing_is_over_and_every_sale_ends_after_it_begins(now: datetime):
    for event in season(now):
        assert event.starts_at > now
        assert event.on_sale_at < event.starts_at < event.ends_at


@given(moments)
def test_no_two_events_are_in_one_hall_at_once(now: datetime):
    events: dict[Hall, list[Event]] = defaultdict(list)
    for event in season(now):
        events[event.hall].append(event)
    for hall, one_after_another in events.items():
        assert all(a.ends_at < b.starts_at for a, b in pairwise(one_after_another)), hall


@given(moments)
def test_clock_on_the_wall_says_a_time_at_which_people_go_out(now: datetime):
    for event in season(now):
        assert time(11) <= _local(event).time() <= time(22, 45)
        assert _local(event).minute % 15 == 0
        assert event.starts_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("day", "utc_hour"),
    [
        (date(2027, 3, 27), 19),  # the evening before summer time
        (date(2027, 3, 28), 18),  # and the next: the same hour in Berlin, one earlier in UTC
        (date(2027, 10, 30), 18),  # the evening before it ends
        (date(2027, 10, 31), 19),
    ],
    ids=str,
)
def test_evening_film_begins_at_eight_whatever_the_season_of_the_clock(day: date, utc_hour: int):
    now = datetime.combine(day, time(3), UTC) - timedelta(days=2)
    (evening,) = (
        event
        for event in _at(now, places.LUMEN_BERLIN.halls[:1])
        if _local(event).date() == day and _local(event).time() == time(20)
    )
    assert evening.starts_at.hour == utc_hour


def test_prices_are_fit_to_print():
    for event in season(NOW):
        currency = event.hall.venue.city.currency
        levels = list(event.tariff.price_levels(currency))
        prices = [level.price.amount for level in levels]
        assert prices == sorted(set(prices), reverse=True)
        for level in levels:
            assert level.price.currency == level.fee.currency == currency
            assert level.price.amount % 50 == 0
            assert 0.05 < level.fee.amount / level.price.amount < 0.15
            assert level.all_in.amount < AMOUNT_MINOR_MAX


def test_levels_of_a_tariff_are_those_of_its_plan():
    tariffs = {(event.plan, event.tariff) for event in season(NOW)}
    maps = {plan: plan() for plan in {plan for plan, _ in tariffs}}
    for plan, tariff in tariffs:
        assert tuple(level.level for level in tariff.price_levels("EUR")) == maps[plan].price_levels


def test_mail_of_the_demo_reaches_nobody():
    assert all(organizer.email.endswith(".example") for organizer in SEASONS)


def _productions() -> Sequence[productions.Production]:
    return [thing for thing in vars(productions).values() if isinstance(thing, productions.Production)]


def _of(now: datetime, production: productions.Production) -> Sequence[Event]:
    return [event for event in season(now) if event.production is production]


def _at(now: datetime, halls: Sequence[Hall]) -> Sequence[Event]:
    return [event for event in season(now) if event.hall in halls]


def _local(event: Event) -> datetime:
    return event.starts_at.astimezone(event.hall.venue.city.zone)
