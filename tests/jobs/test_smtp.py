"""Mails handed in at a real mail server: what it gets, and what its answers mean."""

import ssl
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.jobs.post_office import NAME, PASSWORD, certificate, only_by_password, post_office

from frontrow.adapters.mail.smtp import MailServer, SmtpMailer
from frontrow.adapters.mail.writing import TemplateLetters
from frontrow.core.fans import EmailAddress
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.mail import Letter, Mail, MailRefused

ADA = EmailAddress("ada@example.org")
NOW = datetime(2026, 11, 19, 21, tzinfo=UTC)
LETTER = TemplateLetters().sign_in_code("12345678")


def mailer(url: str, sender: str = "Frontrow <tickets@example.org>") -> SmtpMailer:
    return SmtpMailer(MailServer.at(url), sender=sender, clock=lambda: NOW)


def mail(to: str = ADA, letter: Letter = LETTER) -> Mail:
    return Mail("sign-in-mail-7", EmailAddress(to), letter)


async def test_it_arrives_as_it_was_written():
    async with post_office() as office:
        assert await mailer(office.url).send(mail()) is None
    [taken] = office.taken
    assert office.recipients == [ADA]
    assert taken["From"] == "Frontrow <tickets@example.org>"
    assert taken["To"] == ADA
    assert taken["Subject"] == "12345678 is your code for Frontrow"
    assert taken["Date"].datetime == NOW
    assert taken["Message-ID"] == "<sign-in-mail-7@example.org>"
    assert taken["Auto-Submitted"] == "auto-generated"
    bodies = {part: taken.get_body((part,)) for part in ("plain", "html")}
    for part, body in bodies.items():
        assert body is not None
        assert "12345678" in body.get_content(), part


@pytest.mark.parametrize(
    "sender", ["tickets@example.org", '"Rows, Front" <tickets@example.org>', "Bühne <t@example.org>"]
)
async def test_whomever_it_is_from(sender: str):
    async with post_office(enable_SMTPUTF8=True) as office:
        assert await mailer(office.url, sender).send(mail()) is None
    assert office.taken[0]["From"].addresses[0].domain == "example.org"


async def test_letters_of_all_scripts():
    letter = Letter("Dein Code für die Bühne 🎟", "Grüße\n.\n..\nFrom here\n" + "ü" * 2_000, "<p>Grüße</p>")
    async with post_office() as office:
        assert await mailer(office.url).send(mail(letter=letter)) is None
    [taken] = office.taken
    assert taken["Subject"] == letter.subject
    plain = taken.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().replace("\r\n", "\n").rstrip() == letter.text.rstrip()


async def test_an_address_of_other_letters_where_the_server_takes_them():
    async with post_office(enable_SMTPUTF8=True) as office:
        assert await mailer(office.url).send(mail("ünï@xn--bcher-kva.example")) is None
    assert office.recipients == ["ünï@xn--bcher-kva.example"]
    assert "SMTPUTF8" in office.options[0]


async def test_and_where_it_does_not():
    async with post_office() as office:
        assert isinstance(await mailer(office.url).send(mail("ünï@example.org")), MailRefused)
    assert office.seen == []


@pytest.mark.parametrize("letter", ["a\nBcc: eve@example.org", "a\r\nBcc: eve@example.org", "a\rBcc: eve@example.org"])
async def test_no_header_of_somebody_else_s_gets_in(letter: str):
    """No address or subject of ours has a line break. If one had, the mail would not go out at all."""
    for hostile in (
        Mail("7", EmailAddress(letter), LETTER),
        Mail("7", ADA, Letter(letter, "", "")),
        Mail(letter, ADA, LETTER),
    ):
        async with post_office() as office:
            with pytest.raises(ValueError, match=r"linefeed|carriage"):
                await mailer(office.url).send(hostile)
            assert office.seen == []


async def test_a_mailbox_that_is_not_there_is_refused_for_good():
    async with post_office() as office:
        office.to_recipient = "550 No such mailbox"
        answer = await mailer(office.url).send(mail())
    assert answer == MailRefused("550 No such mailbox")


@pytest.mark.parametrize(
    ("to_recipient", "to_mail"),
    [
        ("450 Mailbox busy", "250 OK"),
        ("250 OK", "451 Try later"),
        ("250 OK", "554 Looks like spam"),  # of what we write, not of whom it is for: an operator can mend it
    ],
)
async def test_what_may_be_mended_is_tried_again(to_recipient: str, to_mail: str):
    async with post_office() as office:
        office.to_recipient, office.to_mail = to_recipient, to_mail
        with pytest.raises(UnavailableError):
            await mailer(office.url).send(mail())
    assert office.taken == []


async def test_nobody_home():
    with pytest.raises(UnavailableError):
        await mailer("smtp://127.0.0.1:1").send(mail())
    assert await mailer("smtp://127.0.0.1:1").trouble()


async def test_when_the_connection_breaks_at_the_answer_nobody_knows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("frontrow.adapters.mail.smtp.ANSWER_SECONDS_MAX", 0.2)
    async with post_office() as office:
        office.is_open.clear()
        with pytest.raises(OutcomeUnknownError):
            await mailer(office.url).send(mail())
        assert len(office.seen) == 1


async def test_sent_again_it_is_the_same_mail():
    async with post_office() as office:
        for _ in range(2):
            await mailer(office.url).send(mail())
    assert len({str(taken["Message-ID"]) for taken in office.taken}) == 1


def with_password(port: int, said: str = PASSWORD) -> str:
    return f"smtp://{NAME}:{quote(said)}@127.0.0.1:{port}"


# A server that takes passwords without TLS is a bad one, and says so.
bad_server = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


@bad_server
async def test_by_password_on_this_machine():
    async with post_office(**only_by_password()) as office:
        assert await mailer(with_password(office.port)).send(mail()) is None
        assert await mailer(with_password(office.port)).trouble() is None
        with pytest.raises(UnavailableError):
            await mailer(with_password(office.port, "wrong")).send(mail())
        assert await mailer(with_password(office.port, "wrong")).trouble()


@pytest.mark.parametrize("at_once", [True, False], ids=["from the first byte", "gone over to"])
async def test_over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_once: bool):
    context, public = certificate(tmp_path)
    how = {"tls_at_once": context} if at_once else {"tls_context": context, "require_starttls": True}
    async with post_office(**how) as office:
        url = f"{'smtps' if at_once else 'smtp'}://127.0.0.1:{office.port}"
        with pytest.raises(UnavailableError, match="certificate"):  # nobody vouches for it
            await mailer(url).send(mail())
        trusting = ssl.create_default_context(cafile=public)

        def vouched_for(*_: object, **__: object) -> ssl.SSLContext:
            return trusting

        monkeypatch.setattr("ssl.create_default_context", vouched_for)
        assert await mailer(url).send(mail()) is None
    assert len(office.taken) == 1


def test_a_password_goes_to_other_machines_over_tls_alone():
    assert MailServer.at("smtp://mail.example").has_to_go_over_to_tls is None  # if it can
    assert MailServer.at("smtp://a:b@mail.example").has_to_go_over_to_tls is True
    assert MailServer.at("smtp://a:b@127.0.0.1").has_to_go_over_to_tls is None
    assert MailServer.at("smtps://a:b@mail.example").has_to_go_over_to_tls is False  # it is TLS already


@bad_server
async def test_control_without_tls_such_a_server_gets_neither_password_nor_mail(monkeypatch: pytest.MonkeyPatch):
    def elsewhere(_: str) -> bool:
        return False

    monkeypatch.setattr("frontrow.adapters.mail.smtp._is_here", elsewhere)
    async with post_office(**only_by_password()) as office:
        with pytest.raises(UnavailableError, match="STARTTLS"):
            await mailer(with_password(office.port)).send(mail())
    assert office.seen == []


@pytest.mark.parametrize(
    ("url", "host", "port", "name", "password"),
    [
        ("smtp://mail.example", "mail.example", 25, None, None),
        ("smtps://mail.example", "mail.example", 465, None, None),
        ("smtp://mail.example:587", "mail.example", 587, None, None),
        ("smtp://a%40b.example:p%3A%40s@[::1]:25", "::1", 25, "a@b.example", "p:@s"),
    ],
)
def test_where_a_url_leads(url: str, host: str, port: int, name: str | None, password: str | None):
    server = MailServer.at(url)
    assert (server.host, server.port, server.name, server.password) == (host, port, name, password)
