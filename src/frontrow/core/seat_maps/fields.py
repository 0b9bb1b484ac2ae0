"""Taking the fields of one JSON object, one by one, each with its type and limits.

A field that is not as it should be is noted among the flaws and read as None; the reader goes on, so that one
reading tells all that is wrong. What the fields mean to each other is in reading.py.
"""

import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, TypeGuard, cast

from frontrow.core.seat_maps.flaws import Flaws, Spot, printable, quoted
from frontrow.core.seat_maps.limits import COORDINATE_CM_MAX, LABEL_CHARS_MAX
from frontrow.core.seat_maps.parsing import Strange, describe, first_repeated

# Controls, formats (they can turn a line around), halves of characters, private and not yet assigned ones, breaks.
UNFIT_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
PAIR: Final = 2
# Composing makes a text shorter, four characters into one at most. Longer texts are not composed at all: on thousands
# of combining marks in a row that takes the square of their number.
COMPOSED_OF_MAX: Final = 4


class Fields:
    """The fields of one object in the document, and where it stands."""

    def __init__(self, members: Mapping[str, object], spot: Spot, flaws: Flaws) -> None:
        self._members = members
        self.spot = spot
        self.flaws = flaws

    @staticmethod
    def of(value: object, spot: Spot, flaws: Flaws, *, field: str = "") -> "Fields | None":
        if isinstance(value, dict):
            inner = Spot(f"{spot.path}/{field}", spot.words) if field else spot
            return Fields(cast("dict[str, object]", value), inner, flaws)
        flaws.add(spot, _mismatch("an object", value, field), field=field)
        return None

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def is_list(self, name: str) -> bool:
        return _is_list(self._members.get(name))

    def refuse(self, problem: str, *, field: str = "") -> None:
        self.flaws.add(self.spot, problem, field=field)

    def know(self, names: Sequence[str]) -> None:
        """Refuse every field that is not among the names: a misspelt one must not be ignored."""
        for name in self._members:
            if name not in names:
                self.refuse(f"unknown field {quoted(name)}; expected one of {', '.join(names)}", field=name)

    def text(self, name: str, chars_max: int = LABEL_CHARS_MAX) -> str | None:
        value = self._required(name)
        return None if value is None else self._fit_text(value[0], name, chars_max)

    def text_or_none(self, name: str, chars_max: int = LABEL_CHARS_MAX) -> str | None:
        return self.text(name, chars_max) if name in self else None

    def one_of(self, name: str, allowed: Container[str], words: str) -> str | None:
        value = self.text(name)
        if value is None or value in allowed:
            return value
        self.refuse(f"{name} is {quoted(value)}; expected {words}", field=name)
        return None

    def number(self, name: str, low: int, high: int) -> int | None:
        value = self._required(name)
        return None if value is None else self._fit_number(value[0], name, low, high)

    def fields(self, name: str) -> "Fields | None":
        value = self._required(name)
        return None if value is None else Fields.of(value[0], self.spot, self.flaws, field=name)

    def objects(self, name: str, count_max: int, noun: str) -> Iterator["Fields"]:
        """Each object of a list, named by its label in the words of its spot."""
        for index, value in enumerate(self.entries(name, 1, count_max) or ()):
            if self.flaws.full:
                return
            words = f"{noun} {_label_of(value) or f'#{index + 1}'}"
            if inner := Fields.of(value, self.spot.into(name, index, words), self.flaws):
                yield inner

    def entries(self, name: str, count_min: int, count_max: int) -> Sequence[object] | None:
        value = self._required(name)
        if value is None:
            return None
        if not _is_list(value[0]):
            self.refuse(_mismatch("a list", value[0], name), field=name)
            return None
        if count_min <= len(value[0]) <= count_max:
            return value[0]
        self.refuse(f"{name} has {len(value[0])} entries; expected {count_min} to {count_max}", field=name)
        return None

    def texts(self, name: str, count_max: int, chars_max: int) -> tuple[str, ...] | None:
        """A list of texts, no two the same."""
        entries = self.entries(name, 1, count_max)
        if entries is None:
            return None
        texts = [self._fit_text(entry, name, chars_max) for entry in entries]
        fit = [text for text in texts if text is not None]
        twice = first_repeated(fit)
        if twice is not None:
            self.refuse(f"{name} lists {quoted(twice)} twice", field=name)
        return tuple(fit) if len(fit) == len(texts) and twice is None else None

    def coordinates(self, name: str, points_min: int, points_max: int) -> tuple[int, ...] | None:
        """A flat list x, y, x, y, … of whole centimetres."""
        entries = self.entries(name, points_min * PAIR, points_max * PAIR)
        if entries is None:
            return None
        if len(entries) % PAIR:
            self.refuse(f"{name} has {len(entries)} entries; expected an even number: x, y, x, y, …", field=name)
            return None
        numbers = [entry for entry in entries if _is_whole(entry) and -COORDINATE_CM_MAX <= entry <= COORDINATE_CM_MAX]
        if len(numbers) == len(entries):
            return tuple(numbers)
        for entry in entries:  # a map has tens of thousands: only of one that is wrong, it is looked for
            if self._fit_number(entry, name, -COORDINATE_CM_MAX, COORDINATE_CM_MAX) is None:
                break
        return None

    def pair(self, entry: object, name: str) -> tuple[int, int] | None:
        """Two whole numbers in a list of their own."""
        if _is_list(entry) and len(entry) == PAIR and all(_is_whole(number) for number in entry):
            return cast("tuple[int, int]", tuple(entry))
        self.refuse(_mismatch("a pair of whole numbers", entry, name), field=name)
        return None

    def indexes(self, name: str, below: int) -> Iterator[tuple[int, int]]:
        """First and last of each range in a list of indexes and pairs of indexes, ascending."""
        free_from = 0
        for entry in self.entries(name, 1, below) or ():
            ends = (entry, entry) if _is_whole(entry) else self.pair(entry, name)
            if ends is None:
                return
            first, last = ends
            if not free_from <= first <= last < below:
                self.refuse(
                    f"{name} names the seats {first} to {last}; "
                    f"expected indexes from 0 to {below - 1}, ascending, none twice",
                    field=name,
                )
                return
            free_from = last + 1
            yield first, last

    def _required(self, name: str) -> tuple[object] | None:
        """The value in a tuple of its own, since null is a value too."""
        if name in self._members:
            return (self._members[name],)
        self.refuse(f"the field {quoted(name)} is missing")
        return None

    def _fit_number(self, value: object, name: str, low: int, high: int) -> int | None:
        if not _is_whole(value):
            self.refuse(_mismatch("a whole number", value, name), field=name)
            return None
        if not low <= value <= high:
            self.refuse(f"{name} is {value}; expected {low} to {high}", field=name)
            return None
        return value

    def _fit_text(self, value: object, name: str, chars_max: int) -> str | None:
        if not isinstance(value, str):
            self.refuse(_mismatch("a text", value, name), field=name)
            return None
        text = value if _stays_as_it_is(value, chars_max) else unicodedata.normalize("NFC", value)
        problem = _unfit(text, chars_max)
        if problem:
            self.refuse(f"{name} is {quoted(text)}; {problem}", field=name)
            return None
        return text


def _stays_as_it_is(text: str, chars_max: int) -> bool:
    """The text is NFC already, or too long to become one that is allowed."""
    return text.isascii() or len(text) > chars_max * COMPOSED_OF_MAX


def _unfit(text: str, chars_max: int) -> str:
    """What keeps the text from being printed on a ticket, or nothing."""
    if not text:
        return "expected at least one character"
    if len(text) > chars_max:
        return f"expected at most {chars_max} characters"
    if text != text.strip():
        return "expected no blanks at its ends"
    if text.isascii() and text.isprintable():
        return ""
    if any(unicodedata.category(char) in UNFIT_CATEGORIES for char in text):
        return "expected printable characters only"
    return ""


def _mismatch(expected: str, value: object, name: str) -> str:
    if isinstance(value, Strange):
        return f"{name}: {value.problem}" if name else value.problem
    found = f"{name} is {describe(value)}" if name else f"found {describe(value)}"
    return f"{found}; expected {expected}"


def _label_of(value: object) -> str | None:
    label = cast("dict[str, object]", value).get("label") if isinstance(value, dict) else None
    return printable(label) if isinstance(label, str) and label else None


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list)
