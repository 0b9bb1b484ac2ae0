"""How log lines leave a process: one line for each fact, as JSON for machines or as text for people.

What others log through the standard library (granian, asyncpg, asyncio) goes the same way. Lines go to standard
error; standard output belongs to what a command has to say. What is logged stands where it happens, not here.
"""

import logging
import re
import sys
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from frontrow.settings import Settings
from frontrow.web.request_ids import current_request_id

FACT: Final = "fact"  # structlog says `event`, and to us that is what people attend
PLAIN: Final = re.compile(r"[^\s\"'=\\\x00-\x1f\x7f-\x9f]+")  # needs no quotes
LEVEL_WIDTH: Final = len("warning")


def configure(settings: Settings) -> None:
    """Let every log line of this process go to standard error, in the form and from the level that is set."""
    as_text = settings.log_format == "text" or (settings.log_format == "auto" and sys.stderr.isatty())
    of_all: tuple[Processor, ...] = (
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if as_text else "iso", utc=not as_text, key="time"),
        _with_request_id,
        structlog.processors.format_exc_info,
        structlog.processors.EventRenamer(FACT),
    )
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=(structlog.stdlib.add_logger_name, *of_all),
            processors=(
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _text if as_text else _json,
            ),
        )
    )
    structlog.configure(
        processors=(
            structlog.stdlib.filter_by_level,
            *of_all,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ),
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[lines], level=settings.log_level.upper(), force=True)
    logging.captureWarnings(capture=True)


def _with_request_id(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    if request_id := current_request_id():
        line["request_id"] = request_id
    return line


def _json(logger: WrappedLogger, method: str, line: EventDict) -> str | bytes:
    first = {name: line.pop(name) for name in ("time", "level", FACT)}
    return structlog.processors.JSONRenderer()(logger, method, {**first, **line})


def _text(_logger: WrappedLogger, _method: str, line: EventDict) -> str:
    """`14:02:31 info    request.answered path=/ status=200`, and below it the traceback if there is one."""
    trace = line.pop("exception", None)
    time, level, fact = (str(line.pop(name)) for name in ("time", "level", FACT))
    fields = (f"{name}={_quoted(str(value))}" for name, value in line.items())
    words = " ".join((time, f"{level:<{LEVEL_WIDTH}}", fact if fact.isprintable() else repr(fact), *fields))
    return f"{words}\n{trace}" if trace else words


def _quoted(value: str) -> str:
    return value if PLAIN.fullmatch(value) else repr(value)
