"""Orders and tickets as fans see them, wired: pages, files, and the mails that bring them."""

from collections.abc import Mapping, Sequence

from frontrow.adapters.mail.writing import TemplateLetters
from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.printing.pdf import TypstPrinter
from frontrow.core.jobs import JobKind
from frontrow.core.orders import OrderId
from frontrow.flows.check_out import CheckOut
from frontrow.flows.do_jobs import Work
from frontrow.flows.look_at_orders import LookAtOrders
from frontrow.flows.mail_orders import LAPSED_MAIL, TICKETS_MAIL, MailAgain, MailOrders
from frontrow.flows.make_papers import MakePapers
from frontrow.flows.ports import Attempts, Mailer
from frontrow.processes.clock import now
from frontrow.processes.signing_keys import ticket_signer
from frontrow.settings import Settings
from frontrow.web.pages.orders import OrderPages
from frontrow.web.pages.paying import Method, Paying
from frontrow.web.pages.visits import Shop


def showing(database: Database, settings: Settings) -> LookAtOrders:
    """What pages and calls show of orders."""
    make = MakePapers(database.catalogue, ticket_signer(settings))
    return LookAtOrders(database.orders, database.tickets, make, TypstPrinter())


def order_pages(
    database: Database,
    shop: Shop,
    check_out: CheckOut,
    look_at_orders: LookAtOrders,
    attempts: Attempts,
    methods: Sequence[Method],
) -> OrderPages:
    """The pages on which one pays, and looks at what one has paid for."""
    paying = Paying(shop, check_out, methods, email_of=database.fans.email_of)
    return OrderPages(shop, look_at_orders, paying, methods, _Errands(database, attempts))


class _Errands:
    """Satisfies `web.pages.orders.Errands`."""

    def __init__(self, database: Database, attempts: Attempts) -> None:
        self._mail_again = MailAgain(database.transactions, database.jobs, clock=now)
        self._attempts = attempts

    async def mail_again(self, order_id: OrderId) -> None:
        await self._mail_again.tickets(order_id)

    async def ask_soon(self, ref: str) -> None:
        await self._attempts.ask_soon(None, ref=ref)


def order_mails(database: Database, settings: Settings, mailer: Mailer) -> Mapping[JobKind, Work]:
    """What is mailed about orders."""
    make = MakePapers(database.catalogue, ticket_signer(settings))
    mails = MailOrders(database.orders, database.tickets, make, TypstPrinter(), TemplateLetters(), mailer, clock=now)
    return {TICKETS_MAIL: mails.tickets, LAPSED_MAIL: mails.lapsed}
