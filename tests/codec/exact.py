"""Numbers as a browser's 32-bit arrays keep them."""

from array import array
from typing import Any


def in_32_bits(places: dict[str, Any]) -> dict[str, Any]:
    """The same places, each coordinate rounded as an array of 32-bit floats does it."""
    return places | {axis: [None if at is None else array("f", [at])[0] for at in places[axis]] for axis in ("x", "y")}
