"""The free seats of one run as the bits of a number: where a group fits, and where it strands nobody.

Bit i is set when seat i of the run is free. A *start* is the first seat of a group that would sit side by side. A
start is *tidy* when the group leaves no single free seat beside it: nobody buys the seat between strangers, so it
stays empty. Which run is the better one is not known here.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Final

from frontrow.core.catalogue import SEATS_PER_HOLD_MAX

QUANTITY_MAX: Final = SEATS_PER_HOLD_MAX
PATCH_SEATS_MAX: Final = 8  # four metres: seats so close that one is as good as the other
OFFERS_KEPT: Final = 8_192  # rows fill up alike, so most answers have been worked out before; about 3 MB

# Where the answers for 1, 2, … QUANTITY_MAX seats begin in what a patch offers.
TIDY: Final = 0
FITTING: Final = QUANTITY_MAX


def starts(free: int, quantity: int) -> int:
    found = free
    for step in range(1, quantity):
        found &= free >> step
    return found


def tidy_starts(free: int, quantity: int) -> int:
    return starts(free, quantity) & ~_stranding(free, quantity)


def _stranding(free: int, quantity: int) -> int:
    """Starts beside which a stretch of free seats would be cut down to one: its first seat, or its last."""
    firsts, lasts = free & ~(free << 1), free & ~(free >> 1)
    return (firsts << 1) | (lasts >> quantity)


def middle(quantity: int) -> int:
    """From the start of a group to the seat in its middle, which says where the group is."""
    return (quantity - 1) // 2


@lru_cache
def patches(seats: int) -> tuple[int, ...]:
    """A run of so many seats in patches of about equal length, each as bits."""
    count = -(-seats // PATCH_SEATS_MAX)
    cuts = [seats * patch // count for patch in range(count + 1)]
    return tuple((1 << end) - (1 << first) for first, end in pairwise(cuts))


@lru_cache(maxsize=OFFERS_KEPT)
def offers(free: int, seats: int) -> tuple[int, ...]:
    """What each patch of a row offers a group of n with its middle there: bits TIDY + n - 1 and FITTING + n - 1."""
    found = free
    offered = [0] * len(patches(seats))
    for quantity in range(1, QUANTITY_MAX + 1):
        found &= free >> quantity - 1
        if not found:
            break
        fitting = found << middle(quantity)
        tidy = (found & ~_stranding(free, quantity)) << middle(quantity)
        for patch, bits in enumerate(patches(seats)):
            if fitting & bits:
                offered[patch] |= 1 << FITTING + quantity - 1
            if tidy & bits:
                offered[patch] |= 1 << TIDY + quantity - 1
    return tuple(offered)


def offers_standing(free: int) -> tuple[int]:
    """The same for places to stand: any will do, and nobody is stranded."""
    quantities = (1 << min(free.bit_count(), QUANTITY_MAX)) - 1
    return (quantities << TIDY | quantities << FITTING,)


def nearest_bit(bits: int, index: int) -> int:
    """The set bit nearest to the index; the lower of two. There is one."""
    above, below = bits >> index, bits & ((1 << index) - 1)
    if not above:
        return below.bit_length() - 1
    up = lowest_bit(above)
    if below and index - below.bit_length() + 1 <= up:
        return below.bit_length() - 1
    return index + up


def lowest_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def bits_from(bits: int, start: int, count: int) -> list[int]:
    """So many set bits, from `start` upwards and then from the bottom. There are as many."""
    above = bits >> start << start
    found: list[int] = []
    for part in (above, bits ^ above):
        left = part
        while left and len(found) < count:
            found.append(lowest_bit(left))
            left &= left - 1
    return found
