"""A psp-sim of our own to be asked for money while something is measured: in a folder that is gone afterwards."""

import signal
import socket
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp

from frontrow.engines.children import Child, Pause
from frontrow.processes.listening import BACKLOG
from frontrow.psp_sim.service import API_KEY
from frontrow.settings import handed_down

HOST: Final = "127.0.0.1"
STOP_SECONDS_MAX: Final = 15.0


@dataclass(frozen=True, slots=True)
class OwnPspSim:
    """Where it answers."""

    url: str

    async def minor(self, session: aiohttp.ClientSession) -> int:
        """What it has taken for us, by its own books."""
        headers = {"authorization": f"Bearer {API_KEY}"}
        async with session.get(f"{self.url}/sim/ledger?limit=1", headers=headers) as answer:
            told: dict[str, Any] = await answer.json()
        return sum(total["captured"] - total["refunded"] for total in told["totals"].values())


@contextmanager
def own_psp_sim(folder: Path, latency_ms: int, pause: Pause) -> Generator[OwnPspSim]:
    """Who connects before it is ready waits in the backlog."""
    with ExitStack() as ending:
        listening = ending.enter_context(socket.create_server((HOST, 0), backlog=BACKLOG))
        port, handle = listening.getsockname()[1], listening.fileno()
        words = ["psp-sim", f"--port={port}", f"--listening={handle}", f"--latency-ms={latency_ms}"]
        psp_sim = Child(
            [sys.executable, "-P", "-m", "frontrow", *words],
            stop_by=signal.SIGTERM,
            environment=handed_down({"data_dir": str(folder / "money"), "host": HOST}),
            log=folder / "psp-sim.log",
            inherits=[handle],
        )
        ending.callback(psp_sim.stop, seconds=STOP_SECONDS_MAX)
        psp_sim.start()
        pause(0)
        yield OwnPspSim(f"http://{HOST}:{port}")
