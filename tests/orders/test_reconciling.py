"""Everything is compared with the provider, both ways: what can be repaired is, and the rest is told."""

from datetime import timedelta

import pytest
from tests.orders.shopping import Shop, pay, read

from frontrow.core.catalogue import Event
from frontrow.flows import reconcile
from frontrow.flows.reconcile import Difference, Reconcile, Reconciled
from frontrow.processes.clock import now
from frontrow.processes.paying import paying


@pytest.fixture(autouse=True)
def nothing_is_young(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile, "YOUNG", timedelta(0))


async def compared(shop: Shop, since: timedelta) -> Reconciled:
    """Of the payments since then: those of other tests are older."""
    database = shop.service.database
    async with paying(database, shop.settings, lambda _event_id, _update, _asked_at: None) as payments:
        comparing = Reconcile(payments.provider, payments.attempts, payments.settlement)
        return await comparing.compare(since=now() - since, now=now() + timedelta(seconds=2))


def ours(found: Reconciled, refs: set[str]) -> list[tuple[Difference, bool]]:
    """The findings about these payments."""
    return [(finding.kind, finding.is_repaired) for finding in found.findings if finding.ref in refs]


async def refs_of(shop: Shop) -> set[str]:
    return {row["provider_ref"] for row in await shop.rows("SELECT provider_ref FROM payment_attempt")}


async def test_what_agrees_is_not_told(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a", "pm_declined", "1")
    await pay(fan, "a", "pm_ok", "2")
    found = await compared(open_shop, timedelta(hours=1))
    assert found.attempts == 2
    assert ours(found, await refs_of(open_shop)) == []


async def test_what_was_forgotten_here_is_found(open_shop: Shop, event: Event):
    """The database was put back to before the payment was decided."""
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0, 1)
    await pay(fan, "a", "pm_challenge")
    refs = await refs_of(open_shop)
    [url] = [row["next_url"] for row in await open_shop.rows("SELECT next_url FROM payment_attempt")]
    open_shop.psp.asked("POST", url.removeprefix(open_shop.psp.url), data={"answer": "approve"})
    assert ours(await compared(open_shop, timedelta(hours=1)), refs) == [(Difference.UNDECIDED, True)]
    assert (await read(fan, "a")).json()["state"] == "paid"
    assert ours(await compared(open_shop, timedelta(hours=1)), refs) == []
    assert await open_shop.violations() == []


async def test_money_for_what_was_declined_here_goes_back(open_shop: Shop, event: Event):
    fan, kept = open_shop.service.fan(1, event), open_shop.money().get("kept", 0)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a", "pm_challenge")
    refs = await refs_of(open_shop)
    [url] = [row["next_url"] for row in await open_shop.rows("SELECT next_url FROM payment_attempt")]
    await open_shop.service.database.pool.execute(
        "UPDATE payment_attempt SET state = 'declined', reason = 'odd', next_url = NULL, ask_at = NULL"
    )
    open_shop.psp.asked("POST", url.removeprefix(open_shop.psp.url), data={"answer": "approve"})
    assert ours(await compared(open_shop, timedelta(hours=1)), refs) == [(Difference.OTHERWISE, True)]
    await open_shop.sweep()
    assert open_shop.money().get("kept", 0) == kept
    assert await open_shop.violations() == []


async def test_a_payment_without_an_attempt_is_told_and_left_alone(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a")
    refs, before = await refs_of(open_shop), open_shop.money()
    for table in ("ticket", "money_entry", "payment_attempt"):
        await open_shop.service.database.pool.execute(f"DELETE FROM {table}")  # noqa: S608 -- ours
    found = await compared(open_shop, timedelta(hours=1))
    assert ours(found, refs) == [(Difference.NOT_HERE, False)]
    assert open_shop.money() == before


async def test_other_amounts_are_told(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a")
    refs = await refs_of(open_shop)
    await open_shop.service.database.pool.execute("UPDATE payment_attempt SET amount_minor = amount_minor + 1")
    assert ours(await compared(open_shop, timedelta(hours=1)), refs) == [(Difference.AMOUNT, False)]


async def test_an_attempt_without_a_payment_is_told(open_shop: Shop, event: Event):
    fan = open_shop.service.fan(1, event)
    await open_shop.order(fan, event, "a", 0)
    await pay(fan, "a")
    await open_shop.service.database.pool.execute("UPDATE payment_attempt SET attempt_id = gen_random_uuid()")
    found = ours(await compared(open_shop, timedelta(hours=1)), await refs_of(open_shop))
    assert sorted(found) == [(Difference.NOT_HERE, False), (Difference.NOT_THERE, False)]
