"""How pages write times, money and statuses for people: in English, in the time zone of the venue, all-in.

Nothing here knows HTML, and `now` is always an argument. What mails and papers say as well is in `core/wording.py`.
"""

from collections.abc import Iterable
from datetime import date as date_type
from datetime import datetime, timedelta
from typing import Final

from frontrow.core.catalogue import Category, EventStatus, Listing
from frontrow.core.money import Money
from frontrow.core.wording import currency_form, hour, long_day, money, zone, zone_name
from frontrow.web.line import Eta

__all__ = ["currency_form", "hour", "long_day", "money", "zone_name"]  # for templates, which say `words.money`

STATUSES: Final = {
    EventStatus.DRAFT: "Draft",
    EventStatus.ANNOUNCED: "Announced",
    EventStatus.ON_SALE: "On sale",
    EventStatus.SOLD_OUT: "Sold out",
    EventStatus.ENDED: "Over",
    EventStatus.CANCELLED: "Cancelled",
}
CATEGORIES: Final = {
    Category.CONCERT: "Concert",
    Category.FILM: "Film",
    Category.THEATRE: "Theatre",
    Category.SPORT: "Sport",
    Category.COMEDY: "Comedy",
    Category.FAMILY: "Family",
}


def day(when: datetime, time_zone: str, now: datetime) -> str:
    """`today`, `tomorrow`, `Sat 21 Nov`; with the year where it is another one."""
    local, today = when.astimezone(zone(time_zone)), now.astimezone(zone(time_zone))
    match (local.date() - today.date()).days:
        case 0:
            return "today"
        case 1:
            return "tomorrow"
        case _:
            return f"{local:%a} {date(when, time_zone, now)}"


def date(when: datetime, time_zone: str, now: datetime) -> str:
    """`21 Nov`; with the year where it is another one."""
    local = when.astimezone(zone(time_zone))
    year = "" if local.year == now.astimezone(zone(time_zone)).year else f" {local.year}"
    return f"{local.day} {local:%b}{year}"


def begun(words: str) -> str:
    """The words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def days(first: datetime | date_type | None, last: datetime | date_type | None) -> str:
    """`from 1 Mar 2027 to 3 Mar 2027`, `on 1 Mar 2027`, `until 3 Mar 2027`."""
    begin, end = (None if day is None else f"{day.day} {day:%b} {day.year}" for day in (first, last))
    if begin and end:
        return f"on {begin}" if begin == end else f"from {begin} to {end}"
    return f"from {begin}" if begin else f"until {end}"


def plain_amount(amount: int) -> str:
    """`50`, `48.50`: an amount in minor units of whichever currency, most of which have two digits for them."""
    whole, minor = divmod(amount, 100)
    return f"{whole:,}.{minor:02}" if minor else f"{whole:,}"


def starting(lowest: Money) -> str:
    """`from €48`; what costs nothing is free."""
    return money(lowest) if lowest.amount == 0 else f"from {money(lowest)}"


def price_from(listings: Iterable[Listing]) -> str:
    """`from €48`; tours cross borders: `from €48 or £45`."""
    lowest: dict[str, Money] = {}
    for price in (listing.price_from for listing in listings):
        lowest[price.currency] = min(price, lowest.get(price.currency, price))
    prices = " or ".join(money(price) for price in lowest.values())
    return prices if prices == "free" else f"from {prices}"


def length(minutes: int) -> str:
    """`95 min`, `2 h`, `2 h 14 min`."""
    hours, rest = divmod(minutes, 60)
    if minutes < 100:  # noqa: PLR2004 -- as people say it
        return f"{minutes} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def time_left(left: timedelta) -> str:
    """`3 days 4 h`, `2 h 5 min`, `1 min 43 s`. time-left.js says the same."""
    seconds = max(0, int(left.total_seconds()))
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    if days:
        return f"{days} {'day' if days == 1 else 'days'} {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s"


def distance(metres: int) -> str:
    """`300 m`, `1.2 km`, `14 km`."""
    if metres < 1_000:  # noqa: PLR2004 -- as people say it
        return f"{round(metres, -2) or 100} m"
    kilometres = metres / 1_000
    return f"{kilometres:.1f} km" if kilometres < 10 else f"{kilometres:.0f} km"  # noqa: PLR2004 -- the same


def seconds_left(seconds: int) -> str:
    """The same of whole seconds."""
    return time_left(timedelta(seconds=seconds))


def minutes(count: int) -> str:
    """`a minute`, `15 minutes`, `3 hours`. waiting.js says the same."""
    if count < 120:  # noqa: PLR2004 -- as people say it
        return "a minute" if count == 1 else f"{count} minutes"
    return f"{round(count / 60)} hours"


def wait(eta: Eta | None) -> str:
    """`about a minute`, `10 to 15 minutes`; where nobody knows, `a while`. waiting.js says the same."""
    if eta is None:
        return "a while"
    likely, at_most = eta.likely_minutes, eta.at_most_minutes
    if likely == at_most:
        return f"about {minutes(at_most)}"
    return f"{likely} to {at_most} minutes" if at_most < 120 else f"{minutes(likely)} to {minutes(at_most)}"  # noqa: PLR2004 -- the same


def counted(count: int, noun: str) -> str:
    """`1 date`, `3 dates`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
