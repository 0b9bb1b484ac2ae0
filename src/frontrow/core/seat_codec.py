"""How seats travel: a snapshot of all of them, and frames that say what changed between two snapshots.

- A snapshot has 2 bits for each seat, lowest bits first (live_seats.py packs it).
- A delta names the seats that differ, in order: for each, `gap * 4 + code` as a varint. The gap leads from the seat
  before; the first one from seat 0. A varint has 7 bits a byte, lowest first; the eighth bit says that more follow.
- A frame is a delta in base64 as a message of Server-Sent Events. Its id is the update that it leads to. Two more
  messages go the same way: `resync`, when frames alone do not lead there, and `age`, how old all of it is.

A delta says what its seats are, not how they became so. Whoever knows an update in between may apply it too, and a
delta that was applied before changes nothing. The same in the browser: web/pages/static/seat-codec.js.
"""

import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from frontrow.core.catalogue import SeatMapSha
from frontrow.core.live_seats import CODES_PER_BYTE

CODE_BITS: Final = 2  # of a seat in a snapshot, and of its code in a delta
_CODE: Final = (1 << CODE_BITS) - 1
_VARINT_BITS: Final = 7
_VARINT: Final = (1 << _VARINT_BITS) - 1
_MORE: Final = 1 << _VARINT_BITS
_DIFFERS: Final = re.compile(rb"[^\0]")

Change = tuple[int, int]  # a seat, and the code of its state from now on


class GarbledError(ValueError):
    """This is no delta, or of another hall."""


def unpacked(snapshot: bytes, seats: int) -> bytearray:
    """The code of each seat, a byte each."""
    codes = bytearray(len(snapshot) * CODES_PER_BYTE)
    for place in range(CODES_PER_BYTE):
        codes[place::CODES_PER_BYTE] = snapshot.translate(_CODES_AT[place])
    return codes[:seats]


def changes(before: bytes, after: bytes) -> Iterator[Change]:
    """What is otherwise in the second of two snapshots, in the order of seats."""
    assert len(before) == len(after), "two snapshots of one hall"
    size = len(after)
    differing = (int.from_bytes(before, "little") ^ int.from_bytes(after, "little")).to_bytes(size, "little")
    for found in _DIFFERS.finditer(differing):
        byte = found.start()
        bits, now = differing[byte], after[byte]
        for place in range(CODES_PER_BYTE):
            if bits >> place * CODE_BITS & _CODE:
                yield byte * CODES_PER_BYTE + place, now >> place * CODE_BITS & _CODE


def delta(changed: Iterable[Change]) -> bytes:
    """Seats in ascending order, each with its code."""
    written = bytearray()
    before = 0
    for seat, code in changed:
        number = (seat - before) << CODE_BITS | code
        before = seat
        while number > _VARINT:
            written.append(number & _VARINT | _MORE)
            number >>= _VARINT_BITS
        written.append(number)
    return bytes(written)


def changes_of(written: bytes) -> Iterator[Change]:
    """What a delta says. GarbledError where it breaks off."""
    seat = number = shift = 0
    for byte in written:
        number |= (byte & _VARINT) << shift
        shift += _VARINT_BITS
        if byte < _MORE:
            seat += number >> CODE_BITS
            yield seat, number & _CODE
            number = shift = 0
    if shift:
        raise GarbledError("a delta that breaks off")


def apply(codes: bytearray, written: bytes) -> None:
    """Change the codes of all seats as a delta says. GarbledError, and nothing is changed, where it does not fit."""
    changed = list(changes_of(written))
    if changed and changed[-1][0] >= len(codes):
        raise GarbledError("a delta of a larger hall")
    for seat, code in changed:
        codes[seat] = code


def frame(update_no: int, written: bytes) -> bytes:
    """A delta on its way to a browser."""
    return b"id: %d\ndata: %s\n\n" % (update_no, b2a_base64(written, newline=False))


def resync(update_no: int, seat_map: SeatMapSha) -> bytes:
    """Fetch a snapshot of this update or a later one. It has no id: who loses the way there is told so again."""
    return b'event: resync\ndata: {"update_no":%d,"seat_map":"%s"}\n\n' % (update_no, seat_map.encode())


def age(seconds: float) -> bytes:
    """What was told until now is what PostgreSQL had decided so many seconds ago."""
    return b'event: age\ndata: {"seconds":%.2f}\n\n' % seconds


def frame_data(text: str) -> bytes:
    """The delta in a frame's data."""
    try:
        return a2b_base64(text, strict_mode=True) if text else b""
    except ValueError as error:
        raise GarbledError(str(error)) from error


def _codes_at(place: int) -> bytes:
    return bytes(byte >> place * CODE_BITS & _CODE for byte in range(256))


_CODES_AT: Final[Sequence[bytes]] = tuple(map(_codes_at, range(CODES_PER_BYTE)))
