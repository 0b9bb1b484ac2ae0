"""`frontrow psp-sim`: a payment provider that runs beside Frontrow, for the demo and for tests."""

import socket
from typing import Annotated

import typer

from frontrow.processes.listening import listen, url_of
from frontrow.processes.serving import answer
from frontrow.psp_sim.calls import Waits
from frontrow.psp_sim.limits import Rates
from frontrow.psp_sim.service import API_KEY, PORT, WEBHOOK_SECRET, Options
from frontrow.settings import Settings

Texts = list[str]


def psp_sim(
    *,
    port: Annotated[int, typer.Option(min=1, max=65535, help="TCP port to listen on.")] = PORT,
    webhook_url: Annotated[str | None, typer.Option(help="Whom to tell of events; nobody if not set.")] = None,
    webhook_secret: Annotated[
        Texts | None,
        typer.Option(help=f"Signs webhooks; several while one takes over from another. [{WEBHOOK_SECRET}]"),
    ] = None,
    webhook_type: Annotated[
        Texts | None, typer.Option(help="A type of event to tell of; say it once for each. [all]")
    ] = None,
    api_key: Annotated[Texts | None, typer.Option(help=f"Who may ask; several may. [{API_KEY}]")] = None,
    latency_ms: Annotated[float, typer.Option(min=0, max=60_000, help="How long each call takes.")] = 50.0,
    late_seconds: Annotated[float, typer.Option(min=0, help="How late the money of pm_late is.")] = 720.0,
    calls_per_second: Annotated[
        float | None, typer.Option(min=1, help="Calls that are answered in a second; a real account allows 100.")
    ] = None,
    calls_per_second_each: Annotated[
        float | None, typer.Option(min=1, help="The same for each endpoint; a real account allows 25.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws which calls a fault strikes.")] = 1,
    listening: Annotated[int | None, typer.Option(hidden=True, help="An open socket, to serve on that.")] = None,
) -> None:
    """Run a payment provider for trying things out. It answers like Stripe; no money moves.

    Its page is at its address. Whoever reaches it may use it, so let it listen on this machine alone.
    """
    # It brings a client for HTTP along, which takes a quarter of a second that no other command should wait.
    from frontrow.processes.psp_sim import opened  # noqa: PLC0415 -- for that reason

    settings = Settings.read().model_copy(update={"port": port})
    options = Options(
        public_url=url_of(settings),
        api_keys=api_key or [API_KEY],
        webhook_url=webhook_url,
        webhook_secrets=webhook_secret or [WEBHOOK_SECRET],
        webhook_types=frozenset(webhook_type or ["*"]),
        latency_seconds=latency_ms / 1000,
        waits=Waits(late=late_seconds),
        rates=Rates(overall=calls_per_second, each=calls_per_second_each),
        seed=seed,
    )
    taken = listen(settings) if listening is None else socket.socket(fileno=listening)
    answer(opened(settings, options), taken, settings)
