"""The table of hot paths: bare ASGI applications in front of both frameworks, found in well under a microsecond.

A path in the table belongs to it with all its methods; what is not in it goes on to the frameworks. The parts of a
pattern in braces arrive as `scope["path_params"]`, as text.
"""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from frontrow.web.problems import problem

_ANY: Final = "{}"  # the branch for a segment in braces; no real segment contains a brace


@dataclass(frozen=True, slots=True)
class Hot:
    """One hot path: `Hot("POST", "/api/v1/events/{event}/holds", place_hold)`."""

    method: str
    pattern: str
    app: ASGIApp


@dataclass(slots=True)
class _Branch:
    """One segment of the tree: where each next segment leads, and what answers when the path ends here."""

    onward: dict[str, "_Branch"] = field(default_factory=dict[str, "_Branch"])
    names: tuple[str, ...] = ()
    app: ASGIApp | None = None


class HotTable:
    """A tree of segments. A fixed segment wins over one in braces; there is no way back from a wrong branch."""

    def __init__(self, paths: Sequence[tuple[str, ASGIApp]]) -> None:
        """Each pattern with the application that answers all its methods (see `by_method`)."""
        self._root = _Branch()
        for pattern, app in paths:
            self._plant(pattern, app)

    def find(self, scope: Scope) -> ASGIApp | None:
        """The application for this path, or None; the segments in braces are put into the scope."""
        branch = self._root
        caught: list[str] = []
        for segment in scope["path"].split("/")[1:]:
            onward = branch.onward.get(segment)
            if onward is None:
                onward = branch.onward.get(_ANY)
                if onward is None or not segment:
                    return None
                caught.append(segment)
            branch = onward
        if caught and branch.app is not None:
            scope["path_params"] = dict(zip(branch.names, caught, strict=True))
        return branch.app

    def _plant(self, pattern: str, app: ASGIApp) -> None:
        assert pattern.startswith("/"), pattern
        branch = self._root
        names: list[str] = []
        for segment in pattern.split("/")[1:]:
            if segment.startswith("{"):
                names.append(segment[1:-1])
                segment = _ANY  # noqa: PLW2901 -- all names share one branch
            branch = branch.onward.setdefault(segment, _Branch())
        assert branch.app is None, f"{pattern} is planted twice"
        branch.app, branch.names = app, tuple(names)


def by_method(paths: Sequence[Hot]) -> dict[str, ASGIApp]:
    """One application for each pattern, which knows all its methods."""
    methods: dict[str, dict[str, ASGIApp]] = {}
    for path in paths:
        methods.setdefault(path.pattern, {})[path.method] = path.app
    return {pattern: _choosing(apps) for pattern, apps in methods.items()}


def _choosing(apps: dict[str, ASGIApp]) -> ASGIApp:
    allow = ", ".join(sorted({*apps, "OPTIONS", *(["HEAD"] if "GET" in apps else [])}))

    def choosing(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        app = apps.get(scope["method"])
        if app is None and scope["method"] == "OPTIONS":
            app = Response(status_code=204, headers={"allow": allow})
        elif app is None:
            app = problem("method-not-allowed", headers={"allow": allow}).answer()
        return app(scope, receive, send)

    return choosing
