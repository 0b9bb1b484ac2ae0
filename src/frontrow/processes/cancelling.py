"""Cancelling, wired."""

from frontrow.adapters.payments import nobody
from frontrow.adapters.postgres.pool import Database
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.cancel_orders import CancelOrders
from frontrow.processes.signing_keys import ticket_signer
from frontrow.settings import Settings
from frontrow.web.admission import Admission
from frontrow.web.cancelling import CancelCalls
from frontrow.web.hot import Hot

MINUTE_SECONDS = 60


def cancelling(database: Database, events: EventsAtHand, admission: Admission, settings: Settings) -> Hot:
    """The path on which orders and tickets are cancelled. No provider is asked for it: a job of the sweeper's is."""
    cancel_orders = CancelOrders(
        database.orders,
        database.attempts(nobody.NAME),
        before_seconds=settings.cancel_minutes_before * MINUTE_SECONDS,
        mail=None,
        decided=events.heard,
    )
    calls = CancelCalls(cancel_orders, admission, ticket_signer(settings))
    return Hot("POST", "/api/v1/orders/{order}/cancel", calls.cancel)
