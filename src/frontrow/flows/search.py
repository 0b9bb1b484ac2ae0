"""Finding events, and suggesting names while somebody types.

Words are understood first, then events are looked for. Where no event has all the words, those with the most of them
are the answer. How all events of an answer are spread is the same on each of its pages, and for everybody who asks the
same, so it is kept for a moment; the events themselves are looked for each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from frontrow.core.catalogue import EventId, Place, Production
from frontrow.core.meaning import Match, Meaning, Owner, leading
from frontrow.core.postal_codes import spellings
from frontrow.core.search import (
    CityFound,
    Found,
    FoundPage,
    Position,
    ProductionsAsked,
    Sort,
    Spread,
    Suggestion,
    VenueInCity,
    VenuesAsked,
    Wish,
)
from frontrow.core.spelling import edits_allowed, meant
from frontrow.flows.fresh import Fresh
from frontrow.flows.ports import SearchIndex

FRESH_SECONDS: Final = 1.5  # how old counts of many events may be; a change is to be found within two
NOTHING: Final = FoundPage((), Spread(), None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One search."""

    wish: Wish
    sort: Sort
    after: Position
    limit: int
    counted: bool

    @property
    def of_all(self) -> tuple[Wish, int]:
        """What the counts of all events depend on."""
        return self.wish, self.after.words_left_out


class Search:
    """What everybody may ask, of what is public."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index
        self._spreads: Fresh[tuple[Wish, int], Spread] = Fresh(FRESH_SECONDS)
        self._cities: Fresh[None, Mapping[CityFound, int]] = Fresh(FRESH_SECONDS)
        self._suggested: Fresh[tuple[str, int], Sequence[Suggestion]] = Fresh(FRESH_SECONDS)

    async def find(self, wish: Wish, *, sort: Sort, after: Position, limit: int, counted: bool = True) -> FoundPage:
        """The events after a position, so many at most; where they are counted, how all of them are spread."""
        assert sort is not Sort.DISTANCE or wish.near, "a distance is from somewhere"
        asked = _Asked(wish, sort, after, limit, counted)
        reach = await self._reach(wish)
        if wish.near and not reach:
            return NOTHING
        if wish.words:
            return await self._find_words(asked, reach)
        matches = [*_leading(wish, reach), *reach]
        if matches or wish.genre or wish.is_of_few_days:
            return await self._find_matches(asked, matches)
        return await self._find_in_order(asked)

    async def place_of_postal_code(self, code: str, country: str | None) -> Place | None:
        """Where it is, as exactly as is known."""
        codes = spellings(code)
        return await self._index.place_of_postal_code(codes, country) if codes else None

    async def suggest(self, typed: str, *, now: datetime, limit: int) -> Sequence[Suggestion]:
        """Names that somebody may be typing, the likeliest first."""
        return await self._suggested.get((typed, limit), lambda: self._suggest(typed, now, limit))

    async def cities(self, *, now: datetime) -> Mapping[CityFound, int]:
        """Cities where something is on, by name, and how many events there are."""
        return await self._cities.get(None, lambda: self._index.cities(now=now))

    async def productions(self, asked: ProductionsAsked, *, now: datetime, limit: int) -> Sequence[Production]:
        """Productions with something on, the most popular first."""
        return await self._index.productions(asked, now=now, limit=limit)

    async def venues(self, asked: VenuesAsked, *, now: datetime, limit: int) -> Sequence[VenueInCity]:
        """Venues with something on, by name."""
        return await self._index.venues(asked, now=now, limit=limit)

    async def _find_words(self, asked: _Asked, reach: Sequence[Match]) -> FoundPage:
        """Events that have all the words; if there are none, those that lack one; and so on."""
        words, after = asked.wish.words, asked.after
        meaning, mended = await self._meaning(words, whole=after.words_left_out > 0)
        required = meaning.required
        for left_out in range(after.words_left_out, required.bit_count()):
            if left_out == 1 and after.words_left_out == 0:
                meaning = await self._index.meaning(words, mended, whole=True)
            matches = leading(meaning.matches, required, left_out=left_out)
            if matches:
                here = replace(asked, after=replace(after, words_left_out=left_out))
                page = await self._find_matches(here, [*matches, *reach], required=required)
                if page.found or after.event_id:
                    return page
        return NOTHING

    async def _find_matches(self, asked: _Asked, matches: Sequence[Match], *, required: int = 0) -> FoundPage:
        """What the matches lead to."""
        kept = self._spreads.kept(asked.of_all) if asked.counted else Spread()
        positions, metres, counted = await self._index.found_by_matches(
            asked.wish,
            matches,
            required=required,
            sort=asked.sort,
            after=asked.after,
            limit=asked.limit + 1,
            with_spread=kept is None,
        )
        if kept is None:
            self._spreads.keep(asked.of_all, counted)
        return await self._page(asked, positions, metres, kept or counted)

    async def _find_in_order(self, asked: _Asked) -> FoundPage:
        """Where everything may be meant: what comes first, from the index that has it first."""
        wish, after = asked.wish, asked.after
        positions = await self._index.found_in_order(wish, sort=asked.sort, after=after, limit=asked.limit + 1)
        spread = Spread()
        if asked.counted:
            spread = await self._spreads.get(asked.of_all, lambda: self._index.spread(wish, now=after.as_of))
        return await self._page(asked, positions, {}, spread)

    async def _page(
        self, asked: _Asked, positions: Sequence[Position], metres: Mapping[EventId, int], spread: Spread
    ) -> FoundPage:
        shown = positions[: asked.limit]
        if not shown:
            return FoundPage((), spread, None)
        listings = await self._index.listings([position.event_id for position in shown])
        return FoundPage(
            found=[
                Found(listings[position.event_id], metres.get(position.event_id))
                for position in shown
                if position.event_id in listings  # it was public a moment ago
            ],
            spread=spread,
            next=shown[-1] if len(positions) > asked.limit else None,
        )

    async def _meaning(self, text: str, *, whole: bool) -> tuple[Meaning, Mapping[str, Sequence[str]]]:
        """What the words mean, those that no name has being taken for what they may have been meant to be."""
        meaning = await self._index.meaning(text, {}, whole=whole)
        mended = await self._mended(meaning)
        return (await self._index.meaning(text, mended, whole=whole) if mended else meaning), mended

    async def _mended(self, meaning: Meaning) -> Mapping[str, Sequence[str]]:
        """For words that no name has, those that may have been meant. The last one may be half a word yet."""
        spelt = [word for word in meaning.unknown if edits_allowed(word)]
        if not spelt:
            return {}
        alike = await self._index.alike(spelt)
        mended = {word: meant(word, alike.get(word, ()), is_begun=word == meaning.words[-1]) for word in spelt}
        return {word: others for word, others in mended.items() if others}

    async def _suggest(self, typed: str, now: datetime, limit: int) -> Sequence[Suggestion]:
        """Those with all the words; else with what may have been meant; else without one of them."""
        found = await self._index.names_begun(typed, {}, now=now, limit=limit)
        if found:
            return found
        meaning = await self._index.meaning(typed, {}, whole=False)
        mended = await self._mended(meaning)
        found = await self._index.names_begun(typed, mended, now=now, limit=limit) if mended else ()
        if found or len(meaning.words) == 1:
            return found
        return await self._index.names_begun(typed, mended, now=now, limit=limit, left_out=1)

    async def _reach(self, wish: Wish) -> Sequence[Match]:
        """The venues nearby, where that is asked."""
        if wish.near is None:
            return ()
        venues = await self._index.venues_near(wish.near)
        return [Match(Owner.NEAR, venue_id, words=0, worth=metres) for venue_id, metres in venues.items()]


def _leading(wish: Wish, reach: Sequence[Match]) -> Sequence[Match]:
    """What leads to events where no words do: what is asked for by its id, or what is near."""
    if wish.production_id is not None:
        return [Match(Owner.PRODUCTION, wish.production_id, words=0, worth=0, leads=True)]
    if wish.venue_id is not None:
        return [Match(Owner.VENUE, wish.venue_id, words=0, worth=0, leads=True)]
    if wish.city_id is not None:
        return [Match(Owner.CITY, wish.city_id, words=0, worth=0, leads=True)]
    return [Match(Owner.VENUE, match.of_id, words=0, worth=0, leads=True) for match in reach]
