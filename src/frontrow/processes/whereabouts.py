"""Where PostgreSQL and Valkey are: named in the settings, run from the data folder by another Frontrow, or nowhere."""

from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from frontrow.engines.children import Pause
from frontrow.engines.pair import Urls, running, running_urls
from frontrow.halt import Halt
from frontrow.processes.stopping import StopRequested, run, stop_requests
from frontrow.settings import Settings

Result = TypeVar("Result")

NO_DATABASE: Final = (
    "there is no PostgreSQL: run `frontrow up`, or name yours with FRONTROW_DATABASE_URL=postgresql://…"
)
NO_VALKEY: Final = "there is no Valkey: run `frontrow up`, or name yours with FRONTROW_VALKEY_URL=redis://…"


def servers_of(settings: Settings) -> Urls:
    """What the settings name; for the rest, what runs from the data folder."""
    if settings.database_url and settings.valkey_url:
        return Urls(settings.database_url, settings.valkey_url)
    embedded = running_urls(settings.data_dir) or Urls(None, None)
    return Urls(settings.database_url or embedded.database_url, settings.valkey_url or embedded.valkey_url)


def database_of(settings: Settings) -> str:
    """PostgreSQL, for a process that cannot begin without knowing it."""
    if url := servers_of(settings).database_url:
        return url
    raise Halt(NO_DATABASE)


def valkey_of(settings: Settings) -> str:
    """Valkey, for a process that cannot begin without knowing it. Whether it answers is another matter."""
    if url := servers_of(settings).valkey_url:
        return url
    raise Halt(NO_VALKEY)


def with_database(settings: Settings, purpose: str, work: Callable[[str], Coroutine[Any, Any, Result]]) -> Result:
    """Do one command's work with a database. Ctrl-C gives it up, and stops what was started for it."""
    try:
        with stop_requests() as pause, database_at_hand(settings, purpose, pause) as url:
            return run(work(url), pause)
    except StopRequested as request:
        raise Halt(f"given up ({request.by.name})") from None


@contextmanager
def database_at_hand(settings: Settings, purpose: str, pause: Pause) -> Generator[str]:
    """A database for one command. The embedded one is started for it where it does not run already."""
    if url := servers_of(settings).database_url:
        yield url
        return
    with running(
        settings.data_dir,
        engine_user=settings.engine_user,
        url=f"for `{purpose}`",
        valkey=False,
        say=lambda _: None,  # what the command has to say is its result
        pause=pause,
    ) as engines:
        assert engines.database_url is not None, "PostgreSQL was asked for"
        yield engines.database_url
