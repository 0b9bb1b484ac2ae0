"""How times, money and seats are written for people, wherever they read it: on pages, in mails, on paper.

In English, in the time zone of the venue, all-in. What pages alone say is in `web/pages/words.py`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from frontrow.core.money import Money
from frontrow.core.seat_maps import SeatFlag, SeatPlace

SYMBOLS: Final = {"EUR": "€", "GBP": "£", "USD": "$"}  # others are written as their code
MINOR_DIGITS: Final = {"ISK": 0, "JPY": 0, "KRW": 0, "BHD": 3, "KWD": 3, "TND": 3}  # ISO 4217, where it is not 2
ZONES_REMEMBERED_MAX: Final = 600  # as many as there are

# What a fan should know of a seat before it is bought. seat-map-words.js says the same.
NOTES: Final = (
    (SeatFlag.ACCESSIBLE, "wheelchair place"),
    (SeatFlag.COMPANION, "companion seat"),
    (SeatFlag.RESTRICTED_VIEW, "restricted view"),
    (SeatFlag.AISLE, "on the aisle"),
)


@lru_cache(maxsize=ZONES_REMEMBERED_MAX)
def zone(name: str) -> tzinfo:
    """The time zone of a city. One that this machine does not know must not take the page down: UTC, and it says so."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # not found; a folder of zones; no name of a zone at all
        return UTC


def long_day(when: datetime, time_zone: str) -> str:
    """`Saturday 21 November 2026`."""
    local = when.astimezone(zone(time_zone))
    return f"{local:%A} {local.day} {local:%B} {local.year}"


def hour(when: datetime, time_zone: str) -> str:
    """`20:00`."""
    return f"{when.astimezone(zone(time_zone)):%H:%M}"


def zone_name(when: datetime, time_zone: str) -> str:
    """`CET`; a zone without letters of its own is `UTC-03`."""
    name = when.astimezone(zone(time_zone)).tzname() or "UTC"
    return f"UTC{name}" if name[0] in "+-" else name


def money(amount: Money) -> str:
    """`€48`, `€48.50`, `CHF 48`. What costs nothing is free."""
    if amount.amount == 0:
        return "free"
    before, digits = currency_form(amount.currency)
    whole, minor = divmod(amount.amount, 10**digits)
    fraction = f".{minor:0{digits}}" if minor else ""
    return f"{before}{whole:,}{fraction}"


def currency_form(currency: str) -> tuple[str, int]:
    """What stands before an amount, and how many digits its minor unit has."""
    return SYMBOLS.get(currency, f"{currency} "), MINOR_DIGITS.get(currency, 2)


def places(places: Sequence[SeatPlace]) -> Sequence[str]:
    """Row by row, as one finds them in the hall: `Stalls centre, row F, seats 12 and 13`."""
    return [_group(list(group)) for _, group in groupby(places, key=_row)]


def notes(flags: SeatFlag) -> Sequence[str]:
    return [words for flag, words in NOTES if flag & flags]


def and_(words: Sequence[str]) -> str:
    """`12`, `12 and 13`, `12, 13 and 14`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _group(places: Sequence[SeatPlace]) -> str:
    """Seats of one row, or places of one standing area."""
    first = places[0]
    if first.row is None:
        return f"{first.section.label}, {len(places)} standing"
    numbers = [place.number or "" for place in places]
    return f"{first.section.label}, row {first.row.label}, {'seats' if len(numbers) > 1 else 'seat'} {and_(numbers)}"


def _row(place: SeatPlace) -> tuple[int, str | None]:
    return place.section.section_no, place.row.label if place.row else None
