"""`GET /api/v1/tickets/{ticket}.pdf` and `.svg`: a ticket to print, and its QR code. For its fan alone."""

import asyncio
from typing import Final
from uuid import UUID

from starlette.types import Receive, Scope, Send

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.orders import TicketId
from frontrow.core.papers import Papers
from frontrow.core.ticket_qr import MEDIA_TYPE as SVG
from frontrow.core.ticket_qr import qr
from frontrow.flows.look_at_orders import LookAtOrders
from frontrow.web.admission import Admission
from frontrow.web.answers import NO_STORE, send_body, send_problem
from frontrow.web.problems import of_fault, problem

PDF: Final = "application/pdf"
ID_CHARS: Final = 36


class TicketFiles:
    """A ticket as a file. A ticket that was cancelled has none."""

    def __init__(self, look_at_orders: LookAtOrders, admission: Admission) -> None:
        self._look_at_orders = look_at_orders
        self._admission = admission

    async def answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        name, _, kind = str(scope["path_params"]["file"]).partition(".")
        fan_id, ticket_id = self._admission.fan(scope), _ticket_id(name)
        if fan_id is None:
            await send_problem(send, problem("sign-in-needed"))
            return
        try:
            papers = await self._look_at_orders.ticket(ticket_id, fan_id) if ticket_id else None
        except (UnavailableError, OutcomeUnknownError) as error:
            await send_problem(send, of_fault(error))
            return
        if papers is None or kind not in {"pdf", "svg"}:
            await send_problem(send, problem("not-found"))
        elif kind == "pdf":
            await _send_file(send, await self._look_at_orders.pdf(papers), PDF, file_name(papers))
        else:
            drawn = await asyncio.to_thread(qr, papers.papers[0].code)
            await _send_file(send, drawn.svg.encode(), SVG)


def file_name(papers: Papers) -> str:
    """What the file is called where it is kept."""
    if len(papers.papers) == 1:
        return f"ticket-{papers.number}-{papers.papers[0].number}.pdf"
    return f"tickets-{papers.number}.pdf"


async def _send_file(send: Send, content: bytes, media_type: str, name: str | None = None) -> None:
    named = ((b"content-disposition", f'inline; filename="{name}"'.encode()),) if name else ()
    await send_body(send, content, headers=((b"content-type", media_type.encode()), NO_STORE, *named))


def _ticket_id(text: str) -> TicketId | None:
    try:
        return TicketId(UUID(text)) if len(text) == ID_CHARS else None
    except ValueError:
        return None
