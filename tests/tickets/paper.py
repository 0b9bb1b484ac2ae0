"""Papers to print in tests: an order of a demo's kind, with whatever a test wants to be different."""

import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import typst
from tests.tickets.test_codes import SIGNER
from tests.web.pages.listings import listing

from frontrow.adapters.printing.pdf import TEMPLATE, said
from frontrow.core.catalogue import CityId, EventId, Place, Venue, VenueId
from frontrow.core.money import Money
from frontrow.core.orders import OrderId, TicketId
from frontrow.core.papers import Paper, Papers
from frontrow.core.seat_maps import Row, SeatFlag, SeatPlace, Section
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import TicketFacts, TicketSerial

ORDER = OrderId(UUID("7f3c91ab-0000-4000-8000-000000000001"))
ROW = Row(section_no=0, label="F", first_seat=0, seats=24, price_level="a", curve=(0, 0, 1_200, 0))
STALLS = Section(
    section_no=0, label="Stalls", tier=None, outline=(), price_level="a", first_seat=0, seats=24, rows=(ROW,)
)
FLOOR = Section(section_no=1, label="Floor", tier=None, outline=(), price_level="b", first_seat=24, seats=99, rows=())


def seat(number: int, flags: SeatFlag | None = None) -> SeatPlace:
    return SeatPlace(STALLS, ROW, str(number), flags or SeatFlag(0), "a")


STANDING = SeatPlace(FLOOR, None, None, SeatFlag(0), "b")


def papers(places: Sequence[SeatPlace] = (seat(12), seat(13)), **about: Any) -> Papers:  # noqa: ANN401 -- any field of a listing
    """`about`: what is otherwise about the event."""
    tickets = [_paper(number, len(places), place) for number, place in enumerate(places, start=1)]
    venue = Venue(VenueId(1), CityId(1), "Volkshaus", "Rosengasse 2", "10178", Place(52.5, 13.4))
    return Papers(ORDER, datetime(2026, 11, 19, 21, tzinfo=UTC), listing(**about), venue, tuple(tickets))


def _paper(number: int, of: int, place: SeatPlace) -> Paper:
    facts = TicketFacts(EventId(18), SeatNo(number), TicketSerial(1_000 + number), SIGNER.key_id)
    ticket_id = TicketId(UUID(int=number))
    return Paper(ticket_id, facts.serial, SIGNER.code(facts), number, of, place, "Premium", Money(4_850, "EUR"))


def pictures(papers: Papers) -> list[list[bytearray]]:
    """The pages of the file as a camera sees them: grey values, row by row."""
    order = msgspec.json.encode(said(papers)).decode()
    drawn = typst.Compiler(TEMPLATE).compile(format="png", ppi=72, sys_inputs={"order": order})
    return [list(_grey(png)) for png in (drawn if isinstance(drawn, list) else [drawn]) if png]


def _grey(png: bytes) -> Iterator[bytearray]:
    """Of a picture with eight bits for each of red, green, blue and opacity (PNG, section 9: filtering)."""
    width = int.from_bytes(png[16:20])
    raw = zlib.decompress(b"".join(_chunks(png)))
    above = bytearray(width * 4)
    for begin in range(0, len(raw), width * 4 + 1):
        line = bytearray(raw[begin + 1 : begin + 1 + width * 4])
        _unfilter(raw[begin], line, above)
        above = line
        yield line[::4]  # red will do: nothing that is read here has a colour


def _chunks(png: bytes) -> Iterator[bytes]:
    place = 8
    while place < len(png):
        length = int.from_bytes(png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            yield png[place + 8 : place + 8 + length]
        place += length + 12


def _unfilter(kind: int, line: bytearray, above: bytearray) -> None:
    for x in range(len(line)):
        left, corner = (line[x - 4], above[x - 4]) if x >= 4 else (0, 0)
        up = above[x]
        guess = (0, left, up, (left + up) // 2, _nearest(left, up, corner))[kind]
        line[x] = (line[x] + guess) & 255


def _nearest(left: int, up: int, corner: int) -> int:
    aim = left + up - corner
    return min((left, up, corner), key=lambda value: abs(aim - value))
