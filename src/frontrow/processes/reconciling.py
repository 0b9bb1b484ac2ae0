"""Comparing everything with the payment provider, for one command, and for the sweeper."""

from datetime import timedelta

from frontrow.adapters.postgres import pool
from frontrow.core.catalogue import EventId
from frontrow.core.updates import Update
from frontrow.flows.reconcile import Reconcile, Reconciled
from frontrow.halt import Halt
from frontrow.processes.clock import now
from frontrow.processes.paying import Paying, paying
from frontrow.settings import Settings

NO_PROVIDER = (
    "there is no payment provider: name yours with FRONTROW_STRIPE_API_KEY, or a psp-sim with FRONTROW_PSP_SIM_URL"
)


async def reconcile(settings: Settings, database_url: str, *, hours: float) -> Reconciled:
    """All payments of the last hours."""
    database = await pool.connect(database_url, connections_max=2)
    try:
        async with paying(database, settings, _nobody_looks) as payments:
            if payments.reader is None:
                raise Halt(NO_PROVIDER)
            comparing = Reconcile(payments.provider, payments.attempts, payments.settlement)
            return await comparing.compare(since=now() - timedelta(hours=hours), now=now())
    finally:
        await database.close()


async def comparing(payments: Paying) -> None:
    """For ever, once an hour."""
    await Reconcile(payments.provider, payments.attempts, payments.settlement).run(clock=now)


def _nobody_looks(_event_id: EventId, _update: Update, _asked_at: float) -> None:
    """No map is shown here."""
