"""How times, money and statuses are written for people."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.web.pages.listings import NOW, listing

from frontrow.core.catalogue import Category, EventStatus
from frontrow.core.money import Money
from frontrow.web.pages import words

BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("when", "time_zone", "said"),
    [
        (datetime(2026, 11, 19, 22, 30, tzinfo=UTC), BERLIN, "today"),
        (datetime(2026, 11, 19, 23, 30, tzinfo=UTC), BERLIN, "tomorrow"),  # past midnight, there
        (datetime(2026, 11, 19, 23, 30, tzinfo=UTC), "Europe/London", "today"),
        (datetime(2026, 11, 21, 19, 0, tzinfo=UTC), BERLIN, "Sat 21 Nov"),
        (datetime(2027, 1, 5, 19, 0, tzinfo=UTC), BERLIN, "Tue 5 Jan 2027"),
        (datetime(2026, 12, 31, 23, 30, tzinfo=UTC), BERLIN, "Fri 1 Jan 2027"),  # the year begins there first
    ],
)
def test_a_day_is_that_of_the_venue(when: datetime, time_zone: str, said: str):
    assert words.day(when, time_zone, NOW) == said


@pytest.mark.parametrize(
    ("month", "time_zone", "said"),
    [
        (1, BERLIN, "20:00 CET"),
        (7, BERLIN, "21:00 CEST"),
        (1, "America/Sao_Paulo", "16:00 UTC-03"),  # has no letters of its own
        (1, "Atlantis/Poseidonis", "19:00 UTC"),  # unknown here: the page stays up, and says which time it means
        (1, "../../etc/passwd", "19:00 UTC"),
        (1, "Europe", "19:00 UTC"),  # a folder
    ],
)
def test_an_hour_is_that_of_the_venue(month: int, time_zone: str, said: str):
    when = datetime(2027, month, 5, 19, 0, tzinfo=UTC)
    assert f"{words.hour(when, time_zone)} {words.zone_name(when, time_zone)}" == said


@pytest.mark.parametrize(
    ("amount", "currency", "said"),
    [
        (4800, "EUR", "€48"),
        (4850, "GBP", "£48.50"),
        (4805, "USD", "$48.05"),
        (123456789, "EUR", "€1,234,567.89"),
        (4800, "CHF", "CHF 48"),
        (4800, "JPY", "JPY 4,800"),  # has no cents
        (4800, "KWD", "KWD 4.800"),  # has thousandths
        (0, "EUR", "free"),
    ],
)
def test_money(amount: int, currency: str, said: str):
    assert words.money(Money(amount, currency)) == said


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        ([Money(4800, "EUR"), Money(3900, "EUR")], "from €39"),
        ([Money(4800, "EUR"), Money(3900, "GBP")], "from €48 or £39"),  # nobody adds them up
        ([Money(0, "EUR")], "free"),
    ],
)
def test_the_lowest_price_of_many_dates(prices: list[Money], said: str):
    assert words.price_from(listing(price_from=price) for price in prices) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (103, "1 min 43 s"),
        (59.9, "0 min 59 s"),
        (0, "0 min 0 s"),
        (-5, "0 min 0 s"),  # the page was drawn on the stroke
        (7500, "2 h 5 min"),
        (90_000, "1 day 1 h"),
        (3 * 86_400, "3 days 0 h"),
    ],
)
def test_time_left(seconds: float, said: str):
    assert words.time_left(timedelta(seconds=seconds)) == said


@pytest.mark.parametrize(("minutes", "said"), [(95, "95 min"), (120, "2 h"), (134, "2 h 14 min")])
def test_length(minutes: int, said: str):
    assert words.length(minutes) == said


def test_there_is_a_word_for_every_status_and_category():
    assert words.STATUSES.keys() == set(EventStatus)
    assert words.CATEGORIES.keys() == set(Category)
