"""Rules about silence: of errors, of tools, of logs."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.tidy.source import Finding, Source

SUPPRESSION: Final = re.compile(r"#\s*(noqa|pyright: ?ignore|type: ?ignore|ruff: ?noqa|pyright:)", re.IGNORECASE)
WELL_SUPPRESSED: Final = re.compile(
    r"# (noqa: [A-Z]+\d+(, [A-Z]+\d+)*|pyright: ignore\[\w+(, ?\w+)*\]) -- \S.*", re.DOTALL
)
BROAD: Final = {"Exception", "BaseException"}
LOG_METHODS: Final = {"debug", "info", "warning", "error", "exception", "critical"}
LOG_NAMES: Final = {"log", "_log", "logger", "_logger"}
FACT: Final = re.compile(r"[a-z][a-z_]*(\.[a-z][a-z_]*)+")


def suppression_without_reason(source: Source) -> Iterator[Finding]:
    """Prevents a check that is off for ever because nobody remembers why.

    Written like this: `# noqa: CODE -- reason`, `# pyright: ignore[rule] -- reason`. For a whole file: never.
    """
    if source.is_python:
        for line, comment in source.comments:
            start = SUPPRESSION.search(comment)
            if start and not WELL_SUPPRESSED.fullmatch(comment[start.start() :]):
                yield Finding(line, start[1], f"write `# {start[1]}…` with its code and ` -- reason`: {comment}")


def swallowed_error(source: Source) -> Iterator[Finding]:
    """Prevents the fault that leaves no trace.

    A handler that does nothing says neither what it expects nor why that is fine. `contextlib.suppress(ThisError)`
    with a comment says both; suppressing everything says nothing again.
    """
    if not source.is_python or not source.is_in("src", "tools"):
        return
    for node in source.nodes:
        if isinstance(node, ast.ExceptHandler) and all(_does_nothing(statement) for statement in node.body):
            yield Finding(node.lineno, "except", "an error is dropped; suppress it by name, handle it or let it go on")
        elif isinstance(node, ast.Call) and source.dotted(node.func) == "contextlib.suppress":
            broad = [name.id for name in node.args if isinstance(name, ast.Name) and name.id in BROAD]
            yield from (Finding(node.lineno, name, f"suppress({name}) drops every error there is") for name in broad)


def log_line_is_no_fact(source: Source) -> Iterator[Finding]:
    """Prevents logs that cannot be searched: a line is a fixed fact (`hold.placed`), what varies are its fields."""
    if not source.is_python or not source.is_in("src"):
        return
    for node in source.nodes:
        if isinstance(node, ast.Call) and _is_log(node.func):
            fact = node.args[0] if node.args else None
            words = fact.value if isinstance(fact, ast.Constant) else None
            if not isinstance(words, str) or not FACT.fullmatch(words):
                yield Finding(
                    node.lineno, "log", "a log line starts with a fixed `noun.participle`; the rest are fields"
                )


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass | ast.Continue) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _is_log(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and called.attr in LOG_METHODS
        and isinstance(called.value, ast.Name)
        and called.value.id in LOG_NAMES
    )
