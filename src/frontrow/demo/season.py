"""What is on in the demo, and when, as seen from `now`: a week of films, two tours, theatre, a match, one big on-sale.

Everything follows from `now`: the same moment gives the same season. Times are what the clock on the venue's wall
shows, whatever that city's summer time does in between. Each organizer has a season of its own, so that a week of
films can begin anew while the tours are still ahead.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

from frontrow.core.catalogue import SEATS_PER_HOLD_MAX, TICKETS_PER_FAN_MAX
from frontrow.demo import places, productions, tariffs
from frontrow.demo.places import City, Hall, Plan
from frontrow.demo.plans.arena import arena_in_the_round
from frontrow.demo.productions import Organizer, Production
from frontrow.demo.tariffs import Tariff

FILM_DAYS: Final = 7  # after today, whose remaining showings are on too
PLAY_DAYS: Final = 14
BIG_ON_SALE_IN: Final = timedelta(minutes=2)  # time to look around, and to be there when the line opens
BIG_TICKETS_PER_FAN_MAX: Final = 4
ON_SALE_FOR_DAYS: Final = 20  # what is on sale has been so since 10 o'clock on that day
ON_SALE_TIME: Final = time(10)

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)

# One of the films in turn, by day and hall. The longest of them ends before the next one begins.
AFTERNOON: Final = (productions.MOSSBEARD, productions.FERRY_TO_ALMADA, productions.QUIET_REFEREE)
EARLY: Final = (productions.NINE_KITCHENS, productions.FORTY_ACRES, productions.MOSSBEARD)
EVENING: Final = (productions.LAMPLIGHTER, productions.DEBT_IN_SALT, productions.FORTY_ACRES)
LATE: Final = (productions.SOMETHING_IN_THE_SILO, productions.LAMPLIGHTER)
LATE_DAYS: Final = (FRIDAY, SATURDAY)
SLOTS: Final = (
    (time(14, 30), AFTERNOON, tariffs.AFTERNOON_FILM),
    (time(17, 15), EARLY, tariffs.AFTERNOON_FILM),
    (time(20, 0), EVENING, tariffs.EVENING_FILM),
    (time(22, 45), LATE, tariffs.EVENING_FILM),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One showing, before it has an id. Times are UTC."""

    production: Production
    hall: Hall
    plan: Plan
    tariff: Tariff
    on_sale_at: datetime
    starts_at: datetime
    waiting_room: bool = False
    sold_out: bool = False  # every seat is to be sold from the start
    tickets_per_fan_max: int = TICKETS_PER_FAN_MAX

    @property
    def ends_at(self) -> datetime:
        return self.starts_at + timedelta(minutes=self.production.minutes)

    @property
    def seats_per_hold_max(self) -> int:
        return min(SEATS_PER_HOLD_MAX, self.tickets_per_fan_max)


def season(now: datetime) -> tuple[Event, ...]:
    """Everything that is on after `now`, soonest first."""
    events = [event for events in SEASONS.values() for event in events(now) if event.starts_at > now]
    return tuple(sorted(events, key=lambda event: (event.starts_at, event.hall.venue.name, event.hall.name)))


def _films(now: datetime) -> Iterator[Event]:
    for cinema in places.LUMENS:
        today = _today(cinema.city, now)
        for day in _days(today, FILM_DAYS + 1):
            for place, hall in enumerate(cinema.halls):
                for at, films, tariff in SLOTS:
                    if films is not LATE or day.weekday() in LATE_DAYS:
                        film = films[(day.toordinal() + place) % len(films)]
                        yield _event(film, hall, tariff, day, at, now)


def _concerts(now: datetime) -> Iterator[Event]:
    for production, venue, tariff, weeks, weekday, at, on_sale_in_days in (
        (productions.BRASS_AND_BRINE, places.NORDLICHT_ARENA, tariffs.FESTIVAL, 3, SUNDAY, time(14), None),
        (productions.TIDAL_ROOMS, places.ARENA_DO_ESTUARIO, tariffs.TOUR, 5, FRIDAY, time(21), None),
        (productions.TIDAL_ROOMS, places.NORDLICHT_ARENA, tariffs.TOUR, 6, TUESDAY, time(20), None),
        (productions.TIDAL_ROOMS, places.TIDEWAY_ARENA, tariffs.TOUR, 7, SATURDAY, time(19, 30), None),
        (productions.SECOND_SUMMER, places.TIDEWAY_ARENA, tariffs.DANCE_TOUR, 9, THURSDAY, time(19, 30), None),
        (productions.SECOND_SUMMER, places.NORDLICHT_ARENA, tariffs.DANCE_TOUR, 10, FRIDAY, time(20), None),
        (productions.SECOND_SUMMER, places.ARENA_DO_ESTUARIO, tariffs.DANCE_TOUR, 11, SATURDAY, time(21), 6),
    ):
        today = _today(venue.city, now)
        day = _weekday(weekday, today + timedelta(weeks=weeks))
        opens = today + timedelta(days=on_sale_in_days) if on_sale_in_days else None
        yield _event(production, venue.hall, tariff, day, at, now, on_sale_day=opens)
    yield _homecoming(now)


def _homecoming(now: datetime) -> Event:
    """The on-sale that everybody waits for."""
    hall = places.TIDEWAY_ARENA.hall
    day = _weekday(SATURDAY, _today(hall.venue.city, now) + timedelta(weeks=14))
    return Event(
        production=productions.BACK_TO_THE_RIVER,
        hall=hall,
        plan=arena_in_the_round,
        tariff=tariffs.HOMECOMING,
        on_sale_at=now + BIG_ON_SALE_IN,
        starts_at=_moment(hall.venue.city, day, time(19, 30)),
        waiting_room=True,
        tickets_per_fan_max=BIG_TICKETS_PER_FAN_MAX,
    )


def _theatre(now: datetime) -> Iterator[Event]:
    yield from _play(now)
    yield from _puppets(now)
    for venue, days, weekday, sold_out in (
        (places.LARKSPUR_THEATRE, 2, SUNDAY, True),
        (places.THEATER_MORGENROT, 9, FRIDAY, False),
        (places.TEATRO_DAS_MARES, 16, THURSDAY, False),
    ):
        day = _weekday(weekday, _today(venue.city, now) + timedelta(days=days))
        yield _event(productions.MILDLY_FURIOUS, venue.hall, tariffs.COMEDIAN, day, time(20), now, sold_out=sold_out)


def _play(now: datetime) -> Iterator[Event]:
    """Tuesdays to Saturdays in the evening, Saturdays in the afternoon too."""
    hall = places.LARKSPUR_THEATRE.hall
    for day in _days(_today(hall.venue.city, now), PLAY_DAYS):
        times = {SUNDAY: (), MONDAY: (), SATURDAY: (time(14, 30), time(19, 30))}.get(day.weekday(), (time(19, 30),))
        for at in times:
            yield _event(productions.WHAT_THE_HARBOUR_KEPT, hall, tariffs.PLAY, day, at, now)


def _puppets(now: datetime) -> Iterator[Event]:
    hall = places.TEATRO_DAS_MARES.hall
    for day in _days(_today(hall.venue.city, now), PLAY_DAYS):
        if day.weekday() in {SATURDAY, SUNDAY}:
            for at in (time(11), time(15)):
                yield _event(productions.CAPTAIN_CRUMB, hall, tariffs.PUPPETS, day, at, now)


def _match(now: datetime) -> Iterator[Event]:
    venue = places.MERIDIAN_STADIUM
    day = _weekday(SATURDAY, _today(venue.city, now) + timedelta(weeks=4))
    yield _event(productions.ATHLETIC_V_ROVERS, venue.hall, tariffs.MATCH, day, time(17, 30), now)


SEASONS: Final[Mapping[Organizer, Callable[[datetime], Iterator[Event]]]] = MappingProxyType(
    {
        productions.LUMEN: _films,
        productions.LONGWAVE: _concerts,
        productions.THREE_RIVERS: _theatre,
        productions.MERIDIAN_ATHLETIC: _match,
    }
)


def _event(
    production: Production,
    hall: Hall,
    tariff: Tariff,
    day: date,
    at: time,
    now: datetime,
    *,
    on_sale_day: date | None = None,
    sold_out: bool = False,
) -> Event:
    """An ordinary event, on sale already unless it says otherwise."""
    city = hall.venue.city
    on_sale_day = on_sale_day or _today(city, now) - timedelta(days=ON_SALE_FOR_DAYS)
    return Event(
        production=production,
        hall=hall,
        plan=hall.venue.plan,
        tariff=tariff,
        on_sale_at=_moment(city, on_sale_day, ON_SALE_TIME),
        starts_at=_moment(city, day, at),
        sold_out=sold_out,
    )


def _moment(city: City, day: date, at: time) -> datetime:
    return datetime.combine(day, at, city.zone).astimezone(UTC)


def _today(city: City, now: datetime) -> date:
    return now.astimezone(city.zone).date()


def _days(first: date, count: int) -> Iterator[date]:
    return (first + timedelta(days=days) for days in range(count))


def _weekday(weekday: int, earliest: date) -> date:
    """The first such day of the week, that day included."""
    return earliest + timedelta(days=(weekday - earliest.weekday()) % 7)
