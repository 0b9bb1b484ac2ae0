"""Log lines: one form for ours and for those of libraries, and nothing in a field can make a second line."""

import json
import subprocess
import sys
from typing import Any, Final

import pytest

LINES: Final = """
import logging, warnings
import structlog
from frontrow.processes import logs
from frontrow.settings import Settings

logs.configure(Settings.read())
log = structlog.stdlib.get_logger("frontrow.somewhere")
log.info("hold.placed", seats=3, fan="a b\\n{\\"level\\": \\"forged\\"}")
log.debug("hold.looked_at")
logging.getLogger("asyncpg").warning("connection %s is slow", 7)
warnings.warn("an old way", DeprecationWarning, stacklevel=1)
try:
    1 / 0
except ZeroDivisionError:
    log.exception("request.failed")
print("what a command says")
"""


def logged(**settings: str) -> tuple[str, list[str]]:
    ended = subprocess.run(
        [sys.executable, "-W", "always", "-c", LINES], env=settings, capture_output=True, text=True, check=True
    )
    return ended.stdout, ended.stderr.splitlines()


def test_json_is_one_object_a_line() -> None:
    out, lines = logged()
    placed, library, warning, failed = [json.loads(line) for line in lines]
    assert out == "what a command says\n", "standard output belongs to the command"
    assert list(placed)[:3] == ["time", "level", "fact"]
    assert (placed["fact"], placed["seats"]) == ("hold.placed", 3)
    assert (library["fact"], library["logger"], library["level"]) == ("connection 7 is slow", "asyncpg", "warning")
    assert "an old way" in warning["fact"]
    assert "ZeroDivisionError" in failed["exception"]


def test_text_has_the_fact_first_and_quotes_what_could_forge_a_line() -> None:
    _, lines = logged(FRONTROW_LOG_FORMAT="text")
    assert lines[0].split(maxsplit=1)[1].startswith("info    hold.placed seats=3 fan='a b\\n")
    assert not any(line.startswith("{") for line in lines), "a field made a line of its own"
    assert "ZeroDivisionError" in lines[-1], "the traceback stands below its line"


@pytest.mark.parametrize(
    ("level", "facts"),
    [
        ("debug", {"hold.placed", "hold.looked_at", "request.failed"}),  # everything
        ("info", {"hold.placed", "request.failed"}),  # the default
        ("error", {"request.failed"}),  # libraries are held to it too
    ],
)
def test_level(level: str, facts: set[str]) -> None:
    lines: list[Any] = [json.loads(line) for line in logged(FRONTROW_LOG_LEVEL=level)[1]]
    assert {line["fact"] for line in lines if "." in line["fact"] and " " not in line["fact"]} == facts
