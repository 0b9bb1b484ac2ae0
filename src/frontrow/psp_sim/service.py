"""All of psp-sim put together, from its options to the application that answers."""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from frontrow.psp_sim.afterwards import Afterwards, Post
from frontrow.psp_sim.app import App
from frontrow.psp_sim.books import Books
from frontrow.psp_sim.calls import Waits
from frontrow.psp_sim.desk import Clock, Desk
from frontrow.psp_sim.faults import Faults
from frontrow.psp_sim.limits import Limits, Rates
from frontrow.psp_sim.pages import Pages
from frontrow.psp_sim.store import Store

PORT: Final = 12111  # as other stand-ins for Stripe have it
API_KEY: Final = "sk_test_frontrow"  # no secret: there is no money behind it
WEBHOOK_SECRET: Final = "whsec_frontrow"  # noqa: S105 -- the same
ID_BYTES: Final = 8  # of chance; nobody can guess one, and no two are the same


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What may be turned before the start. The defaults are those of a provider that never makes anybody wait."""

    public_url: str  # where a buyer's browser finds the bank
    api_keys: Sequence[str] = (API_KEY,)
    webhook_url: str | None = None
    webhook_secrets: Sequence[str] = (WEBHOOK_SECRET,)
    webhook_types: frozenset[str] = frozenset({"*"})
    latency_seconds: float = 0.0
    waits: Waits = Waits(late=720.0)
    rates: Rates = Rates()
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Service:
    """Close the store when it is over."""

    app: App
    afterwards: Afterwards
    store: Store
    books: Books


def opened(folder: Path, options: Options, *, clock: Clock, post: Post) -> Service:
    """Take the folder, and be ready to answer."""
    store = Store(folder)
    books = Books(
        store,
        Faults(store, chance=random.Random(options.seed)),  # noqa: S311 -- which fault strikes, and no secret
        ids=Ids(clock),
        bank=options.public_url,
        events_wanted=options.webhook_types if options.webhook_url else frozenset(),
    )
    afterwards = Afterwards(books, clock=clock, post=post, secrets=options.webhook_secrets)
    desk = Desk(
        books,
        api_keys=options.api_keys,
        clock=clock,
        limits=Limits(options.rates),
        latency_seconds=options.latency_seconds,
        waits=options.waits,
        changed=afterwards.wake,
    )
    pages = Pages(books, clock=clock, changed=afterwards.wake)
    return Service(App(desk, store, pages), afterwards, store, books)


class Ids:
    """Makes ids that grow with time, as Stripe's do: what is new lies side by side in the storage."""

    def __init__(self, clock: Clock) -> None:
        self._now = clock.now

    def __call__(self, prefix: str) -> str:
        """A new one, of this prefix."""
        return f"{prefix}{int(self._now() * 1e6):014x}{secrets.token_hex(ID_BYTES)}"
