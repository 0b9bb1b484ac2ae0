"""`frontrow line …`: the waiting room, for operators and for who wants to check it."""

from collections.abc import Callable, Coroutine
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
import typer

from frontrow.cli.saying import say
from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line import LineRules, Policy, draw, is_promised, seed_of_tranche
from frontrow.core.line.terms import LineOrders
from frontrow.halt import Halt
from frontrow.processes import line_keeping
from frontrow.processes.whereabouts import with_database
from frontrow.settings import Settings
from frontrow.sim.line import draw_pictures
from frontrow.sim.line import simulate as run_simulation
from frontrow.sim.line_scene import Scene

app: Final = typer.Typer(help="The waiting room.", no_args_is_help=True, rich_markup_mode=None)

FANS_MAX: Final = 100_000_000
EVENT_ID_MAX: Final = 10**18 - 1
REASON_CHARS_MAX: Final = 300
DEFAULT: Final = Scene()

OfEvent = Annotated[int, typer.Option("--event", min=1, max=EVENT_ID_MAX, help="Whose line it is.")]


@app.command()
def status() -> None:
    """List the lines that are not over: phase, frontier, seats left, and what was said of each."""
    settings = Settings.read()
    for line in with_database(settings, "line status", line_keeping.look):
        left = f"cap {line.cap:,}  seats {line.seats_unsold:,}  at {line.frontier:g}"
        say(f"{line.event_id:>6}  {line.phase:<10}  {left}  {line.message or ''}".rstrip())


@app.command()
def pause(
    *,
    event: OfEvent,
    reason: Annotated[str, typer.Option(min=1, help="As fans are told it.")],
) -> None:
    """Call nobody more for a while. Places stay, and who was called may still come in."""
    if len(reason) > REASON_CHARS_MAX:
        raise Halt(f"a reason has {REASON_CHARS_MAX} characters at most: fans read it on a phone")
    _order(event, lambda orders: replace(orders, paused=reason))


@app.command()
def resume(*, event: OfEvent) -> None:
    """Go on after a pause."""
    _order(event, lambda orders: replace(orders, paused=None))


@app.command()
def throttle(
    *,
    event: OfEvent,
    per_second: Annotated[
        float | None, typer.Option(min=0, max=1_000_000, help="At most; without it as fast as fans leave.")
    ] = None,
) -> None:
    """Call no more than so many fans a second."""
    _order(event, lambda orders: replace(orders, per_second_max=per_second))


@app.command()
def drain(*, event: OfEvent) -> None:
    """Let nobody in, those who were called included. Who is inside may finish."""
    _order(event, lambda orders: replace(orders, is_drained=True))


@app.command()
def reopen(*, event: OfEvent) -> None:
    """Let fans in again after a drain."""
    _order(event, lambda orders: replace(orders, is_drained=False))


@app.command()
def verify(
    *,
    seed: Annotated[str, typer.Option(help="As it was revealed: 64 hex digits.")],
    commitment: Annotated[str, typer.Option(help="As it was published before: 64 hex digits.")],
    event: OfEvent,
    fan: Annotated[str, typer.Option(help="The fan's id.")],
    tranche: Annotated[int, typer.Option(min=0, help="In a line of tranches: which one; 0 for who gathered.")] = -1,
) -> None:
    """Recompute what a fan has drawn, from the seed that was revealed. Exit code 1 where it is not the one promised."""
    try:
        secret, promised, fan_id = bytes.fromhex(seed), bytes.fromhex(commitment), FanId(UUID(fan))
    except ValueError as error:
        raise Halt(f"seed and commitment are hex digits, a fan is a UUID: {error}") from error
    if not is_promised(secret, promised):
        raise Halt("this seed is not the one that was promised")
    drawn = draw(secret if tranche < 0 else seed_of_tranche(secret, tranche), EventId(event), fan_id)
    say(f"the seed is the one that was promised; this fan has drawn {drawn:.12f}")


@app.command()
def simulate(
    *,
    json: Annotated[bool, typer.Option("--json", help="Print one object for programs.")] = False,
    fans: Annotated[int, typer.Option(min=1_000, max=FANS_MAX, help="How many want seats.")] = DEFAULT.fans,
    policy: Annotated[Policy, typer.Option(help="What decides who comes first.")] = Policy.LOTTERY,
    cap: Annotated[int, typer.Option(min=10, max=1_000_000, help="Sessions at once.")] = DEFAULT.cap,
    seats: Annotated[int, typer.Option(min=1, max=1_000_000, help="Seats to sell.")] = DEFAULT.seats,
    plots: Annotated[Path | None, typer.Option(help="Draw pictures into this folder.")] = None,
) -> None:
    """Play a line through the real rules, in a time of its own.

    Ten million fans take about a minute. Nothing is asked of a service.
    """
    scene = Scene(fans=fans, cap=cap, seats=seats, rules=LineRules(policy=policy))
    simulated = run_simulation(scene)
    document = {**asdict(simulated.figures), "seconds": simulated.seconds, "memory_mb": simulated.memory_mb}
    if json:
        say(msgspec.json.encode(document).decode())
    else:
        for name, value in document.items():
            say(f"{name.replace('_', ' '):18}  {value}")
    if plots is not None:
        try:
            drawn = draw_pictures(scene, simulated, plots)
        except OSError as error:
            raise Halt(f"cannot write to {plots}: {error.strerror}") from error
        for path in drawn if not json else ():
            say(f"drew {path}")


def _order(event: int, change: Callable[[LineOrders], LineOrders]) -> None:
    """Change what was said of a line."""

    def work(url: str) -> Coroutine[Any, Any, str]:
        return line_keeping.order(url, EventId(event), change)

    say(with_database(Settings.read(), "line", work))
