"""Mails by way of a mail server. Satisfies `flows.ports.Mailer`.

What the server has taken is its to deliver. If the connection breaks at its very answer, nobody knows whether it has;
the mail is then sent again with the same Message-ID, by which many servers and mail programs see that it is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from ipaddress import ip_address
from typing import Final, Self
from urllib.parse import unquote, urlsplit

import aiosmtplib

from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.mail import Mail, MailRefused

ANSWER_SECONDS_MAX: Final = 10.0  # for each word of the conversation; the whole has its limit in flows/do_jobs.py

_PERMANENT: Final = 500  # SMTP's own line: from here on a no is a no for ever
_TLS_PORT: Final = 465
_PORT: Final = 25


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mails are handed in. A password is never sent over a connection that others can read."""

    host: str
    port: int
    name: str | None
    password: str | None
    tls_at_once: bool

    @classmethod
    def at(cls, url: str) -> Self:
        """`smtp://` goes over to TLS when the server offers it; `smtps://` begins with it."""
        parts = urlsplit(url)
        assert parts.hostname, "the settings checked it"
        tls = parts.scheme == "smtps"
        return cls(
            host=parts.hostname,
            port=parts.port or (_TLS_PORT if tls else _PORT),
            name=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
            tls_at_once=tls,
        )

    @property
    def has_to_go_over_to_tls(self) -> bool | None:
        """None: if the server offers it."""
        if self.tls_at_once:
            return False
        return True if self.name and not _is_here(self.host) else None


class SmtpMailer:
    """Hands mails in, each over a connection of its own."""

    def __init__(self, server: MailServer, *, sender: str, clock: Callable[[], datetime]) -> None:
        """`sender`: an address, or a name and an address in angle brackets."""
        self._server = server
        name, address = parseaddr(sender)
        self._sender = Address(name, addr_spec=address)
        self._clock = clock

    async def send(self, mail: Mail) -> MailRefused | None:
        try:
            async with self._connection() as connection:
                await connection.send_message(self._message(mail), sender=self._sender.addr_spec, recipients=[mail.to])
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _refused(error)
        except aiosmtplib.SMTPNotSupported as error:
            if mail.to.isascii():
                raise UnavailableError(str(error)) from error
            return MailRefused("the mail server takes no address with such letters")
        except (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPReadTimeoutError) as error:
            raise OutcomeUnknownError(str(error) or type(error).__name__) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise UnavailableError(str(error) or type(error).__name__) from error
        return None

    async def trouble(self) -> str | None:
        """Why nothing can be handed in, in one line, or None."""
        try:
            async with self._connection():
                return None
        except (aiosmtplib.SMTPException, OSError) as error:
            return str(error) or type(error).__name__

    def _connection(self) -> aiosmtplib.SMTP:
        server = self._server
        return aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.name,
            password=server.password,
            use_tls=server.tls_at_once,
            start_tls=server.has_to_go_over_to_tls,
            timeout=ANSWER_SECONDS_MAX,
        )

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage(policy=SMTP)
        message["From"] = self._sender
        message["To"] = mail.to
        message["Subject"] = mail.letter.subject
        message["Date"] = format_datetime(self._clock())
        message["Message-ID"] = f"<{mail.mail_id}@{self._sender.domain}>"
        message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no holiday notice answers it
        message.set_content(mail.letter.text)
        message.add_alternative(mail.letter.html, subtype="html")
        for file in mail.attached:
            kind, _, subtype = file.media_type.partition("/")
            message.add_attachment(file.content, maintype=kind, subtype=subtype, filename=file.name)
        return message


def _refused(error: aiosmtplib.SMTPRecipientsRefused) -> MailRefused:
    """What the server says of the only recipient. Raises when it may think better of it."""
    [refused] = error.recipients
    if refused.code < _PERMANENT:
        raise UnavailableError(f"{refused.code} {refused.message}") from error
    return MailRefused(f"{refused.code} {refused.message}")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
