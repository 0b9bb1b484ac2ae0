"""Finding events in PostgreSQL. Satisfies `flows.ports.SearchIndex`; keeping the index is the database's own doing.

Searching has connections of its own. However many search, holds do not wait for a connection; a statement that would
take long is given up soon; and plans are made once, for the shapes that the statements were written for.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime
from itertools import accumulate
from typing import Final, LiteralString, NamedTuple

import asyncpg

from frontrow import sql
from frontrow.adapters.postgres.catalogue import listing_of, production_of, venue_of
from frontrow.adapters.postgres.connection import CONNECT_SECONDS_MAX, ReadingPool, halting
from frontrow.adapters.postgres.pool import SESSION
from frontrow.core.catalogue import Category, CityId, EventId, Listing, Place, Production, VenueId
from frontrow.core.faults import UnavailableError
from frontrow.core.meaning import Match, Meaning, Owner
from frontrow.core.search import (
    CityFound,
    NameKind,
    Near,
    Position,
    ProductionsAsked,
    Sort,
    Spread,
    Suggestion,
    VenueInCity,
    VenuesAsked,
    Wish,
)

CONNECTIONS_MAX: Final = 4  # of one process; more would only wait for each other's processor
SEARCH_SECONDS_MAX: Final = 3.0  # with the wait for a connection; whoever would wait longer is told to come back

SEARCH_SESSION: Final = SESSION | {
    "application_name": "frontrow search",
    "statement_timeout": "1s",  # a hundred times what a search takes
    "plan_cache_mode": "force_generic_plan",  # planning one of these takes longer than running it
    "random_page_cost": "1.5",  # the index is small and always read: it is in memory
    "enable_sort": "off",  # where an index has the order, the first twenty are read from it
}

_SQL: Final = sql.statements("search")
_LEADING: Final = len(Owner) - 1  # owners that lead to events: all but the last, which says what is near
_BY_INDEX: Final[Mapping[Sort, LiteralString]] = {
    Sort.RELEVANCE: _SQL["found_by_popularity"],
    Sort.DATE: _SQL["found_by_start"],
    Sort.PRICE: _SQL["found_by_price"],
    Sort.RATING: _SQL["found_by_rating"],
}


class _Asked(NamedTuple):
    """The composite type search_wish, field by field."""

    ends_after: datetime | None
    starts_after: datetime
    starts_before: datetime
    today: date
    from_on: date | None
    to_on: date | None
    production_id: int | None
    venue_id: int | None
    city_id: int | None
    category: str | None
    genre: str | None
    price_min: int | None
    price_max: int | None
    currency: str | None
    with_seats: bool


class PostgresSearch:
    """Asks the index, and knows nothing by heart."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._reading = ReadingPool(pool)

    async def meaning(self, text: str, mended: Mapping[str, Sequence[str]], *, whole: bool) -> Meaning:
        """What the words of a text are in names; for some words, others that may have been meant.

        `whole`: with names that have only some of the words, and lead to nothing that has all of them.
        """
        pairs = [(word, other) for word, others in mended.items() for other in others]
        row = await self._one(
            _SQL["matches_of_words"], text, [word for word, _ in pairs], [other for _, other in pairs], whole
        )
        columns = (row["owners"], row["ids"], row["tokens"], row["worths"])
        return Meaning(
            tuple(row["words"]),
            tuple(row["little"]),
            row["known"],
            tuple(map(Match, *columns)),
        )

    async def alike(self, words: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Of each word, the words of names that look a little like it."""
        found: dict[str, list[str]] = defaultdict(list)
        for row in await self._fetch(_SQL["words_alike"], words):
            found[row["spelt"]].append(row["alike"])
        return found

    async def venues_near(self, near: Near) -> Mapping[VenueId, int]:
        """The venues within reach, and how many metres each is away."""
        place = near.place
        rows = await self._fetch(_SQL["venues_near"], place.latitude, place.longitude, float(near.metres))
        return {VenueId(row["venue_id"]): row["metres"] for row in rows}

    async def place_of_postal_code(self, codes: Sequence[str], country: str | None) -> Place | None:
        """Where the first of these codes that is known is brought to."""
        rows = await self._fetch(_SQL["place_of_postal_code"], codes, country)
        return Place(rows[0]["latitude"], rows[0]["longitude"]) if rows else None

    async def found_by_matches(
        self,
        wish: Wish,
        matches: Sequence[Match],
        *,
        required: int,
        sort: Sort,
        after: Position,
        limit: int,
        with_spread: bool,
    ) -> tuple[Sequence[Position], Mapping[EventId, int], Spread]:
        """Events that fit the wish and that the matches lead to; or, where none leads, that the wish itself does."""
        entry = "matches" if any(match.leads for match in matches) else "genre" if wish.genre else "start"
        of_owner = [[match for match in matches if match.owner == owner] for owner in Owner]
        in_order = [match for theirs in of_owner for match in theirs]
        row = await self._one(
            _SQL["found_by_matches"],
            _asked(wish, after.as_of),
            entry,
            list(accumulate(map(len, of_owner))),
            [match.of_id for match in in_order],
            [match.words for match in in_order],
            [match.worth for match in in_order],
            [match.leads for match in in_order],
            *([match.of_id for match in theirs if match.leads] for theirs in of_owner[:_LEADING]),
            required,
            required.bit_count() - after.words_left_out,
            sort.value,
            *_row_of(after),
            limit,
            with_spread,
        )
        columns = (row["events"], row["places"] or (), row["starts"] or (), row["metres"] or ())
        found = list(zip(*columns, strict=True))
        positions = [
            Position(after.as_of, after.words_left_out, place, starts_at, EventId(event_id))
            for event_id, place, starts_at, _ in found
        ]
        metres = {EventId(event_id): metres for event_id, _, _, metres in found if metres is not None}
        spread_columns = [row[f"spread_{name}"] or () for name in ("by", "values", "cities", "countries", "events")]
        return positions, metres, _spread(zip(*spread_columns, strict=True))

    async def found_in_order(self, wish: Wish, *, sort: Sort, after: Position, limit: int) -> Sequence[Position]:
        """Events that fit the wish, read from the index that has them in that order."""
        rows = await self._fetch(_BY_INDEX[sort], _asked(wish, after.as_of), *_row_of(after), limit)
        return [
            Position(after.as_of, 0, row["place"], row["starts_at"], EventId(row["event_id"])) for row in rows
        ]  # fmt: skip

    async def spread(self, wish: Wish, *, now: datetime) -> Spread:
        """How all events that fit the wish are spread."""
        rows = await self._fetch(_SQL["spread_of_all"], _asked(wish, now))
        return _spread([tuple(row.values()) for row in rows])

    async def listings(self, events: Sequence[EventId]) -> Mapping[EventId, Listing]:
        rows = await self._fetch(_SQL["listings_of_events"], events)
        return {EventId(row["event_id"]): listing_of(row) for row in rows}

    async def cities(self, *, now: datetime) -> Mapping[CityFound, int]:
        """Cities where something is on, by name, and how many events there are."""
        rows = await self._fetch(_SQL["cities_with_events"], now)
        return {CityFound(CityId(row["city_id"]), row["name"], row["country"]): row["events"] for row in rows}

    async def productions(self, asked: ProductionsAsked, *, now: datetime, limit: int) -> Sequence[Production]:
        """Productions with something on, the most popular first."""
        words = (asked.category, now, asked.after_popularity, asked.after_id, limit)
        if asked.city_id is None:
            rows = await self._fetch(_SQL["productions_anywhere"], *words)
        else:
            rows = await self._fetch(_SQL["productions_in_city"], *words, asked.city_id)
        return [production_of(row) for row in rows]

    async def venues(self, asked: VenuesAsked, *, now: datetime, limit: int) -> Sequence[VenueInCity]:
        """Venues with something on, by name."""
        rows = await self._fetch(
            _SQL["venues_with_events"], asked.city_id, asked.production_id, now, asked.after_name, asked.after_id, limit
        )
        return [
            VenueInCity(venue_of(row), CityFound(CityId(row["city_id"]), row["city"], row["country"])) for row in rows
        ]

    async def names_begun(
        self, typed: str, mended: Mapping[str, Sequence[str]], *, now: datetime, limit: int, left_out: int = 0
    ) -> Sequence[Suggestion]:
        """Names that somebody who has typed this may be typing; with so many of its words left out, at most."""
        pairs = [(word, other) for word, others in mended.items() for other in others]
        words, others = [word for word, _ in pairs], [other for _, other in pairs]
        rows = await self._fetch(_SQL["names_begun"], typed, words, others, now, limit, left_out)
        return [Suggestion(row["name"], NameKind(row["kind"]), row["of_id"]) for row in rows]

    async def _one(self, statement: LiteralString, *words: object) -> asyncpg.Record:
        [row] = await self._fetch(statement, *words)
        return row

    async def _fetch(self, statement: LiteralString, *words: object) -> list[asyncpg.Record]:
        try:
            async with asyncio.timeout(SEARCH_SECONDS_MAX):
                return await self._reading.fetch(statement, *words)
        except TimeoutError as error:
            raise UnavailableError("more is searched for than can be found in time") from error


@asynccontextmanager
async def connected_for_search(url: str) -> AsyncGenerator[PostgresSearch]:
    """Connections for searching: none before the first search."""
    with halting(url):
        pool = await asyncpg.create_pool(
            url,
            min_size=0,
            max_size=CONNECTIONS_MAX,
            timeout=CONNECT_SECONDS_MAX,
            command_timeout=SEARCH_SECONDS_MAX,
            server_settings=SEARCH_SESSION,
            reset=_hand_back,
        )
    try:
        yield PostgresSearch(pool)
    finally:
        await pool.close()


async def _hand_back(_: asyncpg.Connection) -> None:
    """Undo nothing: these statements change no session, and a RESET would double their round trips."""


def _asked(wish: Wish, as_of: datetime) -> _Asked:
    starts_after, starts_before = wish.starts_within(as_of)
    return _Asked(
        ends_after=wish.ends_after(as_of),
        starts_after=starts_after,
        starts_before=starts_before,
        today=as_of.date(),
        from_on=wish.from_on,
        to_on=wish.to_on,
        production_id=wish.production_id,
        venue_id=wish.venue_id,
        city_id=wish.city_id,
        category=wish.category,
        genre=wish.genre,
        price_min=wish.price_min,
        price_max=wish.price_max,
        currency=wish.currency,
        with_seats=wish.with_seats,
    )


def _row_of(after: Position) -> tuple[int, datetime, int]:
    return after.place, after.starts_at, after.event_id


def _spread(rows: Iterable[tuple[str, str, str | None, str | None, int]]) -> Spread:
    """How many events there are by what: category, genre, city (with its name and country), day, and in all."""
    by: dict[str, dict[str, int]] = {"category": {}, "genre": {}, "all": {}}
    cities: dict[CityFound, int] = {}
    months: dict[str, int] = defaultdict(int)
    for what, value, city, country, events in rows:
        if what == "day":
            months[value[: len("2027-03")]] += events
        elif city is not None and country is not None:
            cities[CityFound(CityId(int(value)), city, country)] = events
        else:
            by[what][value] = events
    return Spread(
        events=by["all"].get("", 0),
        categories={Category(value): events for value, events in _most_first(by["category"])},
        genres=dict(_most_first(by["genre"])),
        cities=dict(sorted(cities.items(), key=lambda count: (-count[1], count[0].name, count[0].city_id))),
        months=dict(sorted(months.items())),
    )


def _most_first(counts: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda count: (-count[1], count[0]))
