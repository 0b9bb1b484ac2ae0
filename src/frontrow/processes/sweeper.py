"""What has to be done later: holds and orders end, payments are settled, jobs are done, and what is old is forgotten.

Any number of sweepers may run at once.
"""

import asyncio
import random
from collections.abc import Mapping
from typing import Final

import structlog

from frontrow.adapters.mail.writing import TemplateLetters
from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.connection import ReadingPool
from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.price_levels import PostgresPriceLevels
from frontrow.core.catalogue import EventId
from frontrow.core.fans import CodeKeys
from frontrow.core.jobs import JobKind
from frontrow.core.updates import Update
from frontrow.flows.do_jobs import DoJobs, Work
from frontrow.flows.expire_holds import ExpireHolds
from frontrow.flows.follow_price_levels import FollowPriceLevels
from frontrow.flows.forget import Forget
from frontrow.flows.hear_news import PAYMENT_NEWS
from frontrow.flows.lapse_orders import LapseOrders
from frontrow.flows.mail_orders import LAPSED_MAIL
from frontrow.flows.settle_payments import REFUND_PAYMENT, VOID_PAYMENT, SettlePayments
from frontrow.flows.sign_in import SIGN_IN_MAIL, MailCodes
from frontrow.processes import logs, reconciling, stopping
from frontrow.processes.clock import now
from frontrow.processes.mailing import mailer
from frontrow.processes.paying import Paying, paying
from frontrow.processes.showing_orders import order_mails
from frontrow.processes.signing_keys import signing_secrets
from frontrow.processes.whereabouts import database_of
from frontrow.settings import Settings

JOBS_KEPT_SECONDS: Final = 86_400.0  # a day: so long a job that was done is known, should somebody ask for it again

_log = structlog.stdlib.get_logger(__name__)


def sweep(settings: Settings) -> None:
    """Run until somebody asks it to stop."""
    logs.configure(settings)
    stopping.run_until_stopped(_sweep(settings))


async def _sweep(settings: Settings) -> None:
    database = await pool.connect(database_of(settings), connections_max=settings.database_connections_max)
    try:
        _log.info("sweeper.started")
        levels = PostgresPriceLevels(ReadingPool(database.pool))
        async with paying(database, settings, _nobody_looks) as payments, asyncio.TaskGroup() as group:
            group.create_task(ExpireHolds(database.ledger, database.journal).run())
            group.create_task(DoJobs(database.jobs, _works(database, settings, payments), chance=random.random).run())
            group.create_task(FollowPriceLevels(database.catalogue, database.journal, levels).run())
            group.create_task(_forget(database).run())
            group.create_task(LapseOrders(database.orders, mail=LAPSED_MAIL).run())
            if payments.reader is not None:
                group.create_task(reconciling.comparing(payments))
                group.create_task(SettlePayments(payments.attempts, payments.settlement, clock=now).run())
    finally:
        await database.close()


def _works(database: Database, settings: Settings, payments: Paying) -> Mapping[JobKind, Work]:
    """What is done for each kind of job."""
    codes, mails = CodeKeys(signing_secrets(settings)), mailer(database, settings)
    return {
        SIGN_IN_MAIL: MailCodes(codes, TemplateLetters(), mails, clock=now).do,
        PAYMENT_NEWS: payments.hear_news.act,
        VOID_PAYMENT: payments.settlement.void,
        REFUND_PAYMENT: payments.settlement.refund,
        **order_mails(database, settings, mails),
    }


def _nobody_looks(_event_id: EventId, _update: Update, _asked_at: float) -> None:
    """No map is shown here: whoever shows one reads the journal."""


def _forget(database: Database) -> Forget:
    return Forget(
        [
            lambda rows: database.jobs.forget(limit=rows, after_seconds=JOBS_KEPT_SECONDS),
            lambda rows: database.fans.forget(limit=rows),
            lambda rows: database.mails.forget(limit=rows),
        ]
    )
