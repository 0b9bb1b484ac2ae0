"""psp-sim as people run it: `frontrow psp-sim`, in a process of its own, on a port that was free."""

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import aiohttp
import httpx
import stripe
from tests.psp_sim.stage import Client, Json

from frontrow.psp_sim.service import API_KEY

SECONDS_MAX: Final = 60.0  # a net below the tests, not a promise


class Program:
    """One that can be killed, and started again on the same folder and port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *words: str) -> None:
        """Who connects before it is there waits in the backlog: the socket is ours, and is open from the beginning."""
        handle = self._listening.fileno()
        command = [sys.executable, "-P", "-m", "frontrow", "psp-sim", "--latency-ms=0", f"--listening={handle}"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, f"--port={self.port}", *words],
                env=self._environment,
                pass_fds=[handle],
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """At once, whatever it is doing."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(SECONDS_MAX)

    def end(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(SECONDS_MAX)
        self._listening.close()

    def says_second(self) -> str:
        """What another one on the same folder says, which ends at once."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            ended = subprocess.run(
                [sys.executable, "-P", "-m", "frontrow", "psp-sim", f"--listening={listening.fileno()}"],
                env=self._environment,
                pass_fds=[listening.fileno()],
                capture_output=True,
                text=True,
                timeout=SECONDS_MAX,
                check=False,
            )
        assert ended.returncode == 1
        return ended.stderr

    @property
    def _environment(self) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("FRONTROW_")}
        return ours | {"FRONTROW_DATA_DIR": str(self._folder / "data")}

    def client(self, session: aiohttp.ClientSession) -> Client:
        """Stripe's client, by the way that Frontrow goes."""
        way = stripe.AIOHTTPClient(session=session)
        return stripe.StripeClient(API_KEY, base_addresses={"api": self.url}, http_client=way, max_network_retries=0)

    @contextmanager
    def unanswered(self, path: str, body: str, *, key: str) -> Generator[None]:
        """A call whose whole request is on its way, and whose answer nobody reads."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {API_KEY}\r\nIdempotency-Key: {key}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall((head + body).encode())
            yield

    def asked(self, method: str, path: str, **more: Json) -> httpx.Response:
        return httpx.request(
            method,
            self.url + path,
            headers={"authorization": f"Bearer {API_KEY}"} | more.pop("headers", {}),
            timeout=SECONDS_MAX,
            **more,
        )
