"""Tickets as a file: a page each, whatever the event is called, with a code on it that a telephone reads."""

import re

import pytest
from tests.tickets.paper import STANDING, papers, pictures, seat
from tests.tickets.test_codes import KEYS
from tests.tickets.test_qr import read

from frontrow.adapters.printing.pdf import TypstPrinter, said
from frontrow.core.catalogue import Category
from frontrow.core.papers import Papers
from frontrow.core.seat_maps import SeatFlag
from frontrow.core.tickets import TicketFacts, read_code

PRINTER = TypstPrinter()


async def pages(papers: Papers) -> int:
    file = await PRINTER.pdf(papers)
    assert file.startswith(b"%PDF-")
    [count] = re.findall(rb"/Count (\d+)", file)
    return int(count)


@pytest.mark.slow
def test_the_code_is_read_from_the_printed_page():
    order = papers()
    for paper, picture in zip(order.papers, pictures(order), strict=True):
        side = 250  # pixels: the lower left part of the page has the code, and nothing else that is one
        code = read([line[:side] for line in picture[-side:]])
        assert code == paper.code
        facts = read_code(code or "", KEYS)
        assert isinstance(facts, TicketFacts)
        assert facts.serial == paper.serial


@pytest.mark.parametrize("seats", [1, 2, 10])
async def test_a_page_for_each_ticket_and_one_file_for_all(seats: int):
    assert await pages(papers([seat(number) for number in range(1, seats + 1)])) == seats


@pytest.mark.parametrize("category", list(Category))
@pytest.mark.parametrize(
    "name",
    [
        "Ö",
        "Nachtzug nach Łódź",
        "The Extraordinarily Long Title of a Play That Nobody Has Ever Managed to Read Aloud Without a Glass of Water",
        "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung " * 2,
        "Щелкунчик",
        "夜の電車",  # in letters that a machine may have no font for
        '#panic("no") $x$ *a* _b_ @c <d> \\ " `e`',  # words, and no program
    ],
)
async def test_whatever_it_is_called(name: str, category: Category):
    order = papers([seat(12)], name=name, production=name, performers=(name, "Ada"), category=category)
    assert await pages(order) == 1


async def test_what_stands_on_it():
    order = papers([seat(12, SeatFlag.ACCESSIBLE), STANDING])
    told = said(order)
    seated, standing = told["tickets"]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType] -- JSON
    assert seated["place"] == [("Section", "Stalls"), ("Row", "F"), ("Seat", "12")]
    assert (seated["notes"], seated["of"], seated["price"]) == (["Wheelchair place"], "1 of 2", "€48.50")
    assert standing["place"] == [("Area", "Floor"), ("Place", "Standing")]
    assert told["number"] == "7F3C-91AB"
    assert await pages(order) == 2


async def test_one_ticket_alone_is_still_one_of_two():
    order = papers()
    second = order.only(order.papers[1].ticket_id)
    assert [paper.number for paper in second.papers] == [2]
    assert await pages(second) == 1


async def test_the_same_order_is_the_same_file():
    assert await PRINTER.pdf(papers()) == await TypstPrinter().pdf(papers())
