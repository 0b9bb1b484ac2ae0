"""`frontrow line …`: the waiting room, for operators and for who wants to check it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from frontrow.cli.saying import say
from frontrow.core.line import LineRules, Policy
from frontrow.halt import Halt
from frontrow.sim.line import draw_pictures
from frontrow.sim.line import simulate as run_simulation
from frontrow.sim.line_scene import Scene

app: Final = typer.Typer(help="The waiting room.", no_args_is_help=True, rich_markup_mode=None)

FANS_MAX: Final = 100_000_000
DEFAULT: Final = Scene()


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
