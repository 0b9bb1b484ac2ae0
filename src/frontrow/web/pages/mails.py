"""The page of mails of a copy that sends none: for whoever tries Frontrow on their own machine, and nobody else.

It has every code in it, so whoever sees it can sign in as anybody. It is there only when no mail server is set, and
only for who asks from this machine, by a name of this machine.
"""

from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from frontrow.flows.ports import Clock, Mailbox
from frontrow.settings import is_loopback
from frontrow.web.pages.drawing import draw

MAILS_MAX: Final = 50
ADDRESS: Final = "/mails"

_OF_A_PROXY: Final = ("x-forwarded-for", "x-forwarded-host", "forwarded", "via")


class MailsPage:
    """`/mails`."""

    def __init__(self, mailbox: Mailbox | None, *, clock: Clock) -> None:
        """`mailbox`: None where mails are sent."""
        self._mailbox = mailbox
        self._clock = clock

    def is_for(self, request: Request) -> bool:
        """Whether this request may see the mails. Everybody else is told that there is no such page.

        The name counts too: a page of somebody else's whose name was turned to this machine must not read here.
        """
        if self._mailbox is None or any(name in request.headers for name in _OF_A_PROXY):
            return False
        return request.client is not None and is_loopback(request.client.host) and is_loopback(_host(request))

    async def newest(self, request: Request) -> Response:
        if self._mailbox is None or not self.is_for(request):
            raise HTTPException(404)
        mails = await self._mailbox.newest(limit=MAILS_MAX)
        page = draw("mails.html", mails=mails, mails_max=MAILS_MAX, now=self._clock())
        return HTMLResponse(page, headers={"cache-control": "no-store"})


def _host(request: Request) -> str:
    """The name in the address, without the port."""
    host = request.headers.get("host", "")
    name, _, port = host.rpartition(":")
    return name if port.isdecimal() and not host.endswith("]") else host
