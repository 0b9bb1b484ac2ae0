"""What has to be done later: holds end, jobs are done, what is sold out is noted, what is old is forgotten.

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
from frontrow.core.fans import CodeKeys
from frontrow.core.jobs import JobKind
from frontrow.flows.do_jobs import DoJobs, Work
from frontrow.flows.expire_holds import ExpireHolds
from frontrow.flows.follow_price_levels import FollowPriceLevels
from frontrow.flows.forget import Forget
from frontrow.flows.sign_in import SIGN_IN_MAIL, MailCodes
from frontrow.processes import logs, stopping
from frontrow.processes.clock import now
from frontrow.processes.mailing import mailer
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
        async with asyncio.TaskGroup() as group:
            group.create_task(ExpireHolds(database.ledger, database.journal).run())
            group.create_task(DoJobs(database.jobs, _works(database, settings), chance=random.random).run())
            group.create_task(FollowPriceLevels(database.catalogue, database.journal, levels).run())
            group.create_task(_forget(database).run())
    finally:
        await database.close()


def _works(database: Database, settings: Settings) -> Mapping[JobKind, Work]:
    """What is done for each kind of job."""
    codes, mails = CodeKeys(signing_secrets(settings)), mailer(database, settings)
    return {SIGN_IN_MAIL: MailCodes(codes, TemplateLetters(), mails, clock=now).do}


def _forget(database: Database) -> Forget:
    return Forget(
        [
            lambda rows: database.jobs.forget(limit=rows, after_seconds=JOBS_KEPT_SECONDS),
            lambda rows: database.fans.forget(limit=rows),
            lambda rows: database.mails.forget(limit=rows),
        ]
    )
