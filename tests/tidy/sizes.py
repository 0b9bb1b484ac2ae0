"""Rules about size. The limits catch the tail, not the median: most functions stay below fifteen lines."""

import ast
from collections.abc import Iterator
from typing import Final

from tests.tidy.source import Finding, Source

FILE_LINES_MAX: Final = 700  # longer than this, a file holds two things
FUNCTION_LINES_MAX: Final = 70  # with signature and docstring: one screen
WRITTEN_BY_HAND: Final = {".css", ".html", ".js", ".py", ".sql", ".toml", ""}


def file_too_long(source: Source) -> Iterator[Finding]:
    """Prevents the file that everybody edits at once and nobody reads whole."""
    lines = source.text.count("\n")
    if source.path.suffix in WRITTEN_BY_HAND and source.path.name != "LICENSE" and lines > FILE_LINES_MAX:
        yield Finding(1, "file", f"{lines} lines; over {FILE_LINES_MAX}, find the noun that wants its own file")


def function_too_long(source: Source) -> Iterator[Finding]:
    """Prevents the function that hides its fault in the part below the fold."""
    for node in source.nodes if source.is_python else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                yield Finding(
                    node.lineno, node.name, f"{node.name}: {lines} lines; over {FUNCTION_LINES_MAX}, split it"
                )
