"""The examples of a document, run: its blocks of shell, in order and in one shell, with what each one says.

A block of another kind right after one of shell shows what that one says. A `…` in it stands for more of the same.
What is compared is the shape of an answer: ids and times are others each time.
"""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from tests.docs.pages import Page

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | float | bool | None"

SECONDS_MAX: Final = 60.0  # a net below the tests, not a promise
AND_SO_ON: Final = re.compile(r",? *…")

_END: Final = "--- end of a block ---"


@dataclass(frozen=True)
class Example:
    """One block of shell."""

    commands: str
    shown: tuple[str, str] | None  # what the document shows of its answer: the language of that block, and its text


def examples_in(page: Page) -> list[Example]:
    """Those that ask a running copy."""
    blocks = [*page.fenced, ("", "")]
    found = (
        Example(text, following if following[0] in {"json", "text"} else None)
        for (language, text), following in pairwise(blocks)
        if language == "sh"
    )
    return [example for example in found if "curl " in example.commands]


def run(examples: list[Example], instead: Mapping[str, str]) -> Iterator[tuple[Example, str]]:
    """Each with what it said. `instead`: what a block names, and what to say in its place."""
    script = "set -euo pipefail\n" + "".join(f"{example.commands}\necho; echo '{_END}'\n" for example in examples)
    for there, here in instead.items():
        script = script.replace(there, here)
    ended = subprocess.run(
        ["bash", "-c", script],  # noqa: S607 -- whichever bash the reader has
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    said = ended.stdout.split(f"{_END}\n")[:-1]
    yield from zip(examples, (text.strip() for text in said), strict=True)


def differs(example: Example, said: str) -> str | None:
    """How what was said is not what is shown. None: they are of one shape, or nothing is shown."""
    match example.shown:
        case ("json", text):
            shown, found = shape(AND_SO_ON.sub("", text)), shape(said)
            return None if shown == found else f"shown: {shown}\nfound: {found}\nin full: {said}"
        case (_, text) if text.strip() != said:
            return f"shown: {text}\nfound: {said}"
        case _:
            return None


def shape(document: str) -> str:
    """A JSON document without its values: fields with their types, and of a list the shapes that are in it."""
    return json.dumps(_shape(json.loads(document)), sort_keys=True)


def _shape(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {name: _shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [*sorted({json.dumps(_shape(inner), sort_keys=True) for inner in value})]
    return type(value).__name__
