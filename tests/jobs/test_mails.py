"""What mails say; those that are kept instead of sent; and the job that mails a code."""

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from tests.jobs.workshop import add, row
from tests.web.pages.reading import Page

from frontrow.adapters.mail.writing import TemplateLetters
from frontrow.adapters.postgres.pool import Database
from frontrow.core.fans import CodeKeys, EmailAddress, Nonce
from frontrow.core.jobs import GivenUp, JobId, JobTaken
from frontrow.core.mail import Letter, Mail, MailRefused
from frontrow.flows.do_jobs import DoJobs
from frontrow.flows.sign_in import SIGN_IN_MAIL, MailCodes

ADA = EmailAddress("ada@example.org")
NONCE = Nonce(b"n" * 16)
CODES = CodeKeys([b"k" * 32])
NOW = datetime(2026, 11, 19, 21, tzinfo=UTC)


def test_a_code_s_letter_says_the_same_in_both_forms():
    letter = TemplateLetters().sign_in_code("01234567")
    assert letter.subject == "01234567 is your code for Frontrow"
    page = Page(letter.html)
    for sentence in ("It works once, within 10 minutes.", "without the code nobody gets in."):
        assert sentence in letter.text
        assert sentence in page.text
    assert "01234567" in letter.text
    assert "01234567" in page.text
    assert not page.values("src")  # nothing that tells on who reads it
    assert not page.values("href")


def test_html_that_somebody_else_wrote_is_text():
    page = Page(TemplateLetters().sign_in_code("<script>").html)
    assert not page.all("script")
    assert "<script>" in page.text


# Kept.


async def test_mails_are_kept_the_newest_first_and_each_once(database: Database):
    for number in (1, 2, 2):
        await database.mails.send(Mail(f"m{number}", ADA, Letter(f"Letter {number}", "text", "<p>html</p>")))
    kept = await database.mails.newest(limit=10)
    assert [(mail.to, mail.subject, mail.text) for mail in kept] == [
        (ADA, "Letter 2", "text"),
        (ADA, "Letter 1", "text"),
    ]
    assert [mail.subject for mail in await database.mails.newest(limit=1)] == ["Letter 2"]


async def test_old_ones_are_forgotten(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("frontrow.adapters.postgres.mail.MAILS_KEPT_MAX", 2)
    for number in range(5):
        await database.mails.send(Mail(f"m{number}", ADA, Letter(str(number), "", "")))
    assert await database.mails.forget(limit=2) == 2
    assert await database.mails.forget(limit=2) == 1
    assert [mail.subject for mail in await database.mails.newest(limit=10)] == ["4", "3"]


# The job.


class Mailer:
    """Notes what it is given, and answers what it is told to."""

    def __init__(self, answer: MailRefused | None = None) -> None:
        self.sent: list[Mail] = []
        self.answer = answer

    async def send(self, mail: Mail) -> MailRefused | None:
        self.sent.append(mail)
        return self.answer


def job(payload: object) -> JobTaken:
    return JobTaken(JobId(1), SIGN_IN_MAIL.name, "key", msgspec.json.encode(payload), attempt=1)


TOLD = {"email": ADA, "nonce": NONCE.hex(), "expires_at": (NOW + timedelta(minutes=1)).isoformat()}


async def outcome(mailer: Mailer, payload: object, now: datetime = NOW) -> GivenUp | None:
    return await MailCodes(CODES, TemplateLetters(), mailer, clock=lambda: now).do(job(payload))


async def test_it_mails_the_code():
    mailer = Mailer()
    assert await outcome(mailer, TOLD) is None
    [mail] = mailer.sent
    assert mail.to == ADA
    assert CODES.code(ADA, NONCE) in mail.letter.subject


async def test_the_same_job_makes_the_same_mail():
    mailer = Mailer()
    for _ in range(2):
        await outcome(mailer, TOLD)
    assert mailer.sent[0] == mailer.sent[1]


@pytest.mark.parametrize(("minutes", "is_sent"), [(0.9, True), (1, False)])
async def test_a_code_that_is_over_is_not_mailed(minutes: float, *, is_sent: bool):
    mailer = Mailer()
    assert await outcome(mailer, TOLD, NOW + timedelta(minutes=minutes)) is None
    assert bool(mailer.sent) is is_sent


async def test_a_mailbox_that_is_not_there_is_nobody_s_to_mend():
    assert await outcome(Mailer(MailRefused("550 no such mailbox")), TOLD) is None


@pytest.mark.parametrize("payload", [{}, {"email": 7}, [], TOLD | {"expires_at": "soon"}])
async def test_what_it_does_not_understand_is_given_up(payload: object):
    mailer = Mailer()
    assert isinstance(await outcome(mailer, payload), GivenUp)
    assert mailer.sent == []


async def test_what_another_version_says_beside_that_does_no_harm():
    mailer = Mailer()
    assert await outcome(mailer, TOLD | {"language": "de"}) is None
    assert len(mailer.sent) == 1


async def test_of_what_was_mailed_nothing_stays_behind(database: Database):
    payload = json.dumps(TOLD | {"expires_at": (datetime.now(UTC) + timedelta(minutes=1)).isoformat()}).encode()
    await add(database, "a", kind=SIGN_IN_MAIL, payload=payload)
    mailer = Mailer()
    flow = DoJobs(
        database.jobs,
        {SIGN_IN_MAIL: MailCodes(CODES, TemplateLetters(), mailer, clock=lambda: datetime.now(UTC)).do},
        chance=lambda: 1.0,
    )
    await flow.look()
    await flow.finish()
    assert len(mailer.sent) == 1
    done = await row(database, "a")
    assert (done["state"], done["payload"]) == ("done", "{}")
