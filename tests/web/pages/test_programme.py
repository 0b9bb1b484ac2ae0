"""What the home page lists, and in which order."""

from datetime import timedelta

from tests.web.pages.listings import NOW, listing

from frontrow.core.catalogue import Category, CityId, Listing, ProductionId, Publication
from frontrow.web.pages.programme import Entry, Programme, arrange

SOON = NOW + timedelta(minutes=2)
LATER = NOW + timedelta(days=2)


def arranged(*listings: Listing) -> Programme:
    return arrange(listings, now=NOW)


def events(entries: tuple[Entry, ...]) -> list[list[int]]:
    return [[listing.event_id for listing in entry.listings] for entry in entries]


def test_the_next_on_sale_with_a_waiting_room_leads():
    quiet = listing(1, on_sale_at=SOON)
    awaited = listing(2, on_sale_at=LATER, waiting_room=True)
    after_it = listing(3, on_sale_at=LATER + timedelta(days=1), waiting_room=True)
    programme = arranged(quiet, awaited, after_it)
    assert programme.lead is awaited
    assert events(programme.soon) == [[1], [3]]  # the soonest on-sale first; what leads is not there again


def test_once_it_has_begun_it_still_leads_until_it_is_sold_out():
    old = listing(1, waiting_room=True, on_sale_at=NOW - timedelta(days=9))
    new = listing(2, waiting_room=True, on_sale_at=NOW - timedelta(seconds=1))
    assert arranged(old, new).lead is new
    assert arranged(listing(2, waiting_room=True, seats_left=0)).lead is None
    assert arranged(listing(2, waiting_room=True, publication=Publication.CANCELLED)).lead is None


def test_a_film_is_one_entry_however_often_it_runs():
    many = [
        listing(number, category=Category.FILM, production_id=ProductionId(7), starts_at=NOW + timedelta(hours=number))
        for number in range(1, 91)
    ]
    rare = listing(99, category=Category.FILM, production="Another")
    programme = arranged(*many, rare)
    assert [len(entry.listings) for entry in programme.films] == [90, 1]
    assert [len(entry.listings) for entry in arranged(rare, *many).films] == [1, 90]  # as they come: by popularity
    assert programme.week == ()


def test_a_production_that_is_on_this_week_brings_its_later_dates_along():
    this_week = listing(1, production_id=ProductionId(7))
    next_month = listing(2, production_id=ProductionId(7), starts_at=NOW + timedelta(days=30))
    only_later = listing(3, starts_at=NOW + timedelta(days=7))  # a week from now is no longer this week
    programme = arranged(this_week, next_month, only_later)
    assert events(programme.week) == [[1, 2]]
    assert events(programme.later) == [[3]]


def test_no_event_is_lost_and_none_is_there_twice():
    listings = [
        listing(1, on_sale_at=SOON, waiting_room=True),
        listing(2, on_sale_at=SOON),
        listing(3, category=Category.FILM),
        listing(4, category=Category.FILM, on_sale_at=SOON),
        listing(5, publication=Publication.CANCELLED),
        listing(6, seats_left=0),
        listing(7, starts_at=NOW + timedelta(days=99)),
        listing(8, starts_at=NOW - timedelta(minutes=5)),  # it has begun; latecomers want to know where
    ]
    programme = arranged(*listings)
    parts = (programme.soon, programme.week, programme.films, programme.later)
    placed = [event for part in parts for entry in events(part) for event in entry]
    assert programme.lead
    assert sorted([programme.lead.event_id, *placed]) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_days_are_those_of_the_city():
    late = NOW.replace(hour=22, minute=30)  # 23:30 in Berlin
    entry = Entry(
        (
            listing(1, starts_at=late),
            listing(2, starts_at=late + timedelta(hours=1)),  # 00:30, the next day
            listing(
                3, starts_at=late + timedelta(hours=1), city_id=CityId(2), city="London", time_zone="Europe/London"
            ),
        )
    )
    days = [[[showing.event_id for showing in day.listings] for day in city] for city in entry.by_city()]
    assert days == [[[1], [2]], [[3]]]
