"""What typed words mean: which of them are known, which must be met, and where events that meet them are looked for.

Words are met by names, and names belong to things (owners): productions, venues, cities, categories, events. An event
has the words of its own name, of its production, that one's category, its venue and its city, all together.

Words of a text are numbered from the left, and a set of them is a number with a bit for each.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

WORDS_MAX: Final = 8  # of a text; the rest is not read
LEADING_MAX: Final = 200  # things whose events are looked at: some thousand events, more than anybody looks through


class Owner(StrEnum):
    """Whose names lead to events, in the order in which statements know them."""

    PRODUCTION = "production"
    VENUE = "venue"
    CITY = "city"
    CATEGORY = "category"
    EVENT = "event"
    NEAR = "near"  # a venue within reach: no name, and its worth is its distance


# How many events one of them has, by and large. It only decides where to begin to look.
EVENTS_OF: Final[Mapping[str, int]] = MappingProxyType(
    {Owner.PRODUCTION: 12, Owner.VENUE: 30, Owner.CITY: 100, Owner.CATEGORY: 10_000, Owner.EVENT: 1, Owner.NEAR: 0}
)


class Match(NamedTuple):
    """Something whose name has some of the words. A search may have a thousand of these: a tuple is made quickest."""

    owner: str
    of_id: int
    words: int
    worth: int  # how much of its name they are
    leads: bool = False  # whether its events are looked at


@dataclass(frozen=True, slots=True)
class Meaning:
    """The words of a text, and what has them."""

    words: tuple[str, ...] = ()
    says_little: tuple[bool, ...] = ()  # of each word: nobody is sought by it alone
    known: int = 0  # the words that some name has
    matches: tuple[Match, ...] = ()

    @property
    def required(self) -> int:
        """The words that an event must have: those that are known and say something, or all that are known."""
        telling = sum(1 << place for place, little in enumerate(self.says_little) if not little)
        return self.known & telling or self.known

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that no name has, and that may be spelt otherwise than they were meant."""
        return tuple(
            word
            for place, (word, little) in enumerate(zip(self.words, self.says_little, strict=True))
            if not little and not self.known >> place & 1
        )


def leading(matches: Sequence[Match], required: int, *, left_out: int = 0) -> list[Match]:
    """The matches by which an event can have the required words, all but `left_out` of them; and which of them lead.

    An event with enough words has one of the rarest, so only what has one of these need be looked at: one word more for
    each that may be missing. Of what leads to very much, only what fits best does.
    """
    least = required.bit_count() - left_out
    masks: dict[str, set[int]] = {}
    for match in matches:
        masks.setdefault(match.owner, set()).add(match.words)
    useful = {
        (owner, words) for owner, theirs in masks.items() for words in _useful(masks, owner, theirs, required, least)
    }
    kept = [match for match in matches if (match.owner, match.words) in useful]
    rarest = sorted(_bits(required), key=lambda bit: _events(kept, bit))[: left_out + 1]
    entry = _union(rarest)
    rest = [match for match in kept if not match.words & entry]
    led = [match._replace(leads=True) for match in kept if match.words & entry]
    if len(led) > LEADING_MAX:
        led = sorted(led, key=_fitting)[:LEADING_MAX]
    return led + rest


def _fitting(match: Match) -> tuple[bool, int, int]:
    """What fits best first; a category, which is all of its events, before that."""
    return match.owner != Owner.CATEGORY, -match.worth, match.of_id


def _useful(masks: Mapping[str, set[int]], owner: str, theirs: set[int], required: int, least: int) -> list[int]:
    """Those sets of words of an owner that make enough together with what one thing each of the others can have."""
    others = {0}
    for other, words in masks.items():
        if other != owner:
            others |= {one | another for one in others for another in words}
    return [words for words in theirs if any(((words | other) & required).bit_count() >= least for other in others)]


def _events(matches: Iterable[Match], word: int) -> int:
    """About how many events have the word."""
    return sum(EVENTS_OF[match.owner] for match in matches if match.words & word)


def _bits(words: int) -> list[int]:
    return [1 << place for place in range(words.bit_length()) if words >> place & 1]


def _union(words: Iterable[int]) -> int:
    together = 0
    for some in words:
        together |= some
    return together
