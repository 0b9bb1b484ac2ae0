"""Mails that are kept instead of sent, where no mail server is set. Satisfies `ports.Mailer` and `ports.Mailbox`."""

from collections.abc import Sequence
from typing import Final

from frontrow import sql
from frontrow.adapters.postgres.connection import Reading
from frontrow.adapters.postgres.transactions import Transactions
from frontrow.core.mail import KeptMail, Mail

MAILS_KEPT_MAX: Final = 200  # of a copy to try things with: more than anybody reads

_SQL: Final = sql.statements("mail")


class KeptMails:
    """A mailbox of all mails that would have been sent."""

    def __init__(self, reading: Reading, transactions: Transactions) -> None:
        self._reading = reading
        self._transactions = transactions

    async def send(self, mail: Mail) -> None:
        """Keep it. A mail that comes twice is kept once. Of what is attached, the names are kept."""
        letter = mail.letter
        attached = "".join(f"\n[{file.name}, {len(file.content):,} bytes]" for file in mail.attached)
        await self._transactions.fetch(
            _SQL["keep_mail"], mail.mail_id, mail.to, letter.subject, letter.text + attached, letter.html
        )

    async def newest(self, *, limit: int) -> Sequence[KeptMail]:
        rows = await self._reading.fetch(_SQL["newest_mails"], limit)
        return [KeptMail(row["recipient"], row["subject"], row["words"], row["kept_at"]) for row in rows]

    async def forget(self, *, limit: int) -> int:
        """Forget all but the newest. Answers how many, at most so many."""
        return len(await self._transactions.fetch(_SQL["forget_mails"], limit, MAILS_KEPT_MAX))
