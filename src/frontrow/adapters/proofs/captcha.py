"""Asking a CAPTCHA service whether a person has answered. Satisfies `flows.ports.Captcha`.

Turnstile, hCaptcha and reCAPTCHA all answer the same question in the same form: a secret and what the page was given,
as form fields; `success` in the JSON that comes back. What a token was given for, and that it counts once, is theirs.
"""

from typing import Final

import aiohttp
import msgspec
import structlog

ANSWER_SECONDS_MAX: Final = 2.0  # a fan waits for it
TOKEN_CHARS_MAX: Final = 4_096

_log = structlog.stdlib.get_logger(__name__)


class _Verdict(msgspec.Struct):
    success: bool


_VERDICT: Final = msgspec.json.Decoder(_Verdict)


class SiteVerify:
    """One service."""

    def __init__(self, url: str, *, secret: str, site_key: str) -> None:
        """`site_key` is what a page shows the service's widget with."""
        self.site_key = site_key
        self._url = url
        self._secret = secret

    async def passed(self, token: str) -> bool | None:
        """Whether a person has answered; None: the service cannot be asked."""
        if len(token) > TOKEN_CHARS_MAX:
            return False
        try:
            return await self._ask(token)
        except (TimeoutError, aiohttp.ClientError, msgspec.DecodeError) as error:
            _log.warning("captcha.unasked", error=str(error) or type(error).__name__)
            return None

    async def _ask(self, token: str) -> bool:
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS_MAX)
        asked = {"secret": self._secret, "response": token}
        async with (
            aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session,
            session.post(self._url, data=asked) as answer,
        ):
            return _VERDICT.decode(await answer.read()).success
