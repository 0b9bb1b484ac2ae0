"""What a nameless fan holds comes along when they sign in, if the rules of the event allow it; if not, it is said why.

Every rule of move_hold_v1 is tried in tests/ledger; this is about who signs in, and what of it shows.
"""

from uuid import UUID, uuid4

import pytest
from tests.fans.reception import ADA, BOB, Reception, nameless
from tests.ledger.on_sale import put_on_sale
from tests.postgres.small_season import SmallSeason

from frontrow.adapters.postgres.audit import violations
from frontrow.core.catalogue import Event
from frontrow.core.fans import foreign_fan
from frontrow.core.faults import UnavailableError
from frontrow.core.holds import FanId, Hold, HoldId, HoldRequest, HoldState, Placed, Refusal
from frontrow.core.seats import SeatNo
from frontrow.flows.sign_in import SignedIn

TERMS = {"waiting_room": False, "seats_per_hold_max": 4, "tickets_per_fan_max": 4}


@pytest.fixture
async def events(desk: Reception, season: SmallSeason) -> list[Event]:
    """Two on sale: four tickets a fan."""
    async with desk.database.pool.acquire() as connection:
        return [await put_on_sale(connection, season, **TERMS) for _ in range(2)]


@pytest.fixture
def event(events: list[Event]) -> Event:
    return events[0]


async def hold(desk: Reception, event: Event, fan_id: FanId, *seats: int) -> HoldId:
    request = HoldRequest(HoldId(uuid4()), fan_id, tuple(map(SeatNo, seats)))
    batch = await desk.database.ledger.hold_seats(event.event_id, [request])
    assert isinstance(batch.answers[0], Placed), batch.answers
    return request.hold_id


async def signed_in(desk: Reception, before: FanId | None) -> SignedIn:
    entry = await desk.sign_in.verify(ADA, await desk.code_for(ADA), before=before)
    assert entry is not None
    return entry


async def owner(desk: Reception, hold_id: HoldId) -> UUID:
    return await desk.database.pool.fetchval("SELECT fan_id FROM hold WHERE hold_id = $1", hold_id)


async def test_held_seats_come_along(desk: Reception, event: Event):
    hold_id = await hold(desk, event, nameless(), 0, 1)
    entry = await signed_in(desk, nameless())
    [met] = entry.holds
    assert (met.event_id, met.hold_id, met.is_brought) == (event.event_id, hold_id, True)
    assert entry.nameless == nameless()
    found = await desk.database.journal.hold(hold_id, entry.fan.fan_id)
    assert found is not None
    assert found[1].state is HoldState.HELD
    assert await desk.database.journal.hold(hold_id, nameless()) is None
    assert await violations(desk.database.pool) == []


async def test_those_of_every_event(desk: Reception, events: list[Event]):
    holds = {await hold(desk, event, nameless(), 0) for event in events}
    entry = await signed_in(desk, nameless())
    assert {met.hold_id for met in entry.holds if met.is_brought} == holds


async def test_they_end_when_they_would_have(desk: Reception, event: Event):
    hold_id = await hold(desk, event, nameless(), 0)
    ends = await desk.database.pool.fetchval("SELECT expires_at FROM hold")
    await signed_in(desk, nameless())
    rows = await desk.database.pool.fetch("SELECT expires_at FROM hold UNION SELECT expires_at FROM claim")
    assert [row["expires_at"] for row in rows] == [ends], hold_id


async def test_nobody_else_s(desk: Reception, event: Event):
    theirs, others = await hold(desk, event, nameless(1), 0), await hold(desk, event, nameless(2), 1)
    entry = await signed_in(desk, nameless(1))
    assert await owner(desk, theirs) == entry.fan.fan_id
    assert await owner(desk, others) == nameless(2)


async def test_where_the_fan_holds_already_they_stay_and_it_is_said(desk: Reception, event: Event):
    fan_id = await desk.fan_of(ADA)
    await hold(desk, event, fan_id, 0)
    left = await hold(desk, event, nameless(), 1)
    [met] = (await signed_in(desk, nameless())).holds
    assert (met.is_brought, met.answer) == (False, Refusal.HOLD_EXISTS)
    assert await owner(desk, left) == nameless()  # held until its time is over, and by its token still to be had


async def test_beyond_the_limit_they_stay_and_it_is_said(desk: Reception, event: Event):
    fan_id = await desk.fan_of(ADA)
    bought = await hold(desk, event, fan_id, 0, 1)
    await desk.database.ledger.begin_checkouts(event.event_id, [(bought, fan_id)], pay_seconds=60)
    await desk.database.ledger.sell_holds(event.event_id, [bought])
    await hold(desk, event, nameless(), 2, 3, 4)
    [met] = (await signed_in(desk, nameless())).holds
    assert (met.is_brought, met.answer) == (False, Refusal.LIMIT_REACHED)


async def test_what_is_being_paid_stays_with_who_pays(desk: Reception, event: Event):
    hold_id = await hold(desk, event, nameless(), 0)
    await desk.database.ledger.begin_checkouts(event.event_id, [(hold_id, nameless())], pay_seconds=60)
    [met] = (await signed_in(desk, nameless())).holds
    assert not met.is_brought
    assert isinstance(met.answer, Hold)
    assert met.answer.state is HoldState.CHECKOUT
    assert await owner(desk, hold_id) == nameless()


async def test_a_fan_with_an_address_brings_nothing(desk: Reception, event: Event):
    bob = await desk.fan_of(BOB)
    hold_id = await hold(desk, event, bob, 0)
    entry = await signed_in(desk, bob)
    assert (entry.nameless, entry.holds) == (None, [])
    assert await owner(desk, hold_id) == bob


async def test_a_fan_whom_an_identity_service_knows_brings_nothing(desk: Reception, event: Event):
    elsewhere = foreign_fan("https://id.example", "7")
    hold_id = await hold(desk, event, elsewhere, 0)
    entry = await signed_in(desk, elsewhere)
    assert (entry.nameless, entry.holds) == (None, [])
    assert await owner(desk, hold_id) == elsewhere


async def test_who_signs_in_wrongly_brings_nothing(desk: Reception, event: Event):
    hold_id = await hold(desk, event, nameless(), 0)
    code = await desk.code_for(ADA)
    assert await desk.sign_in.verify(BOB, code, before=nameless()) is None
    assert await owner(desk, hold_id) == nameless()


async def test_a_move_that_fails_loses_nothing_and_the_next_sign_in_brings_it(
    desk: Reception, event: Event, monkeypatch: pytest.MonkeyPatch
):
    hold_id = await hold(desk, event, nameless(), 0)
    code = await desk.code_for(ADA)

    async def away(*_: object, **__: object) -> None:
        raise UnavailableError

    with monkeypatch.context() as patch:
        patch.setattr(type(desk.database.ledger), "move_hold", away)
        with pytest.raises(UnavailableError):
            await desk.sign_in.verify(ADA, code, before=nameless())
    assert await owner(desk, hold_id) == nameless()
    [met] = (await signed_in(desk, nameless())).holds
    assert met.is_brought


async def test_signing_in_again_finds_nothing_more(desk: Reception, event: Event):
    await hold(desk, event, nameless(), 0)
    await signed_in(desk, nameless())
    assert (await signed_in(desk, nameless())).holds == []
