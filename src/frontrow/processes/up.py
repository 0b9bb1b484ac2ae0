"""All of Frontrow at once, for one machine: engines, schema, demo, and the processes that serve, kept alive.

The socket is opened first: a taken port is told before anything is started, and who comes early is answered as soon
as somebody can. What is started is stopped in the opposite order, whatever ends us.
"""

import json
import time
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

from frontrow.engines import pair
from frontrow.engines.children import Pause, Say, until
from frontrow.engines.pair import Engines
from frontrow.halt import Halt
from frontrow.processes import preparing
from frontrow.processes.listening import host_to_reach, listen, url_of
from frontrow.processes.psp_sim_beside import psp_sim_beside
from frontrow.processes.stopping import run, stop_with_parent, until_stopped
from frontrow.processes.supervising import Role, kept, look_after
from frontrow.processes.workers import workers
from frontrow.settings import Settings, handed_down

FIRST_ANSWER_SECONDS_MAX: Final = 60.0  # half a second on a laptop; a machine that is busy takes its time
ANSWER_SECONDS_MAX: Final = 3.0  # /readyz answers within 2 s, whatever is away

Plant = Callable[[str], Coroutine[Any, Any, bool]]  # plants the demo in a database; False: it was there already


@dataclass(frozen=True, slots=True)
class Plan:
    """What `frontrow up` was asked for."""

    settings: Settings
    plant: Plant | None  # None: no demo
    with_parent: bool = False


def up(plan: Plan, *, say: Say) -> None:
    """Run until somebody asks us to stop."""
    with until_stopped() as pause, ExitStack() as ending:
        listening = ending.enter_context(listen(plan.settings))
        if plan.with_parent:
            stop_with_parent()
        began = time.monotonic()
        engines = ending.enter_context(_engines(plan.settings, say=say, pause=pause))
        urls = _urls(plan.settings, engines)
        run(_prepare(plan, urls["database_url"], say), pause)
        beside = ending.enter_context(psp_sim_beside(plan.settings))
        environment = handed_down(urls | ({"psp_sim_url": beside.url} if beside else {}))
        serving = ending.enter_context(workers(plan.settings, listening, environment=environment, say=say))
        roles = [*serving, Role("sweeper", ["sweeper"], environment=environment, say=say)]
        if beside:
            roles.append(beside.role(environment=environment, say=say))
            say(f"psp-sim stands in for a payment provider at {beside.url}: no money moves\n")
        ending.enter_context(kept(roles, stop_seconds_max=plan.settings.stop_seconds_max))
        ending.callback(listening.close)  # first of all: who comes now is told at once that nobody is there
        _await_first_answer(plan.settings, roles, say=say, pause=pause)
        say(f"Frontrow is at {url_of(plan.settings)} after {time.monotonic() - began:.1f} s; Ctrl-C stops it\n")
        while True:
            _revive(engines, say)
            look_after(roles, pause)


@contextmanager
def _engines(settings: Settings, *, say: Say, pause: Pause) -> Generator[Engines]:
    """Those that the settings do not name. Where they name both, no engine makes anything in the data folder."""
    if settings.database_url and settings.valkey_url:
        yield Engines(None, None)
        return
    with pair.running(
        settings.data_dir,
        engine_user=settings.engine_user,
        url=url_of(settings),
        postgres=settings.database_url is None,
        valkey=settings.valkey_url is None,
        say=say,
        pause=pause,
    ) as engines:
        yield engines


def _urls(settings: Settings, engines: Engines) -> dict[str, str]:
    """The addresses of both, by the names of their settings."""
    database_url = settings.database_url or engines.database_url
    valkey_url = settings.valkey_url or engines.valkey_url
    assert database_url, "what is not named is started"
    assert valkey_url, "the same"
    return {"database_url": database_url, "valkey_url": valkey_url}


async def _prepare(plan: Plan, database_url: str, say: Say) -> None:
    for name in await preparing.migrate(database_url):
        say(f"schema: ran {name}\n")
    if plan.plant is not None and await plan.plant(database_url):
        say("demo: planted a season\n")


def _await_first_answer(settings: Settings, roles: Sequence[Role], *, say: Say, pause: Pause) -> None:
    """Wait until we are ready to serve. A process that ends before that will not do better the second time."""
    missed: list[str] | None = None

    def settled() -> bool:
        nonlocal missed
        missed = _missed(settings)
        return missed is not None or any(role.ended() for role in roles)

    say("api … ")
    until(settled, seconds=FIRST_ANSWER_SECONDS_MAX, pause=pause)
    for role in roles:
        if ended := role.ended():
            raise Halt(f"{role.name} does not start ({ended}); the lines above say why")
    if missed is None:
        raise Halt(f"no answer within {FIRST_ANSWER_SECONDS_MAX:.0f} s; the lines above may say why")
    say("ready\n")
    for part in missed:
        say(f"goes on without {part}\n")


def _missed(settings: Settings) -> list[str] | None:
    """What the service says that it misses. None: it is not ready, or does not answer yet."""
    with closing(HTTPConnection(host_to_reach(settings), settings.port, timeout=ANSWER_SECONDS_MAX)) as connection:
        try:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            told = answer.read()
        except (OSError, HTTPException):
            return None
    if answer.status != HTTPStatus.OK:
        return None
    return [f"{trouble['part']}: {trouble['why']}" for trouble in json.loads(told)["missed"]]


def _revive(engines: Engines, say: Say) -> None:
    if trouble := engines.troubled():
        say(f"{trouble}; starting it again\n")
        engines.revive()
