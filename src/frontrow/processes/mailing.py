"""Where mails go: to the mail server that is set, or to a page for this machine."""

import structlog

from frontrow.adapters.mail.smtp import MailServer, SmtpMailer
from frontrow.adapters.postgres.pool import Database
from frontrow.flows.ports import Mailer
from frontrow.processes.clock import now
from frontrow.settings import Settings, is_loopback

_log = structlog.stdlib.get_logger(__name__)


def mailer(database: Database, settings: Settings) -> Mailer:
    """How this copy gets mails to people."""
    if settings.smtp_url is not None:
        return smtp_mailer(settings)
    if not mails_are_shown(settings):
        _log.warning("mails.go_nowhere", mend="set FRONTROW_SMTP_URL: without mails nobody can sign in")
    return database.mails


def smtp_mailer(settings: Settings) -> SmtpMailer:
    """The way to the mail server that is set."""
    assert settings.smtp_url, "whoever asks has looked"
    assert settings.mail_from, "the settings asked for it"
    return SmtpMailer(MailServer.at(settings.smtp_url), sender=settings.mail_from, clock=now)


def mails_are_shown(settings: Settings) -> bool:
    """Whether this copy is for trying things on one machine: it sends no mails, and only that machine reaches it."""
    return settings.smtp_url is None and not settings.behind_tls and is_loopback(settings.host)
