"""What the documents name in `code`: files, tests, views, constants, classes, commands; and whether it is there.

Only what looks like a name of ours is looked at: a word with an underscore or a hump, a path into the checkout, a
command of `make` or `frontrow`. That it means what the document says, no test can see.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any, Final

import typer
from tests.docs.pages import TOP, Page

from frontrow.cli import app
from frontrow.settings import PREFIX, Settings

PACKAGE: Final = TOP / "src/frontrow"
CODE_IS_IN: Final = ("src", "tests", "tools", "bench", ".ci", "Makefile", "pyproject.toml")
OURS: Final = {".py", ".sql", ".md", ".toml", ".html", ".css", ".js"}

_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
_NAME: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
_TELLING: Final = re.compile(r"\w*[A-Za-z]_\w+|[A-Z][a-z]+(?:[A-Z][a-z]*)+\w*")  # with an underscore, or with a hump
_METRIC: Final = re.compile(r"_total$")  # prometheus-client adds it


def missing(page: Page) -> list[str]:
    """Names in a document that nothing has."""
    return [span for span in page.spans if not all(_is_there(page, span))]


def unknown_commands(page: Page) -> list[str]:
    """Commands of `make` and `frontrow` in a document that these do not know."""
    lines = [*page.spans, *(line for block in page.blocks("sh") for line in block.splitlines())]
    return [line for line in lines if not all(_is_command(words) for words in _commands(line))]


@cache
def names_of_tests() -> frozenset[str]:
    """The names of all tests."""
    trees = (ast.parse(path.read_text("utf-8")) for path in (TOP / "tests").rglob("test_*.py"))
    functions = (
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


@cache
def words_of_code() -> frozenset[str]:
    """Every word in the code, the tests and the scripts, but for what tests of documents make up."""
    texts = (path.read_text("utf-8", errors="ignore") for path in _code())
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


@cache
def file_names() -> frozenset[str]:
    return frozenset(path.name for path in (*_code(), *TOP.glob("docs/**/*.md"), *TOP.glob("*.md")))


@cache
def make_targets() -> frozenset[str]:
    return frozenset(re.findall(r"^([a-z-]+):.*## ", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE))


def is_path(page: Page, text: str) -> bool:
    """Whether a path is there, from the top, from the package, or from the document."""
    places = (TOP, PACKAGE, page.path.parent)
    return any((place / text).exists() for place in places) or ("/" not in text and text in file_names())


def _is_there(page: Page, span: str) -> Iterator[bool]:
    if _PATH.fullmatch(span) and _leads_into_checkout(span):
        yield is_path(page, span)
    elif _NAME.fullmatch(span):
        for name in span.removesuffix("()").split("."):
            if _TELLING.fullmatch(name):
                yield _is_known(name)


def _is_known(name: str) -> bool:
    if name.startswith("test_"):
        return name in names_of_tests()
    return name in words_of_code() or _METRIC.sub("", name) in words_of_code() or name in _settings()


@cache
def _settings() -> frozenset[str]:
    """Variables of the environment; the settings' own are written in small letters in the code."""
    return frozenset(PREFIX + name.upper() for name in Settings.model_fields)


def _leads_into_checkout(span: str) -> bool:
    path = PurePosixPath(span)
    begins_here = len(path.parts) > 1 and any((place / path.parts[0]).is_dir() for place in (TOP, PACKAGE))
    return path.suffix in OURS or begins_here


@cache
def _code() -> tuple[Path, ...]:
    found = (
        path for name in CODE_IS_IN for path in ((TOP / name).rglob("*") if (TOP / name).is_dir() else [TOP / name])
    )
    return tuple(
        path for path in found if path.is_file() and "__pycache__" not in path.parts and not _is_of_documents(path)
    )


def _is_of_documents(path: Path) -> bool:
    return path.parent == TOP / "tests/docs" and path.name.startswith("test_")


def _commands(line: str) -> Iterator[list[str]]:
    """The commands in a line of shell that are ours, word by word."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return  # a quote that another line closes: no command of ours has one
    while words:
        command = list(takewhile(lambda word: word not in {"&&", "|", ";", "||"}, words))
        words = words[len(command) + 1 :]
        if command and PurePosixPath(command[0]).name in {"make", "frontrow"}:
            yield [PurePosixPath(command[0]).name, *command[1:]]


def _is_command(words: list[str]) -> bool:
    name, *rest = words
    if name == "make":
        return all(word in make_targets() for word in rest if "=" not in word)
    return _is_known_to_cli(typer.main.get_group(app()), [word for word in rest if word not in {"…", "|"}])


def _is_known_to_cli(command: Any, words: list[str]) -> bool:  # noqa: ANN401 -- typer's own class has no types
    if not words:
        return True
    word, *rest = words
    if word.startswith("-"):
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        return word.partition("=")[0] in known and _is_known_to_cli(command, rest)
    if hasattr(command, "commands"):
        return word in command.commands and _is_known_to_cli(command.commands[word], rest)
    return _is_known_to_cli(command, rest)  # the value of an option
