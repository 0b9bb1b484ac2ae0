"""What Prometheus may know: counts and durations by route pattern, never by raw path, so that their number is bounded.

Several workers answer one port, and a scrape reaches any of them. Each therefore writes its numbers to a file of its
own in one shared folder, and the worker that is asked adds them all up (the multiprocess mode of prometheus-client).
"""

import os
from collections.abc import Awaitable
from pathlib import Path
from time import perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead  # pyright: ignore[reportUnknownVariableType] -- one has no types
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_UNMATCHED: Final = "(none)"

# The promises are 50 ms, 200 ms and 500 ms; the rest shows the shape around them.
SECONDS_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 15.0)


def share_numbers(folder: Path) -> None:
    """Write every number made from here on to `folder`, which belongs to the workers of one port and no one else."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    _forget_the_dead(folder)
    values.ValueClass = values.MultiProcessValue()  # pyright: ignore[reportUnknownMemberType] -- it has no types


def _forget_the_dead(folder: Path) -> None:
    """What a worker had at the moment (streams, for one) ended with it; what it has counted stays counted."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(int(pid), str(folder))


class Metrics:
    """The numbers of one process, and the page that shows those of all."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a folder, `share_numbers(folder)` must have been called before; without one, this process is alone."""
        self.registry = CollectorRegistry()
        self._folder = folder
        self._answered = Counter(
            "frontrow_http_requests",
            "Answers, by method, route pattern and status",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "frontrow_http_request_seconds",
            "Time until an answer begins, by method and route pattern",
            ("method", "route"),
            buckets=SECONDS_BUCKETS,
            registry=self.registry,
        )

    def text(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        if self._folder is None:
            return generate_latest(self.registry)
        gathered = CollectorRegistry()
        MultiProcessCollector(gathered, path=str(self._folder))
        return generate_latest(gathered)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """`GET /metrics`."""
        await Response(self.text(), media_type=CONTENT_TYPE_PLAIN_0_0_4)(scope, receive, send)

    def counted(self, app: ASGIApp, route: str | None = None) -> ASGIApp:
        """Count what `app` answers, under `route`, or under the route that a framework finds on the way."""
        known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

        def numbers(method: str, pattern: str, status: int) -> tuple[Counter, Histogram]:
            found = known.get((method, pattern, status))
            if found is None:
                found = self._answered.labels(method, pattern, str(status)), self._seconds.labels(method, pattern)
                known[method, pattern, status] = found
            return found

        def counting(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
            began = perf_counter()
            method = scope["method"] if scope["method"] in _METHODS else "other"

            def watched(message: Message) -> Awaitable[None]:
                if message["type"] == "http.response.start":
                    answered, seconds = numbers(method, route or _pattern(scope), message["status"])
                    answered.inc()
                    seconds.observe(perf_counter() - began)
                return send(message)

            return app(scope, receive, watched)

        return counting


def _pattern(scope: Scope) -> str:
    found: object = getattr(scope.get("route"), "path", None)
    return found if isinstance(found, str) and found else _UNMATCHED
