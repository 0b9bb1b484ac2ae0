"""QR codes of tickets: drawn as they were made, with the room around them that scanners need."""

import re
from xml.etree import ElementTree as ET

import pytest
import zxingcpp
from tests.tickets.test_codes import CODE, FACTS, SIGNER

from frontrow.core.ticket_qr import QUIET_SQUARES, Qr, qr
from frontrow.core.tickets import TicketFacts, TicketSerial

PIXELS = 4  # a square, seen by a camera


def seen(drawn: Qr) -> list[bytearray]:
    """What a camera sees of the path: grey values, row by row."""
    picture = [bytearray(b"\xff" * drawn.size * PIXELS) for _ in range(drawn.size * PIXELS)]
    for found in re.finditer(r"M(\d+) (\d+)h(\d+)v1h-\3z", drawn.path):
        x, y, width = (int(number) * PIXELS for number in found.groups())
        for line in picture[y : y + PIXELS]:
            line[x : x + width] = bytes(width)
    return picture


def read(picture: list[bytearray]) -> str | None:
    side = len(picture)
    found = zxingcpp.read_barcode(memoryview(b"".join(picture)).cast("B", (side, side)))
    return found.text if found else None


@pytest.mark.parametrize("serial", [1, 77, 2**48 - 1])
def test_a_telephone_reads_what_was_signed(serial: int):
    code = SIGNER.code(TicketFacts(FACTS.event_id, FACTS.seat_no, TicketSerial(serial), FACTS.key_id))
    assert read(seen(qr(code))) == code


def test_it_is_read_with_a_thumb_on_it():
    """A reserve of 15 %: a twentieth of the picture is gone, away from the corners that it is found by."""
    picture = seen(qr(CODE))
    for line in picture[80:112]:
        line[100:140] = bytes(40)
    assert read(picture) == CODE


def test_control_with_a_hand_on_it_nobody_reads_it():
    picture = seen(qr(CODE))
    for line in picture[60:130]:
        line[60:130] = bytes(70)
    assert read(picture) is None


def test_it_is_no_larger_than_it_has_to_be():
    drawn = qr(CODE)
    assert drawn.size == 37 + 2 * QUIET_SQUARES
    assert len(drawn.svg) < 8_000


def test_the_file_is_an_svg_with_its_own_ground():
    drawing = ET.fromstring(qr(CODE).svg)  # noqa: S314 -- made here
    ground, dark = drawing
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    assert ground.get("fill") == "#fff", "on a dark page too"
    assert dark.get("d") == qr(CODE).path
