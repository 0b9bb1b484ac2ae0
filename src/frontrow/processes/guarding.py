"""The guard, wired, for each process where fans join lines. It needs Valkey, and does without it for a while."""

import secrets
import time

from frontrow.adapters.proofs.captcha import SiteVerify
from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.adapters.valkey.connection import Valkey
from frontrow.adapters.valkey.door_book import ValkeyDoorBook
from frontrow.core.proofs import Asked
from frontrow.flows.guard import Guard
from frontrow.processes.clock import now
from frontrow.processes.signing_keys import signing_secrets
from frontrow.settings import Settings
from frontrow.web.guard_numbers import GuardNumbers
from frontrow.web.metrics import Metrics


def guard(memory: Valkey, metrics: Metrics, settings: Settings) -> Guard:
    return Guard(
        ValkeyDoorBook(memory.client),
        AltchaProofs(signing_secrets(settings), chance=secrets.randbelow),
        GuardNumbers(metrics),
        asked=Asked(settings.proof_of_work),
        captcha=_captcha(settings),
        now=lambda: now().timestamp(),
        passing=time.monotonic,
    )


def _captcha(settings: Settings) -> SiteVerify | None:
    """The service that the settings name, if they do."""
    if settings.captcha_url is None:
        return None
    assert settings.captcha_secret, "the settings asked for it"
    assert settings.captcha_site_key, "the same"
    return SiteVerify(settings.captcha_url, secret=settings.captcha_secret, site_key=settings.captcha_site_key)
