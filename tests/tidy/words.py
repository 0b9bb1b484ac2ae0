"""Rules about words: one thing has one name, and docs/glossary.md has it."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from tests.tidy.source import Finding, Source

# What not to say, and what the glossary says instead.
FORBIDDEN: Final[Mapping[str, str]] = {
    "booking": "order",
    "cart": "hold",
    "item": "seat, ticket, or what it is",
    "queue": "line (of fans), or what waits there",
    "reservation": "hold",
    "show": "event",
    "user": "fan or organizer",
}
# These are right where they mean PostgreSQL's or the system's own thing, so only these layers are held to them.
FORBIDDEN_IN_RULES: Final[Mapping[str, str]] = {"lock": "hold", "transaction": "payment attempt"}
RULES_ARE_IN: Final = ("src/frontrow/core", "src/frontrow/web")
FORBIDDEN_ON_PAGES: Final = re.compile(r"\b(booking|cart|queue|reservation)s?\b", re.IGNORECASE)
SQL_NOISE: Final = re.compile(r"--.*|'[^'\n]*'|\b(?:current|session)_user\b")
SQL_FORBIDDEN: Final = FORBIDDEN.keys() - {"show"}  # SHOW is a statement
SAYS_NOTHING: Final = {"base", "common", "handler", "helper", "manager", "misc", "util", "utility"}
WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def word_outside_glossary(source: Source) -> Iterator[Finding]:
    """Prevents two names for one thing: the reader who meets `cart` looks for what tells it from a hold."""
    if source.is_python and source.is_in("src"):
        forbidden = FORBIDDEN | (FORBIDDEN_IN_RULES if source.is_in(*RULES_ARE_IN) else {})
        for line, name in [(1, source.path.stem), *_bound(source)]:
            for word in _words(name) & forbidden.keys():
                yield Finding(line, name, f"`{name}`: not {word}, but {forbidden[word]} (docs/glossary.md)")
    elif source.path.suffix == ".sql":
        for number, line in enumerate(source.text.splitlines(), start=1):
            for name in re.findall(r"\w+", SQL_NOISE.sub(" ", line)):
                if _words(name) & SQL_FORBIDDEN:
                    yield Finding(number, name, f"`{name}` is not a word of docs/glossary.md")


def word_outside_glossary_on_page(source: Source) -> Iterator[Finding]:
    """Prevents a page that speaks of a cart beside a page that speaks of seats held for you."""
    if source.is_in("src") and source.path.suffix in {".html", ".jinja", ".txt"}:
        for number, line in enumerate(source.text.splitlines(), start=1):
            for said in FORBIDDEN_ON_PAGES.finditer(line):
                yield Finding(number, said[0], f"a page says `{said[0]}`; docs/glossary.md has the word for it")


def module_named_nothing(source: Source) -> Iterator[Finding]:
    """Prevents the drawer that everything ends up in: a file is named after what it holds."""
    if source.is_python:
        folders = source.path.parent.parts[1:]  # the first is src, tests, tools
        for name in (*folders, source.path.stem):
            if _words(name) & SAYS_NOTHING:
                yield Finding(1, name, f"`{name}` says nothing about what is inside; name the noun")


def module_without_docstring(source: Source) -> Iterator[Finding]:
    """Prevents code that lands in the wrong file: each opens by saying what it holds, and what it does not."""
    if source.is_python and source.is_in("src") and ast.get_docstring(source.tree) is None:
        yield Finding(1, "docstring", "a module opens by saying what it holds, and what it does not")


def _words(name: str) -> set[str]:
    """The words of an identifier, in the singular: `HeldSeats`, `held_seats` and `HELD_SEATS` are `held` and `seat`."""
    words = {word.lower() for word in WORD.findall(name)}
    return words | {word.removesuffix("s") for word in words} | {word.removesuffix("ies") + "y" for word in words}


def _bound(source: Source) -> Iterator[tuple[int, str]]:
    """Every name a module gives to something itself. Names that others gave are not its fault."""
    for node in source.nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.ImportFrom(names=aliases, lineno=line) | ast.Import(names=aliases, lineno=line):
                yield from ((line, alias.asname) for alias in aliases if alias.asname)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name
            case _:
                pass
