"""A mail server on this machine, as real as they come (aiosmtpd): what it takes, and how it can be made to behave."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

NAME, PASSWORD = "frontrow", "p@ss: word"


@dataclass
class PostOffice:
    """What was handed in, and what it says to whom."""

    port: int = 0
    seen: list[EmailMessage] = field(default_factory=list[EmailMessage])  # whatever came of it
    taken: list[EmailMessage] = field(default_factory=list[EmailMessage])  # promised to be delivered
    recipients: list[str] = field(default_factory=list[str])
    options: list[list[str]] = field(default_factory=list[list[str]])  # of each mail, what SMTP was told about it
    to_recipient: str = "250 OK"
    to_mail: str = "250 OK"
    is_open: asyncio.Event = field(default_factory=asyncio.Event)  # unset: it takes its time with its answer
    has_seen: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    # aiosmtpd calls these by their names.

    async def handle_RCPT(  # noqa: N802 -- see above
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.to_recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_recipient

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 -- see above
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.seen.append(mail)
        self.options.append(list(envelope.mail_options))
        self.has_seen.set()
        await self.is_open.wait()
        if self.to_mail.startswith("250"):
            self.taken.append(mail)
            self.recipients += envelope.rcpt_tos
        return self.to_mail


@asynccontextmanager
async def post_office(**smtp: Any) -> AsyncGenerator[PostOffice]:  # noqa: ANN401 -- what aiosmtpd's SMTP takes
    """Open until the end of the block. `smtp`: how it speaks."""
    office = PostOffice()
    office.is_open.set()
    loop = asyncio.get_running_loop()
    tls = smtp.pop("tls_at_once", None)
    server = await loop.create_server(lambda: SMTP(office, **smtp), "127.0.0.1", 0, ssl=tls)
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        office.is_open.set()
        server.close()
        await server.wait_closed()


def only_by_password() -> dict[str, Any]:
    """It takes mails from who knows NAME and PASSWORD."""

    def check(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, given: object) -> AuthResult:
        assert isinstance(given, LoginPassword)
        return AuthResult(success=given == LoginPassword(NAME.encode(), PASSWORD.encode()), handled=False)

    return {"authenticator": check, "auth_required": True, "auth_require_tls": False}


_LASTS: Final = timedelta(days=1)


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A server's side of TLS for 127.0.0.1, and the file by which a client trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _LASTS)
        .not_valid_after(now + _LASTS)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, SHA256())
    )
    both = folder / "both.pem"
    public = folder / "certificate.pem"
    public.write_bytes(made.public_bytes(Encoding.PEM))
    both.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + made.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context, public
