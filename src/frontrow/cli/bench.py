"""`frontrow bench …`: how fast all of it is on this machine, on engines of its own that are gone afterwards."""

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
import typer

from frontrow.bench import feed as bench_feed
from frontrow.bench import holds as bench_holds
from frontrow.bench import lab
from frontrow.bench import line as bench_line
from frontrow.bench import map as bench_map
from frontrow.bench import pay as bench_pay
from frontrow.bench import search as bench_search
from frontrow.bench.on_sale import HALLS, HallName
from frontrow.bench.plot import plot as drawn
from frontrow.bench.tables import figures_table, holds_table, lab_table
from frontrow.cli.saying import say
from frontrow.engines.children import Pause
from frontrow.halt import Halt
from frontrow.processes.clock import now
from frontrow.processes.stopping import StopRequested, stop_requests
from frontrow.settings import Settings

Result = TypeVar("Result")

app: Final = typer.Typer(help="How fast it is on this machine.", no_args_is_help=True, rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="Print one object for programs.")]
InHall = Annotated[HallName, typer.Option("--hall", help="The demo's hall that every event is in.")]


@app.command()
def holds(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long each part runs.")] = bench_holds.SECONDS,
    crowd: Annotated[int, typer.Option(min=100, max=1_000_000, help="Fans for the same 50 seats.")] = bench_holds.CROWD,
    hall: InHall = HallName.STADIUM,
) -> None:
    """Measure holds over HTTP, with all guards on.

    Compares them with the database by itself and with a Redis lock, and proves in SQL that they are true. Exit code 1
    when they are not.
    """
    plan = bench_holds.Plan(hall=HALLS[hall](), seconds=seconds, crowd=crowd)
    settings = Settings.read()
    figures = _measured(lambda pause: bench_holds.measure(settings, plan, clock=now, say=_progress, pause=pause))
    _tell(asdict(figures), holds_table(figures), json=json)
    if figures.violations:
        raise typer.Exit(1)


@app.command()
def strategies(
    *,
    json: AsJson = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the figures into this SVG file.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long each cell runs.")] = lab.CELL_SECONDS,
    clients: Annotated[
        list[int] | None, typer.Option(min=1, max=1_024, help="How many at once; again for more than one crowd.")
    ] = None,
    tuned: Annotated[bool, typer.Option("--tuned", help="The others as fast as we can make them.")] = False,
    hall: InHall = HallName.STADIUM,
) -> None:
    """Measure six ways of holding seats, side by side on the same load.

    Each is proved in SQL. Exit code 1 when one of them lied.
    """
    plan = lab.Plan(hall=HALLS[hall](), seconds=seconds, clients=clients or lab.CLIENTS, tuned=tuned)
    settings = Settings.read()
    examined = _measured(lambda pause: lab.laboratory(settings, plan, say=_progress, pause=pause))
    if plot is not None:
        _draw(plot, drawn(examined))
    violations = sum(each.proof.violations for each in examined)
    document = {"tuned": tuned, "strategies": [each.document() for each in examined], "violations": violations}
    _tell(document, lab_table(examined), json=json)
    if violations:
        raise typer.Exit(1)


@app.command("map")
def snapshots(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long each part runs.")] = bench_map.SECONDS,
) -> None:
    """Measure snapshots of a stadium from one process, while seats change; and how large they and the map are."""
    settings = Settings.read()
    shown = _measured(lambda pause: bench_map.measure(settings, seconds=seconds, say=_progress, pause=pause))
    _tell(asdict(shown), figures_table(asdict(shown)), json=json)


@app.command()
def feed(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long they watch.")] = bench_feed.SECONDS,
    clients: Annotated[int, typer.Option(min=1, max=5_000, help="Fans who watch.")] = bench_feed.CLIENTS,
) -> None:
    """Measure how soon fans who watch one process see a thousand seats a second change.

    Exit code 1 when one of them ends with another map than PostgreSQL's.
    """
    plan = bench_feed.Plan(clients=clients, seconds=seconds)
    settings = Settings.read()
    watched = _measured(lambda pause: bench_feed.measure(settings, plan, say=_progress, pause=pause))
    _tell(asdict(watched), figures_table(asdict(watched)), json=json)
    if watched.wrong_seats:
        raise typer.Exit(1)


@app.command()
def search(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long each part runs.")] = bench_search.SECONDS,
    events: Annotated[int, typer.Option(min=1_000, max=500_000, help="In the catalogue.")] = bench_search.EVENTS,
) -> None:
    """Measure searches and suggestions in a large catalogue, and whether they find what they should."""
    plan = bench_search.Plan(events=events, seconds=seconds)
    settings = Settings.read()
    figures = asdict(
        _measured(lambda pause: bench_search.measure(settings, plan, clock=now, say=_progress, pause=pause))
    )
    _tell(figures, figures_table({name: value for name, value in figures.items() if name != "missed"}), json=json)


@app.command()
def pay(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long fans buy.")] = bench_pay.SECONDS,
    hall: InHall = HallName.STADIUM,
) -> None:
    """Measure orders over HTTP, from a hold to tickets, beside a provider that takes 50 ms a call.

    Asks the audit and the provider's own books whether it was true. Exit code 1 when it was not.
    """
    plan = bench_pay.Plan(hall=HALLS[hall](), seconds=seconds)
    settings = Settings.read()
    figures = asdict(_measured(lambda pause: bench_pay.measure(settings, plan, clock=now, say=_progress, pause=pause)))
    _tell(figures, figures_table(figures), json=json)
    if figures["violations"]:
        raise typer.Exit(1)


@app.command()
def line(
    *,
    json: AsJson = False,
    seconds: Annotated[float, typer.Option(min=0.1, max=60, help="How long each part runs.")] = bench_line.SECONDS,
) -> None:
    """Measure how many fans one process of a waiting room answers: who waits, who looks at the line, who joins."""
    settings = Settings.read()
    waited = asdict(
        _measured(lambda pause: bench_line.measure(settings, seconds=seconds, clock=now, say=_progress, pause=pause))
    )
    _tell(waited, figures_table(waited), json=json)


def _measured(work: Callable[[Pause], Result]) -> Result:
    """Do the work. Ctrl-C gives it up, and stops what was started for it."""
    try:
        with stop_requests() as pause:
            return work(pause)
    except StopRequested as request:
        raise Halt(f"given up ({request.by.name})") from None


def _tell(document: Mapping[str, object], table: Iterable[str], *, json: bool) -> None:
    if json:
        say(msgspec.json.encode(document).decode())
        return
    for line in table:
        say(line)


def _draw(path: Path, picture: str) -> None:
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise Halt(f"cannot write to {path}: {error.strerror}") from error


def _progress(piece: str) -> None:
    """How it goes. It is no part of the result, so it goes to standard error, and on without a reader."""
    with suppress(OSError):
        print(piece, end="", file=sys.stderr, flush=True)
