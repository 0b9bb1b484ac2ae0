"""Rules about the world outside: other hosts, other folders, the environment."""

import re
from collections.abc import Iterator
from typing import Final

from tests.tidy.source import Finding, Source

# Each pattern is spelled so that it does not match itself.
REGISTRY: Final = re.compile(
    r"py[p]i\.org|python[h]osted\.org|registry\.[n]pmjs\.|registry\.[y]arnpkg\.|--(?:extra-)?index-[u]rl[ =]"
)
HOME: Final = re.compile(r"/(?:[h]ome|[U]sers)/\w[\w.-]*/|/[r]oot/[\w.]")
ENVIRONMENT: Final = {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"}
SENT_TO_BROWSERS: Final = {".css", ".html", ".jinja", ".js", ".svg"}
OTHER_HOST: Final = re.compile(r"(?:https?:|(?<=[\"'(=]))//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.IGNORECASE)
NAMES_NOT_REQUESTS: Final = {
    "127.0.0.1": "this machine",
    "www.w3.org": "names the SVG and XLink vocabularies; no browser asks it for them",
}


def registry_or_home(source: Source) -> Iterator[Finding]:
    """Prevents a clone that only works where it was made.

    A lock that names a registry host fails behind a mirror; a path into somebody's home fails everywhere else.
    """
    for number, line in enumerate(source.text.splitlines(), start=1):
        for pattern in (REGISTRY, HOME):
            for found in pattern.finditer(line):
                yield Finding(number, found[0], f"`{found[0]}` exists only on some machines")


def environment_read(source: Source) -> Iterator[Finding]:
    """Prevents a setting that `frontrow doctor` does not know: settings.py reads the environment, nothing else does."""
    if source.is_python and source.is_in("src"):
        for line, name in source.mentions():
            if name in ENVIRONMENT:
                yield Finding(line, name, f"{name}: make it a setting, or take it as an argument")


def other_host_on_page(source: Source) -> Iterator[Finding]:
    """Prevents a page that breaks, and tells on the fan, when somebody else's server is slow or curious."""
    if source.is_in("src") and source.path.suffix in SENT_TO_BROWSERS:
        for number, line in enumerate(source.text.splitlines(), start=1):
            for host in OTHER_HOST.findall(line):
                if host not in NAMES_NOT_REQUESTS:
                    yield Finding(number, host, f"a page asks {host}; serve the file ourselves")
