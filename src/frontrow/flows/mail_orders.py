"""Mails about orders: the tickets, what was given back, what was not paid in time. Each is a job of its own.

A job names an order and nothing else. What the mail says is read when it is written, so it tells how things are then.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Generic, TypeVar
from uuid import UUID

import msgspec
import structlog

from frontrow.core.calendar import MEDIA_TYPE as CALENDAR
from frontrow.core.calendar import calendar
from frontrow.core.jobs import GivenUp, Job, JobKind, JobTaken
from frontrow.core.mail import Attachment, Letter, Mail
from frontrow.core.orders import Order, OrderId, OrderState
from frontrow.core.papers import AboutOrder
from frontrow.flows.make_papers import MakePapers
from frontrow.flows.ports import Clock, Letters, Mailer, NewJobs, Orders, Printer, TicketOwners, Transactions

Tx = TypeVar("Tx")

# Somebody stands before a hall with nothing in their hands: more than a day of tries, the first minutes close together.
TICKETS_MAIL: Final = JobKind("tickets-mail", urgency=3, attempts_max=30)
LAPSED_MAIL: Final = JobKind("lapsed-mail", urgency=5, attempts_max=8)

AGAIN_SECONDS: Final = 300  # so often a fan may have the tickets mailed again: no mailbox is flooded through us
CALENDAR_HOST: Final = "frontrow"  # in ids of calendar entries; the same as in the file on the event's page

_log = structlog.stdlib.get_logger(__name__)


class MailOrders:
    """The work of TICKETS_MAIL and LAPSED_MAIL."""

    def __init__(
        self,
        orders: Orders,
        owners: TicketOwners,
        papers: MakePapers,
        printer: Printer,
        letters: Letters,
        mailer: Mailer,
        *,
        clock: Clock,
    ) -> None:
        self._orders = orders
        self._owners = owners
        self._papers = papers
        self._printer = printer
        self._letters = letters
        self._mailer = mailer
        self._clock = clock

    async def tickets(self, job: JobTaken) -> GivenUp | None:
        """Mail the tickets of an order that are good. None of them is any more: there is nothing to be mailed."""
        about = await self._about(job)
        if about is None:
            return GivenUp("there is no such order")
        papers = self._papers.papers(about)
        if papers is None:
            _log.info("tickets.not_mailed", job_id=job.job_id, state=about.order.state)
            return None
        pdf = Attachment(f"tickets-{papers.number}.pdf", "application/pdf", await self._printer.pdf(papers))
        entry = calendar(papers.listing, host=CALENDAR_HOST, now=self._clock(), note="; ".join(papers.seats))
        attached = (pdf, Attachment("event.ics", CALENDAR, entry))
        await self._send(job, about.order, self._letters.tickets(papers), attached)
        return None

    async def lapsed(self, job: JobTaken) -> GivenUp | None:
        """Tell that an order was not paid in time; unless it was paid after all meanwhile."""
        about = await self._about(job)
        if about is None:
            return GivenUp("there is no such order")
        if about.order.state is OrderState.LAPSED:
            await self._send(job, about.order, self._letters.lapsed(about))
        return None

    async def _about(self, job: JobTaken) -> AboutOrder | None:
        order_id = OrderId(_TOLD.decode(job.payload).order_id)
        fan_id = await self._owners.fan_of(order_id)
        order = await self._orders.order(order_id, fan_id) if fan_id else None
        return await self._papers.about(order) if order else None

    async def _send(self, job: JobTaken, order: Order, letter: Letter, attached: Sequence[Attachment] = ()) -> None:
        refused = await self._mailer.send(Mail(f"{job.kind}-{job.key}", order.email, letter, tuple(attached)))
        if refused:  # mistyped, most likely. The tickets are on the order's page as well
            _log.warning("order_mail.refused", job_id=job.job_id, order_id=str(order.order_id))


class MailAgain(Generic[Tx]):
    """Has the tickets of an order mailed once more."""

    def __init__(self, transactions: Transactions[Tx], jobs: NewJobs[Tx], *, clock: Clock) -> None:
        self._transactions = transactions
        self._jobs = jobs
        self._clock = clock

    async def tickets(self, order_id: OrderId) -> None:
        async with self._transactions.transaction() as tx:
            await self._jobs.add(tx, [tickets_again(order_id, now=self._clock())])


def tickets_again(order_id: OrderId, *, now: datetime) -> Job:
    """The tickets are to be mailed once more. Asked for again within some minutes, it is the same job."""
    turn = int(now.timestamp()) // AGAIN_SECONDS
    return Job(TICKETS_MAIL, f"{order_id}-{turn}", msgspec.json.encode(_Told(order_id)))


class _Told(msgspec.Struct, frozen=True):
    """What a job of these says."""

    order_id: UUID


_TOLD: Final = msgspec.json.Decoder(_Told)
