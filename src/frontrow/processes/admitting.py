"""How fans are known, wired: by their tokens, by sessions, by tokens of an identity service. No database is needed."""

import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

from frontrow.adapters.identity.service import IdentityService
from frontrow.core.access_codes import PassKeys
from frontrow.core.catalogue import EventId
from frontrow.core.fan_tokens import FanKeys
from frontrow.core.holds import FanId
from frontrow.core.sessions import SessionKeys
from frontrow.processes.alongside import alongside
from frontrow.processes.clock import now
from frontrow.processes.signing_keys import signing_secrets
from frontrow.settings import Settings
from frontrow.web.admission import Admission


@asynccontextmanager
async def admission(settings: Settings, *, is_over: Callable[[EventId, int], bool]) -> AsyncGenerator[Admission]:
    """The keys of an identity service are kept fresh until the end of the block.

    `is_over` knows of sessions that have ended before their time, by their numbers.
    """
    keys = signing_secrets(settings)
    async with AsyncExitStack() as ending:
        identity = identity_service(settings)
        if identity:
            await ending.enter_async_context(alongside(identity.follow()))
        yield Admission(
            SessionKeys(keys),
            FanKeys(keys),
            new_fan=new_fan,
            clock=now,
            identity=identity,
            is_over=is_over,
            passes=PassKeys(keys),
        )


def new_fan() -> FanId:
    """An id that nobody has, and nobody can guess."""
    return FanId(UUID(bytes=secrets.token_bytes(16), version=4))


def identity_service(settings: Settings) -> IdentityService | None:
    """The one that the settings name, if they do."""
    url, issuer, audience = settings.identity_jwks_url, settings.identity_issuer, settings.identity_audience
    if url is None:
        return None
    assert issuer, "the settings asked for it"
    assert audience, "the same"
    return IdentityService(url, issuer=issuer, audience=audience)
