"""Choices that look like chance and are the same for the same name for ever."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

SIDES: Final = 2**32


class Dice:
    """A row of throws that follows from a seed. Their order is part of a look: append, never insert."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode("utf-8", "surrogatepass")
        self._thrown = 0

    def between(self, low: float, high: float) -> float:
        self._thrown += 1
        digest = sha256(self._seed + self._thrown.to_bytes(4, "big")).digest()
        return low + (high - low) * int.from_bytes(digest[:4], "big") / SIDES

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self.between(low, high + 1))

    def pick(self, options: Sequence[T]) -> T:
        return options[self.whole(0, len(options) - 1)]
