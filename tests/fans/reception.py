"""Signing in on a real PostgreSQL: the flow, its mails as they are kept, and what a test may spoil of it."""

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID, uuid4

from frontrow.adapters.mail.writing import TemplateLetters
from frontrow.adapters.postgres.connection import Connection
from frontrow.adapters.postgres.pool import Database
from frontrow.core.fans import NONCE_BYTES, CodeAsked, CodeKeys, EmailAddress, Nonce
from frontrow.core.holds import FanId
from frontrow.flows.do_jobs import DoJobs
from frontrow.flows.sign_in import SIGN_IN_MAIL, MailCodes, SignIn

ADA: Final = EmailAddress("ada@example.org")
BOB: Final = EmailAddress("bob@example.org")
SECRET: Final = b"k" * 32

_CODE: Final = re.compile(r"\b\d{8}\b")


@dataclass(frozen=True)
class Reception:
    """Where fans sign in, and where their mails arrive."""

    database: Database
    sign_in: SignIn[Connection]
    do_jobs: DoJobs

    async def code_for(self, email: EmailAddress = ADA) -> str:
        """Ask for a code, and open the mail."""
        assert isinstance(await self.sign_in.ask(email), CodeAsked)
        return await self.mailed_code(email)

    async def mailed_code(self, email: EmailAddress = ADA) -> str:
        """The code in the newest mail, once what is due was done."""
        await self.do_jobs.look()
        await self.do_jobs.finish()
        mails = await self.database.mails.newest(limit=100)
        [code] = _CODE.findall(next(mail.subject for mail in mails if mail.to == email))
        return code

    async def fan_of(self, email: EmailAddress, *, before: FanId | None = None) -> FanId:
        """Sign in, from the asking to the end."""
        signed_in = await self.sign_in.verify(email, await self.code_for(email), before=before)
        assert signed_in is not None
        return signed_in.fan.fan_id

    async def let_pass(self, seconds: float) -> None:
        """What was asked for is so much older."""
        await self.database.pool.execute(
            """
            UPDATE sign_in
               SET expires_at = expires_at - make_interval(secs => $1),
                   rested_at  = rested_at - make_interval(secs => $1)
            """,
            seconds,
        )  # fmt: skip -- one statement


def reception(database: Database) -> Reception:
    """Several of them on one database are several processes."""
    codes = CodeKeys([SECRET])
    mail_codes = MailCodes(codes, TemplateLetters(), database.mails, clock=lambda: datetime.now(UTC))
    return Reception(
        database,
        SignIn(
            database.transactions,
            database.fans,
            database.jobs,
            database.ledger,
            codes,
            new_nonce=lambda: Nonce(secrets.token_bytes(NONCE_BYTES)),
            new_fan=lambda: FanId(uuid4()),
        ),
        DoJobs(database.jobs, {SIGN_IN_MAIL: mail_codes.do}, chance=lambda: 0.5),
    )


def nameless(number: int = 1) -> FanId:
    """A fan who is only a token."""
    return FanId(UUID(int=number, version=4))


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}}"
