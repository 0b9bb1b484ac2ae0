"""Looking at lines, and saying something of one: for an operator, and for one command at a time."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from frontrow.adapters.postgres import pool
from frontrow.adapters.postgres.lines import PostgresLines
from frontrow.core.catalogue import EventId
from frontrow.core.faults import OutcomeUnknownError, UnavailableError
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.terms import LineOrders, LineTerms
from frontrow.halt import Halt
from frontrow.processes.clock import now


@dataclass(frozen=True, slots=True)
class LineNow:
    """One line, as an operator wants to see it."""

    event_id: EventId
    phase: LinePhase
    cap: int
    seats_unsold: int
    frontier: float
    message: str | None


async def look(url: str) -> Sequence[LineNow]:
    """All lines that are not over."""
    async with _lines(url) as lines:
        at = now().timestamp()
        found = [_now(terms, at) for terms in await lines.lines()]
        return [line for line in found if line.phase is not LinePhase.OVER]


async def order(url: str, event_id: EventId, change: Callable[[LineOrders], LineOrders]) -> str:
    """Change what was said of a line; answers what is true now."""
    async with _lines(url) as lines:
        terms = next((terms for terms in await lines.lines() if terms.event_id == event_id), None)
        if terms is None:
            raise Halt(f"event {event_id} has no line, or it is over: `frontrow line status` lists those there are")
        orders = change(
            LineOrders(paused=terms.paused, is_drained=terms.is_drained, per_second_max=terms.per_second_max)
        )
        await lines.order(event_id, orders)
        return f"event {event_id}: {_said(orders)}"


def _said(orders: LineOrders) -> str:
    if orders.is_drained:
        return "drained: nobody is let in"
    if orders.paused:
        return f"paused: {orders.paused}"
    return "moving" if orders.per_second_max is None else f"moving, {orders.per_second_max:g} a second at most"


def _now(terms: LineTerms, at: float) -> LineNow:
    return LineNow(terms.event_id, terms.phase(at), terms.cap, terms.seats_unsold, terms.frontier, terms.message)


@asynccontextmanager
async def _lines(url: str) -> AsyncGenerator[PostgresLines]:
    database = await pool.connect(url, connections_max=1)
    try:
        yield database.lines
    except (UnavailableError, OutcomeUnknownError) as error:
        raise Halt(f"PostgreSQL: {error}; try again") from error
    finally:
        await database.close()
