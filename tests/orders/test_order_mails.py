"""Mails about orders, from the job that an order leaves to a real mail server."""

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from tests.jobs.post_office import PostOffice, post_office
from tests.orders.shopping import Shop, pay

from frontrow.adapters.mail.smtp import MailServer, SmtpMailer
from frontrow.core.catalogue import Event
from frontrow.core.jobs import Job
from frontrow.core.orders import OrderId
from frontrow.flows.do_jobs import DoJobs
from frontrow.flows.mail_orders import AGAIN_SECONDS, LAPSED_MAIL, TICKETS_MAIL, tickets_again
from frontrow.processes.clock import now
from frontrow.processes.showing_orders import order_mails

NOW = datetime(2026, 11, 19, 21, tzinfo=UTC)


async def do_mails(shop: Shop, office: PostOffice) -> None:
    """What the sweeper does about mails, once."""
    mailer = SmtpMailer(MailServer.at(office.url), sender="tickets@example.org", clock=now)
    database = shop.service.database
    jobs = DoJobs(database.jobs, order_mails(database, shop.settings, mailer), chance=lambda: 0.0)
    await jobs.look()
    await jobs.finish()


async def states(shop: Shop) -> list[tuple[str, str]]:
    rows = await shop.rows("SELECT kind, state FROM job WHERE kind LIKE '%-mail' ORDER BY job_id")
    return [(row["kind"], row["state"]) for row in rows]


async def buy(shop: Shop, event: Event) -> OrderId:
    fan = shop.service.fan(1, event)
    await shop.order(fan, event, "a", 0, 1)
    assert (await pay(fan, "a")).status == 200
    [row] = await shop.rows("SELECT order_id FROM fan_order")
    return row["order_id"]


async def add(shop: Shop, job: Job) -> None:
    async with shop.service.database.transaction() as connection:
        await shop.service.database.jobs.add(connection, [job])


async def test_paying_brings_one_mail_with_the_tickets(open_shop: Shop, event: Event):
    async with post_office() as office:
        order_id = await buy(open_shop, event)
        assert office.seen == [], "nobody who pays waits for a mail server"
        await do_mails(open_shop, office)
        await do_mails(open_shop, office)
    [mail] = office.taken
    assert office.recipients == ["mara@example.org"]
    assert mail["Message-ID"] == f"<tickets-mail-{order_id}@example.org>"
    assert mail["Subject"].startswith("Your tickets: ")
    pdf, entry = mail.iter_attachments()
    assert pdf.get_content_type() == "application/pdf"
    assert (pdf.get_filename() or "").startswith("tickets-")
    assert pdf.get_content().startswith(b"%PDF-")
    assert entry.get_content_type() == "text/calendar"
    assert await states(open_shop) == [("tickets-mail", "done")]


async def test_a_mail_server_that_is_away_is_asked_again(open_shop: Shop, event: Event):
    async with post_office() as office:
        await buy(open_shop, event)
        office.to_mail = "451 not now"
        await do_mails(open_shop, office)
        assert await states(open_shop) == [("tickets-mail", "waiting")]
        office.to_mail = "250 OK"
        await open_shop.due()
        await do_mails(open_shop, office)
    assert len(office.taken) == 1
    assert await states(open_shop) == [("tickets-mail", "done")]


async def test_a_mailbox_that_is_none_is_left_alone(open_shop: Shop, event: Event):
    async with post_office() as office:
        office.to_recipient = "550 nobody of that name"
        await buy(open_shop, event)
        await do_mails(open_shop, office)
    assert office.taken == []
    assert await states(open_shop) == [("tickets-mail", "done")]


async def test_what_was_cancelled_meanwhile_is_not_mailed(open_shop: Shop, event: Event):
    async with post_office() as office:
        await buy(open_shop, event)
        await open_shop.rows("UPDATE ticket SET state = 'cancelled'")
        await do_mails(open_shop, office)
    assert office.seen == []
    assert await states(open_shop) == [("tickets-mail", "done")]


async def test_not_paid_in_time_is_told_once(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0, 1)
    [row] = await open_shop.rows("SELECT order_id FROM fan_order")
    await open_shop.over()
    await open_shop.service.database.orders.lapse_orders(event.event_id, [row["order_id"]], mail=LAPSED_MAIL)
    async with post_office() as office:
        await asyncio.gather(do_mails(open_shop, office), do_mails(open_shop, office))
    [mail] = office.taken
    assert mail["Subject"].startswith("Not paid in time: ")
    assert not list(mail.iter_attachments())


async def test_and_not_when_it_was_paid_after_all(open_shop: Shop, event: Event):
    order_id = await buy(open_shop, event)
    told = msgspec.json.encode({"order_id": order_id})
    async with post_office() as office:
        await do_mails(open_shop, office)
        await add(open_shop, Job(LAPSED_MAIL, str(order_id), told))
        await do_mails(open_shop, office)
    assert len(office.taken) == 1
    assert await states(open_shop) == [("tickets-mail", "done"), ("lapsed-mail", "done")]


async def test_a_job_for_no_order_is_given_up(open_shop: Shop):
    nobody = msgspec.json.encode({"order_id": "00000000-0000-0000-0000-000000000007"})
    async with post_office() as office:
        for job in (Job(TICKETS_MAIL, "x", nobody), Job(LAPSED_MAIL, "x", nobody)):
            await add(open_shop, job)
        await do_mails(open_shop, office)
    assert [state for _, state in await states(open_shop)] == ["dead", "dead"]


@pytest.mark.parametrize(
    ("later", "mails"),
    [(0, 2), (AGAIN_SECONDS - 1, 2), (AGAIN_SECONDS, 3)],  # NOW is the beginning of a turn
)
async def test_asked_for_again_it_is_mailed_again_and_no_mailbox_is_flooded(
    open_shop: Shop, event: Event, later: int, mails: int
):
    order_id = await buy(open_shop, event)
    async with post_office() as office:
        await do_mails(open_shop, office)
        await add(open_shop, tickets_again(order_id, now=NOW))
        await add(open_shop, tickets_again(order_id, now=NOW + timedelta(seconds=later)))
        await do_mails(open_shop, office)
    assert len(office.taken) == mails
    assert len({mail["Message-ID"] for mail in office.taken}) == mails
