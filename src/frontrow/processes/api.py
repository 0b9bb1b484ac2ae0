"""The service that fans and organizers call: hot paths, the REST API and the pages, with what they need."""

import random
import secrets
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from uuid import UUID

from frontrow import __version__
from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.postgres.search import connected_for_search
from frontrow.adapters.valkey import connection as valkey
from frontrow.adapters.valkey.connection import Valkey
from frontrow.adapters.valkey.lines import ValkeyLines
from frontrow.core.access_codes import AccessCodes, PassKeys
from frontrow.core.catalogue import EventId
from frontrow.flows.at_hand import EventsAtHand
from frontrow.flows.follow_lines import Line, Lines
from frontrow.flows.guard import Guard
from frontrow.flows.hold_seats import HoldSeats
from frontrow.flows.publish_lines import PublishLines
from frontrow.flows.search import Search
from frontrow.flows.use_access_code import UseAccessCode
from frontrow.processes.alongside import alongside
from frontrow.processes.cancelling import cancelling
from frontrow.processes.clock import now
from frontrow.processes.fans import fans
from frontrow.processes.guarding import guard
from frontrow.processes.live_map import live_map
from frontrow.processes.paying import orders
from frontrow.processes.serving import Streaming, clients, limits
from frontrow.processes.signing_keys import signing_secrets
from frontrow.processes.waiting_room import WaitingRoom, lines_of, seconds, waiting_room
from frontrow.processes.whereabouts import database_of, valkey_of
from frontrow.settings import Settings
from frontrow.web import app as front
from frontrow.web.access import Access, AccessCalls
from frontrow.web.admission import Admission, Door
from frontrow.web.api import empty_api
from frontrow.web.catalogue import add_browsing
from frontrow.web.clients import Clients
from frontrow.web.health import Readiness
from frontrow.web.holds import Holds
from frontrow.web.hot import Hot
from frontrow.web.metrics import Metrics, share_numbers
from frontrow.web.openapi_calls import describing
from frontrow.web.pages.presale import PresalePage
from frontrow.web.pages.site import draw_problem, pages
from frontrow.web.pages.visits import Shop
from frontrow.web.pages.waiting import WaitingPages
from frontrow.web.search import SearchPace, add_searching

WAITS_SECONDS_MAX: Final = 0.5  # a hold that waits for so long: fewer fans are let in until it is better


@asynccontextmanager
async def opened(settings: Settings, *, numbers: Path | None = None) -> AsyncGenerator[Streaming]:
    """The service with its connections. `numbers`: the folder where several workers count together."""
    if numbers is not None:
        share_numbers(numbers)
    async with AsyncExitStack() as ending:
        database = await pool.connect(database_of(settings), connections_max=settings.database_connections_max)
        ending.push_async_callback(database.close)
        memory = valkey.connect(valkey_of(settings))
        ending.push_async_callback(memory.close)
        metrics = Metrics(numbers)
        events = EventsAtHand(database.catalogue, database.journal)
        asking = clients(settings)
        shown = await ending.enter_async_context(live_map(events, database.catalogue, settings, metrics))
        lines = lines_of(memory)
        known = await ending.enter_async_context(fans(database, settings, asking, lines))
        sold, shop = await ending.enter_async_context(_sold(database, events, known.admission, asking, settings))
        paid = await ending.enter_async_context(orders(database, events, known.admission, shop, settings))
        hot = [*shown.hot, *sold, *known.hot, *paid.hot]
        search = Search(await ending.enter_async_context(connected_for_search(database_of(settings))))
        watch = guard(memory, metrics, settings)
        room = await ending.enter_async_context(
            _waiting_room(database, memory, lines, known.admission, shop, watch, settings)
        )
        access = _access(database, known.admission, asking, settings)
        using_codes = AccessCalls(access, events, behind_tls=settings.behind_tls).use
        hot = [*hot, *room.hot, Hot("POST", "/api/v1/events/{event}/access", using_codes)]
        api = empty_api(__version__, describing(hot))
        add_browsing(api, search, database.catalogue, now)
        known = replace(known, pages=[*known.pages, *WaitingPages(shop, room.calls).routes()])
        pace = SearchPace(asking)
        add_searching(api, search, now, pace)
        app = front.build(
            api=api,
            pages=pages(
                catalogue=database.catalogue,
                search=search,
                pace=pace,
                clock=now,
                shop=shop,
                more=[*PresalePage(shop, access).routes(), *known.pages, *paid.pages],
            ),
            hot=hot,
            readiness=Readiness(needed=[database.part], useful=[memory.part]),
            metrics=metrics,
            limits=limits(settings),
            draw=draw_problem,
        )
        yield Streaming(app, shown.end_streams)


@asynccontextmanager
async def _sold(
    database: Database, events: EventsAtHand, admission: Admission, asking: Clients, settings: Settings
) -> AsyncGenerator[tuple[list[Hot], Shop]]:
    """The paths on which seats are had, and what the pages share with them."""
    hold_seats = HoldSeats(database.ledger, database.journal, events, chance=random.random)
    holds = Holds(hold_seats, events, admission, asking)
    shop = Shop(database.catalogue, now, events, hold_seats, admission, _new_id, settings.behind_tls)
    try:
        yield (
            [
                Hot("POST", "/api/v1/events/{event}/holds", holds.place),
                Hot("GET", "/api/v1/holds/{hold}", holds.look_up),
                Hot("DELETE", "/api/v1/holds/{hold}", holds.give_back),
                cancelling(database, events, admission, settings),
            ],
            shop,
        )
    finally:
        await hold_seats.close()


@asynccontextmanager
async def _waiting_room(
    database: Database,
    memory: Valkey,
    lines: Lines,
    admission: Admission,
    shop: Shop,
    watch: Guard,
    settings: Settings,
) -> AsyncGenerator[WaitingRoom]:
    """The door of this process, and what it publishes for others."""
    publish = PublishLines(
        database.lines,
        ValkeyLines(memory.client),
        lines,
        is_well=lambda: shop.hold_seats.waits_seconds < WAITS_SECONDS_MAX,
        now=seconds,
    )

    async def find(event_id: EventId) -> Line | None:
        at_hand = await shop.events.get(event_id)
        return await publish.find(event_id) if at_hand and at_hand.event.waiting_room else None

    without_line = Door(admission, shop.events, behind_tls=settings.behind_tls).enter
    async with (
        waiting_room(memory, lines, admission, settings, guard=watch, find=find, without_line=without_line) as room,
        alongside(publish.run()),
    ):
        yield room


def _access(database: Database, known: Admission, asking: Clients, settings: Settings) -> Access:
    """Codes of presales."""
    keys = signing_secrets(settings)
    use_code = UseAccessCode(AccessCodes(keys), PassKeys(keys), database.access_codes)
    return Access(use_code, known, database.fans, asking)


def _new_id() -> UUID:
    return UUID(bytes=secrets.token_bytes(16), version=4)
