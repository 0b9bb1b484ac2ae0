"""Tickets as a PDF, one file for an order, drawn by typst from `tickets.typ`. Satisfies `flows.ports.Printer`.

The compiler is made once and kept: the first file takes 50 ms, every other ten. Its own fonts are used for what they
have letters for, so a file looks the same whichever machine drew it.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import typst

from frontrow.core import wording
from frontrow.core.papers import Paper, Papers
from frontrow.core.posters import artwork
from frontrow.core.ticket_qr import qr

TEMPLATE: Final = Path(__file__).parent / "tickets.typ"
TERMS: Final = (
    "Sold on behalf of the organizer. Valid for the event, time and place that are named above, for one entry; not "
    "after it was cancelled or its price was given back. If the event is called off, its buyer is told by e-mail."
)


class TypstPrinter:
    """Draws PDFs, one at a time, beside whatever else its process does."""

    def __init__(self) -> None:
        self._compiler: typst.Compiler | None = None
        self._drawing = asyncio.Lock()

    async def pdf(self, papers: Papers) -> bytes:
        assert papers.papers, "a file has a page"
        async with self._drawing:
            return await asyncio.to_thread(self._drawn, papers)

    def _drawn(self, papers: Papers) -> bytes:
        if self._compiler is None:
            self._compiler = typst.Compiler(TEMPLATE)
        order = msgspec.json.encode(said(papers)).decode()
        drawn = self._compiler.compile(
            format="pdf", sys_inputs={"order": order}, timestamp=int(papers.paid_at.timestamp())
        )
        assert isinstance(drawn, bytes)
        return drawn


def said(papers: Papers) -> Mapping[str, object]:
    """All that the template is told."""
    listing, venue = papers.listing, papers.venue
    art = artwork(listing.production, listing.category)
    return {
        "title": listing.name,
        "kind": f"{listing.category.value} · {listing.genre}" if listing.genre else listing.category.value,
        "with_whom": _with_whom(papers),
        "artwork": art.svg,
        "night": art.palette.night,
        "paper": art.palette.paper,
        "spark": art.palette.spark,
        "day": wording.long_day(listing.starts_at, listing.time_zone),
        "hour": wording.hour(listing.starts_at, listing.time_zone),
        "zone": wording.zone_name(listing.starts_at, listing.time_zone),
        "venue": f"{listing.venue}, {listing.hall}" if listing.hall != listing.venue else listing.venue,
        "address": f"{venue.street}, {venue.postal_code} {listing.city}",
        "number": papers.number,
        "terms": TERMS,
        "tickets": [_ticket(paper) for paper in papers.papers],
    }


def _ticket(paper: Paper) -> Mapping[str, object]:
    return {
        "place": paper.fields,
        "level": paper.level,
        "price": wording.money(paper.price),
        "notes": [f"{note[:1].upper()}{note[1:]}" for note in paper.notes],
        "serial": str(paper.serial),
        "of": f"{paper.number} of {paper.of}",
        "qr": qr(paper.code).svg,
    }


def _with_whom(papers: Papers) -> str:
    performers = [name for name in papers.listing.performers if name != papers.listing.name]
    return f"with {wording.and_(performers)}" if performers else ""
