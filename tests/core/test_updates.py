"""Updates: what they say of whose a seat is."""

from uuid import UUID

from frontrow.core.holds import HoldId
from frontrow.core.updates import HOLDER_BYTES, NEVER, NOBODY, holder


def test_a_holder_is_the_beginning_of_the_holds_id():
    hold_id = HoldId(UUID("00112233-4455-6677-8899-aabbccddeeff"))
    assert holder(hold_id) == bytes.fromhex("0011223344556677")
    assert len(holder(hold_id)) == HOLDER_BYTES


def test_nobody_is_no_holder():
    assert holder(None) == NOBODY == bytes(HOLDER_BYTES)


def test_never_is_later_than_any_time_and_has_a_zone():
    assert NEVER.utcoffset() is not None
    assert NEVER.year == 9999
