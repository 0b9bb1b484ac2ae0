"""The documents as text: their headings, links, code and tables. What they must say is in the tests."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[2]

_FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_NO_ANCHOR: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Page:
    """One document."""

    name: str  # its path from the top of the checkout
    text: str

    @property
    def path(self) -> Path:
        return TOP / self.name

    @cached_property
    def prose(self) -> str:
        """What people read as text: without blocks of code, without comments."""
        return _COMMENT.sub("", _FENCED.sub("", self.text))

    @cached_property
    def spans(self) -> tuple[str, ...]:
        """Every piece of `code` in the prose."""
        return tuple(_SPAN.findall(self.prose))

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Where its links and pictures lead."""
        return tuple(_LINK.findall(_SPAN.sub("", self.prose)))

    @cached_property
    def anchors(self) -> frozenset[str]:
        """What a link may name after `#`: the headings, as code forges write them in addresses."""
        titles = (title.replace("`", "").strip().lower() for title in _HEADING.findall(self.prose))
        return frozenset(_NO_ANCHOR.sub("", title).replace(" ", "-") for title in titles)

    @cached_property
    def fenced(self) -> tuple[tuple[str, str], ...]:
        """Every block of code, with its language."""
        return tuple(_FENCED.findall(self.text))

    def blocks(self, language: str) -> tuple[str, ...]:
        """The blocks of code in one language."""
        return tuple(text for named, text in self.fenced if named == language)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The rows of all its tables, without heads and rules."""
        lines = self.prose.splitlines()
        for above, line in zip(["", *lines], lines, strict=False):
            if line.startswith("|") and not _is_rule(line) and above.startswith("|"):
                yield tuple(cell.strip() for cell in line.strip("| ").split(" | "))

    def section(self, title: str) -> "Page":
        """What stands under a heading, up to the next one of its kind."""
        marks, _, rest = next(filter(None, (_begun(self.text, level, title) for level in range(1, 5))))
        end = re.search(rf"^#{{1,{len(marks)}}} ", rest, re.MULTILINE)
        return Page(self.name, rest[: end.start()] if end else rest)


def page(name: str) -> Page:
    return PAGES[name]


def _begun(text: str, level: int, title: str) -> tuple[str, str, str] | None:
    marks = "#" * level
    before, found, rest = f"\n{text}".partition(f"\n{marks} {title}\n")
    return (marks, before, rest) if found else None


def _is_rule(line: str) -> bool:
    return set(line) <= set("|-: ")


def _read() -> Iterator[Page]:
    for path in (*sorted(TOP.glob("*.md")), *sorted((TOP / "docs").rglob("*.md"))):
        yield Page(path.relative_to(TOP).as_posix(), path.read_text(encoding="utf-8"))


PAGES: Final[Mapping[str, Page]] = {page.name: page for page in _read()}
