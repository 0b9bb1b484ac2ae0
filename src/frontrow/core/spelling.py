"""What somebody may have meant who spelt a word as nobody does: a letter wrong, missing, too many, or two exchanged.

Which words there are, and which of them look alike at all, is told by who keeps them.
"""

from collections.abc import Iterable, Sequence
from typing import Final

SHORT_CHARS: Final = 4  # with fewer letters, every other word is one edit away
LONG_CHARS: Final = 8  # from here on two edits leave a word that is still told from others
MEANT_MAX: Final = 3  # what else is tried for one word


def meant(spelt: str, alike: Iterable[str], *, is_begun: bool = False) -> Sequence[str]:
    """Those words that may have been meant, the closest first. `is_begun`: more letters may be to come."""
    allowed = edits_allowed(spelt)
    if not allowed:
        return []
    close = sorted(
        (edits, abs(len(word) - len(spelt)), word) for word, edits in _edits(spelt, alike, is_begun=is_begun)
    )
    return [word for edits, _, word in close if edits <= min(allowed, close[0][0])][:MEANT_MAX]


def edits_allowed(spelt: str) -> int:
    if len(spelt) < SHORT_CHARS:
        return 0
    return 1 if len(spelt) < LONG_CHARS else 2


def edits(one: str, other: str) -> int:
    """How many edits lie between two words: a letter changed, added, left out, or exchanged with its neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one):
        above, row, earlier = row, [place + 1], before
        before = above
        for at, wanted in enumerate(other):
            cost = min(above[at + 1] + 1, row[at] + 1, above[at] + (letter != wanted))
            if place and at and letter == other[at - 1] and one[place - 1] == wanted:
                cost = min(cost, earlier[at - 1] + 1)
            row.append(cost)
    return row[-1]


def _edits(spelt: str, alike: Iterable[str], *, is_begun: bool) -> Iterable[tuple[str, int]]:
    for word in alike:
        if is_begun and len(word) > len(spelt):
            begun = {word[: len(spelt) + more] for more in (-1, 0, 1)}
            yield word, min(edits(spelt, part) for part in begun)
        else:
            yield word, edits(spelt, word)
