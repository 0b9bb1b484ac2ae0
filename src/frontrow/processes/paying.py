"""Payments, wired: who is asked for the money, what follows from an answer, and the calls about orders."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.routing import Route

from frontrow.adapters.payments.news import StripeNews
from frontrow.adapters.payments.nobody import Nobody
from frontrow.adapters.payments.stripe_api import StripePayments, connected
from frontrow.adapters.postgres.payments import PostgresAttempts
from frontrow.adapters.postgres.pool import Database
from frontrow.core.catalogue import EventId
from frontrow.core.payments import Attempt
from frontrow.core.updates import Update
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.check_out import CheckOut
from frontrow.flows.hear_news import HearNews
from frontrow.flows.mail_orders import TICKETS_MAIL
from frontrow.flows.ports import Provider
from frontrow.flows.settle_payments import Settlement
from frontrow.processes.clock import now
from frontrow.processes.listening import url_of
from frontrow.processes.showing_orders import order_pages, showing
from frontrow.processes.signing_keys import ticket_signer
from frontrow.psp_sim.service import API_KEY, WEBHOOK_SECRET
from frontrow.settings import Settings
from frontrow.web.admission import Admission
from frontrow.web.hot import Hot
from frontrow.web.orders import OrderCalls
from frontrow.web.pages.paying import LOCAL_METHODS
from frontrow.web.pages.visits import Shop
from frontrow.web.tickets import TicketFiles
from frontrow.web.webhooks import Webhooks

STRIPE: Final = "stripe"
PSP_SIM: Final = "psp-sim"
PSP_SIM_CALLS_MORE: Final = 10  # it has no limits but its processor's

Decided = Callable[[EventId, Update, float], None]


@dataclass(frozen=True, slots=True)
class Paying:
    """What settles payments in this process."""

    provider: Provider
    attempts: PostgresAttempts
    settlement: Settlement
    hear_news: HearNews
    reader: StripeNews | None  # None: there is nobody who is asked for money, and nobody who tells of it


@asynccontextmanager
async def paying(database: Database, settings: Settings, decided: Decided) -> AsyncGenerator[Paying]:
    """Open until the end of the block."""
    async with AsyncExitStack() as ending:
        asked = await ending.enter_async_context(_provider(settings))
        provider: Provider = asked or Nobody()
        attempts = database.attempts(provider.name)
        settlement = Settlement(
            database.orders,
            attempts,
            provider,
            key_id=ticket_signer(settings).key_id,
            mail=TICKETS_MAIL,
            return_url=_return_url(settings),
            decided=decided,
        )
        ending.push_async_callback(settlement.close)
        hear_news = HearNews(database.jobs, attempts, provider=provider.name)
        ending.push_async_callback(hear_news.close)
        yield Paying(provider, attempts, settlement, hear_news, _reader(settings) if asked else None)


@asynccontextmanager
async def _provider(settings: Settings) -> AsyncGenerator[StripePayments | None]:
    """Whom the settings name."""
    calls = settings.payment_calls_per_second_max
    if settings.stripe_api_key:
        async with connected(STRIPE, settings.stripe_api_key, calls_per_second_max=calls) as stripe:
            yield stripe
    elif settings.psp_sim_url:
        calls *= PSP_SIM_CALLS_MORE
        async with connected(PSP_SIM, API_KEY, url=settings.psp_sim_url, calls_per_second_max=calls) as psp_sim:
            yield psp_sim
    else:
        yield None


def _reader(settings: Settings) -> StripeNews:
    """Who knows genuine news."""
    secrets = settings.stripe_webhook_secrets if settings.stripe_api_key else WEBHOOK_SECRET
    return StripeNews([secret.strip() for secret in (secrets or "").split(",")])


@dataclass(frozen=True, slots=True)
class OrdersOpen:
    """Where orders are made, paid and looked at."""

    hot: Sequence[Hot]
    pages: Sequence[Route]


@asynccontextmanager
async def orders(
    database: Database, events: EventsAtHand, admission: Admission, shop: Shop, settings: Settings
) -> AsyncGenerator[OrdersOpen]:
    """The paths and pages on which seats are paid, and orders looked at."""
    async with paying(database, settings, events.heard) as payments:
        check_out = CheckOut(
            database.orders,
            payments.attempts,
            database.journal,
            events,
            payments.settlement,
            clock=now,
            decided=events.heard,
        )
        name = payments.provider.name
        signer = ticket_signer(settings)
        calls = OrderCalls(check_out, events, admission, signer, provider=name if payments.reader else None)
        webhooks = Webhooks(payments.hear_news, payments.reader, provider=name, clock=now)
        look_at_orders = showing(database, settings)
        methods = LOCAL_METHODS if name == PSP_SIM else ()
        try:
            yield OrdersOpen(
                [
                    Hot("POST", "/api/v1/orders", calls.make),
                    Hot("GET", "/api/v1/orders", calls.list_all),
                    Hot("GET", "/api/v1/orders/{order}", calls.look_up),
                    Hot("POST", "/api/v1/orders/{order}/pay", calls.pay),
                    Hot("POST", "/webhooks/payments/{provider}", webhooks.take),
                    Hot("GET", "/api/v1/tickets/{file}", TicketFiles(look_at_orders, admission).answer),
                ],
                order_pages(database, shop, check_out, look_at_orders, payments.attempts, methods).routes(),
            )
        finally:
            await check_out.close()


def _return_url(settings: Settings) -> Callable[[Attempt], str]:
    """Where a fan's bank sends them back to: the page of the order."""
    top = settings.public_url or url_of(settings)

    def of(attempt: Attempt) -> str:
        return f"{top}/orders/{attempt.order_id}"

    return of
