"""The files the house rules read, and what a rule reports. No rule is in here."""

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

CHECKOUT: Final = Path(__file__).parents[2]
NOT_OURS: Final = {"__pycache__", "build", "dist", "node_modules"}  # made, not written
HIDDEN_BUT_OURS: Final = {".ci", ".gitignore", ".editorconfig"}


@dataclass(frozen=True)
class Finding:
    """One place that breaks one rule. `subject` is what an exception names: an identifier, a word, a call."""

    line: int
    subject: str
    message: str


@dataclass(frozen=True)
class Source:
    """One file: its path from the checkout's top, and its text, parsed at most once."""

    path: PurePosixPath
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=str(self.path))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def comments(self) -> tuple[tuple[int, str], ...]:
        """Line and text of every comment. What looks like one inside a string is none."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return tuple((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)

    @cached_property
    def imported(self) -> dict[str, str]:
        """What each imported name means: `dt` is `datetime.datetime` after `from datetime import datetime as dt`."""
        names: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names |= {alias.asname or alias.name: alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        return names

    @property
    def is_python(self) -> bool:
        return self.path.suffix == ".py"

    def is_in(self, *folders: str) -> bool:
        return any(self.path.is_relative_to(folder) for folder in folders)

    def mentions(self) -> Iterator[tuple[int, str]]:
        """Line and full dotted name of everything imported or reached from an import: `os.environ.get`, `time.time`."""
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
            elif isinstance(node, ast.Attribute):
                name = self.dotted(node)
                if name is not None:
                    yield node.lineno, name

    def dotted(self, node: ast.expr) -> str | None:
        """The full name an expression stands for, or None where it does not start at an import."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None


def checkout(top: Path = CHECKOUT) -> Iterator[Source]:
    """Every text file that somebody wrote."""
    for entry in sorted(top.iterdir()):
        if entry.name in NOT_OURS or (entry.name.startswith(".") and entry.name not in HIDDEN_BUT_OURS):
            continue
        for file in (entry,) if entry.is_file() else sorted(entry.rglob("*")):
            if file.is_file() and not NOT_OURS.intersection(file.parts[len(top.parts) :]):
                yield from _read(file, PurePosixPath(file.relative_to(top)))


def _read(file: Path, path: PurePosixPath) -> Iterator[Source]:
    try:
        yield Source(path, file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        return  # a picture has no style
