"""One mail, as it goes out: to whom, and what it says as text and as HTML. How it gets there is an adapter's."""

from dataclasses import dataclass
from datetime import datetime

from frontrow.core.fans import EmailAddress


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes with a letter."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter to one address. Sent again it has the same id, by which mail programs know that it is the same."""

    mail_id: str  # letters and digits
    to: EmailAddress
    letter: Letter
    attached: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class MailRefused:
    """There is no such mailbox, or it takes nothing from us: sending again would not help."""

    why: str


@dataclass(frozen=True, slots=True)
class KeptMail:
    """A mail that was kept instead of sent, as a page lists it."""

    to: str
    subject: str
    text: str
    kept_at: datetime
