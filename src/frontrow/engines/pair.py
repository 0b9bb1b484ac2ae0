"""PostgreSQL and Valkey together, as one copy of Frontrow runs them: begun, looked after, ended.

Who asks for only one of them (a test, somebody with a PostgreSQL of their own) gets only that one.
"""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from frontrow.engines import postgres as postgres_engine
from frontrow.engines import valkey as valkey_engine
from frontrow.engines.account import engine_account
from frontrow.engines.children import Pause, Say
from frontrow.engines.home import leave_sockets, make_data_dir, make_home, sockets_made
from frontrow.engines.only_one import only_one, runs_from
from frontrow.engines.programs import programs_for
from frontrow.engines.server import Recipe, Server
from frontrow.halt import Halt


@dataclass(frozen=True, slots=True)
class Urls:
    """Where engines that somebody else runs answer. One that they do not run has no address."""

    database_url: str | None
    valkey_url: str | None


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines while we run them. One that was not asked for has no address."""

    database: Server | None
    valkey: Server | None

    @property
    def database_url(self) -> str | None:
        return self.database.url if self.database else None

    @property
    def valkey_url(self) -> str | None:
        return self.valkey.url if self.valkey else None

    def troubled(self) -> str | None:
        """Which engines ended by themselves, and how. None: they run."""
        ends = [f"{server.name} ended by itself ({ended})" for server in self._servers if (ended := server.ended())]
        return ", ".join(ends) or None

    def revive(self) -> None:
        """Start again what ended by itself, on the data it had."""
        for server in self._servers:
            if server.ended():
                server.start()

    @property
    def _servers(self) -> Sequence[Server]:
        return [server for server in (self.database, self.valkey) if server]


@contextmanager
def running(
    data_dir: Path, *, engine_user: str, url: str, postgres: bool = True, valkey: bool = True, say: Say, pause: Pause
) -> Generator[Engines]:
    """Run engines in this folder until the end of the block. `url`: the service they are for, told to a second copy."""
    account = engine_account(engine_user)
    make_data_dir(data_dir)
    with ExitStack() as ending:
        ending.enter_context(only_one(data_dir, url=url))
        home = make_home(data_dir, account)
        ending.callback(leave_sockets, home)
        programs = programs_for(home)

        def started(recipe: Recipe) -> Server:
            server = Server(recipe, account=account, log=home.logs / f"{recipe.program}.log", say=say, pause=pause)
            server.start()
            ending.callback(server.stop)
            return server

        yield Engines(
            database=started(postgres_engine.recipe(home, programs)) if postgres else None,
            valkey=started(valkey_engine.recipe(home, programs)) if valkey else None,
        )


def running_urls(data_dir: Path) -> Urls | None:
    """Where the engines answer that another process runs from this folder. None: nobody does."""
    try:
        if not runs_from(data_dir):
            return None
        sockets = sockets_made(data_dir)
        return Urls(
            database_url=postgres_engine.url(sockets) if (sockets / postgres_engine.SOCKET).exists() else None,
            valkey_url=valkey_engine.url(sockets) if (sockets / valkey_engine.SOCKET).exists() else None,
        )
    except PermissionError:
        raise Halt(f"what runs from {data_dir} is another account's; say this as the one that started it") from None
