"""Rules about transactions: who opens one, and what must not happen inside."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from tests.tidy.source import Finding, Source

OPENINGS: Final = {"transaction", "sql_transaction"}
ENDINGS: Final = {"commit", "rollback"}
STATEMENT: Final = re.compile(r"\s*(BEGIN|START TRANSACTION|COMMIT|ROLLBACK)\b", re.IGNORECASE)
NEW_SCOPE: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def transaction_outside_flow(source: Source) -> Iterator[Finding]:
    """Prevents half a purchase: two adapters that each commit leave a paid order without seats when the second fails.

    The flow knows what belongs together, so the flow opens the transaction and closes it.
    """
    if not source.is_python or not source.is_in("src") or source.is_in("src/frontrow/flows"):
        return
    for node in source.nodes:
        if isinstance(node, ast.Call):
            name = _called(node)
            if name in OPENINGS | ENDINGS:
                yield Finding(node.lineno, name, f"{name}() outside flows/: flows open and close")
            elif _is_statement(node.args[:1]):
                yield Finding(node.lineno, "statement", "a transaction in words outside flows/: flows open and close")


def caught_in_transaction(source: Source) -> Iterator[Finding]:
    """Prevents the silent loss of a write.

    Measured with asyncpg: an error caught inside `async with ….transaction()` leaves the block without an exception
    and with nothing stored, because PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK. Catch it
    outside, use ON CONFLICT, or give the statement a savepoint of its own: the `try` then holds nothing but
    `async with ….transaction()`.
    """
    if source.is_python and source.is_in("src"):
        blocks = (node for node in source.nodes if isinstance(node, ast.AsyncWith) and _is_transaction(node))
        lines = {line for block in blocks for line in _errors_stopped(source, block)}
        for line in sorted(lines):
            yield Finding(line, "try", "an error caught inside a transaction loses the write without a word")


def _called(call: ast.Call) -> str:
    """The last part of a called name: `transaction` of `ledger.transaction()`."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _is_statement(arguments: Iterable[ast.expr]) -> bool:
    texts = (argument.value for argument in arguments if isinstance(argument, ast.Constant))
    return any(isinstance(text, str) and STATEMENT.match(text) for text in texts)


def _is_transaction(block: ast.AsyncWith) -> bool:
    opened = (entry.context_expr for entry in block.items)
    return any(isinstance(call, ast.Call) and _called(call) in OPENINGS for call in opened)


def _errors_stopped(source: Source, block: ast.AsyncWith) -> Iterator[int]:
    for node in _inside(block.body):
        if isinstance(node, ast.Try | ast.With) and _stops_error(source, node):
            yield node.lineno


def _inside(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Every node that runs inside a block; a function defined there runs elsewhere."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, NEW_SCOPE):
            waiting.extend(ast.iter_child_nodes(node))


def _stops_error(source: Source, node: ast.Try | ast.With) -> bool:
    if isinstance(node, ast.Try):
        stops = any(not isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
    else:
        opened = (entry.context_expr for entry in node.items)
        stops = any(isinstance(c, ast.Call) and source.dotted(c.func) == "contextlib.suppress" for c in opened)
    return stops and _waits(node.body) and not _is_savepoint(node.body)


def _waits(body: Iterable[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith) for node in _inside(body))


def _is_savepoint(body: list[ast.stmt]) -> bool:
    return len(body) == 1 and isinstance(body[0], ast.AsyncWith) and _is_transaction(body[0])
