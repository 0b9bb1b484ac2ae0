"""The ledger for people and for audits: what became of each intent's money, and of all of it."""

from typing import Final

import msgspec

from frontrow.psp_sim.ledger import Standing
from frontrow.psp_sim.store import Store

INTENTS_MAX: Final = 5_000  # of one answer; a fifth of a second


class Told(msgspec.Struct, frozen=True):
    """Minor units. Authorized is captured, voided and still kept together."""

    authorized: int
    captured: int
    voided: int
    refunded: int  # those on their way among them; those that came back not
    refund_pending: int
    kept: int
    ours: int


class ToldIntent(msgspec.Struct, frozen=True):
    """One intent's money."""

    id: str
    status: str
    currency: str
    amount: int
    metadata: dict[str, str]
    money: Told


class Page(msgspec.Struct, frozen=True):
    """Some of the intents, the oldest first, and all of the money."""

    totals: dict[str, Told]  # by currency
    intents: list[ToldIntent]
    has_more: bool
    next: int  # say `after=` this


def told(standing: Standing) -> Told:
    refunded = standing.refunded - standing.refund_failed
    return Told(
        authorized=standing.authorized,
        captured=standing.captured,
        voided=standing.voided,
        refunded=refunded,
        refund_pending=refunded - standing.refund_arrived,
        kept=standing.authorized - standing.captured - standing.voided,
        ours=standing.captured - refunded,
    )


def totals(store: Store) -> dict[str, Told]:
    return {currency: told(standing) for currency, standing in store.totals().items()}


def page(store: Store, *, after: int, limit: int) -> Page:
    rows = store.standings(after=after, limit=min(limit, INTENTS_MAX) + 1)
    has_more = len(rows) > min(limit, INTENTS_MAX)
    rows = rows[: min(limit, INTENTS_MAX)]
    intents = [
        ToldIntent(intent.id, intent.status.value, intent.currency, intent.amount, intent.metadata, told(standing))
        for _, intent, standing in rows
    ]
    return Page(totals(store), intents, has_more=has_more, next=rows[-1][0] if rows else after)
