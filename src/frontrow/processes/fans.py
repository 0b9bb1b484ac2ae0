"""Who fans are, wired: their tokens and those of an identity service, signing in, and the pages for it."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from starlette.routing import Route

from frontrow.adapters.identity.service import IdentityService
from frontrow.adapters.postgres.pool import Database
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.fans import NONCE_BYTES, CodeKeys, Nonce
from frontrow.core.holds import FanId
from frontrow.core.sessions import SessionKeys
from frontrow.flows.sign_in import SignIn
from frontrow.processes.alongside import alongside
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
async def fans(database: Database, settings: Settings, clients: Clients) -> AsyncGenerator[Fans]:
    """The keys of an identity service are kept fresh until the end of the block."""
    keys = signing_secrets(settings)
    async with AsyncExitStack() as ending:
        identity = identity_service(settings)
        if identity:
            await ending.enter_async_context(alongside(identity.follow()))
        admission = Admission(SessionKeys(keys), FanKeys(keys), new_fan=new_fan, clock=now, identity=identity)
        sign_in = SignIn(
            database.transactions,
            database.fans,
            database.jobs,
            database.ledger,
            CodeKeys(keys),
            new_nonce=_new_nonce,
            new_fan=new_fan,
        )
        signing_in = SigningIn(sign_in, admission, clients, behind_tls=settings.behind_tls)
        mails = MailsPage(database.mails if mails_are_shown(settings) else None, clock=now)
        calls = SignInCalls(signing_in)
        hot = [Hot("POST", "/api/v1/sign-in", calls.ask), Hot("POST", "/api/v1/sign-in/verify", calls.verify)]
        yield Fans(admission, hot, SigningInPages(signing_in, mails).routes())


def new_fan() -> FanId:
    """An id that nobody has, and nobody can guess."""
    return FanId(UUID(bytes=secrets.token_bytes(16), version=4))


def _new_nonce() -> Nonce:
    return Nonce(secrets.token_bytes(NONCE_BYTES))


def identity_service(settings: Settings) -> IdentityService | None:
    """The one that the settings name, if they do."""
    url, issuer, audience = settings.identity_jwks_url, settings.identity_issuer, settings.identity_audience
    if url is None:
        return None
    assert issuer, "the settings asked for it"
    assert audience, "the same"
    return IdentityService(url, issuer=issuer, audience=audience)
