"""Forgetting: a little at a time until nothing old is left, and again later."""

import pytest

from frontrow.core.faults import UnavailableError
from frontrow.flows.forget import ROWS_AT_ONCE, Forget


class Old:
    """So much that is old."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.asked = 0

    async def forget(self, limit: int) -> int:
        self.asked += 1
        gone = min(limit, self.rows)
        self.rows -= gone
        return gone


@pytest.mark.parametrize(
    ("rows", "asked"), [(0, 1), (ROWS_AT_ONCE - 1, 1), (ROWS_AT_ONCE, 2), (3 * ROWS_AT_ONCE + 1, 4)]
)
async def test_all_that_is_old_is_forgotten_bit_by_bit(rows: int, asked: int):
    old = Old(rows)
    await Forget([old.forget]).look()
    assert (old.rows, old.asked) == (0, asked)


async def test_while_postgres_is_away_it_is_left_for_later():
    async def away(_: int) -> int:
        raise UnavailableError

    old = Old(1)
    forget = Forget([away, old.forget])
    await forget.look()
    assert old.rows == 1
