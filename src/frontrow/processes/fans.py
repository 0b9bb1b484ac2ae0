"""Who fans are, wired: their tokens and those of an identity service, signing in, and the pages for it."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from starlette.routing import Route

from frontrow.adapters.postgres.pool import Database
from frontrow.core.fans import NONCE_BYTES, CodeKeys, Nonce
from frontrow.flows.follow_lines import Lines
from frontrow.flows.sign_in import SignIn
from frontrow.processes import admitting
from frontrow.processes.clock import now
from frontrow.processes.mailing import mails_are_shown
from frontrow.processes.signing_keys import signing_secrets
from frontrow.settings import Settings
from frontrow.web.admission import Admission
from frontrow.web.clients import Clients
from frontrow.web.hot import Hot
from frontrow.web.pages.mails import MailsPage
from frontrow.web.pages.signing_in import SigningInPages
from frontrow.web.sign_in import SignInCalls, SigningIn


@dataclass(frozen=True, slots=True)
class Fans:
    """What other parts of the service need to know who asks, and the ways to sign in."""

    admission: Admission
    hot: Sequence[Hot]
    pages: Sequence[Route]


@asynccontextmanager
async def fans(database: Database, settings: Settings, clients: Clients, lines: Lines) -> AsyncGenerator[Fans]:
    """Keys of an identity service are kept fresh until the end of the block. `lines` know which sessions have ended."""
    async with AsyncExitStack() as ending:
        admission = await ending.enter_async_context(admitting.admission(settings, is_over=lines.is_over))
        sign_in = SignIn(
            database.transactions,
            database.fans,
            database.jobs,
            database.ledger,
            CodeKeys(signing_secrets(settings)),
            new_nonce=_new_nonce,
            new_fan=admitting.new_fan,
        )
        signing_in = SigningIn(sign_in, admission, clients, behind_tls=settings.behind_tls)
        mails = MailsPage(database.mails if mails_are_shown(settings) else None, clock=now)
        calls = SignInCalls(signing_in)
        hot = [Hot("POST", "/api/v1/sign-in", calls.ask), Hot("POST", "/api/v1/sign-in/verify", calls.verify)]
        yield Fans(admission, hot, SigningInPages(signing_in, mails).routes())


def _new_nonce() -> Nonce:
    return Nonce(secrets.token_bytes(NONCE_BYTES))
