"""Searches with a known first answer, and whether they get it: the file relevance.tsv beside the large catalogue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

SEARCH: Final = "/api/v1/search"
SUGGEST: Final = "/api/v1/search/suggest"

_SUGGEST: Final = "suggest "


@dataclass(frozen=True, slots=True)
class Expected:
    """One search, and the fields that its first answer has."""

    asked: str
    fields: Mapping[str, str]

    @property
    def is_suggestion(self) -> bool:
        return self.asked.startswith(_SUGGEST)

    @property
    def path(self) -> str:
        """What is asked, as an address."""
        if self.is_suggestion:
            return f"{SUGGEST}?{urlencode({'q': self.asked.removeprefix(_SUGGEST)})}"
        if self.asked.startswith("?"):
            return f"{SEARCH}?{self.asked[1:].replace(' ', '+')}"
        return f"{SEARCH}?{urlencode({'q': self.asked})}"

    def is_met(self, body: bytes) -> bool:
        """Whether the first of the answers is the one that was expected."""
        answer = msgspec.json.decode(body)
        found: Sequence[Any] = answer.get("suggestions" if self.is_suggestion else "events", ())
        return bool(found) and all(value in _values(found[0], name) for name, value in self.fields.items())


def test_set() -> Sequence[Expected]:
    """All of them, in order."""
    lines = (files("frontrow.bench.catalogue") / "relevance.tsv").read_text("utf-8").splitlines()
    return [_expected(line) for line in lines if line and not line.startswith("#")]


def _expected(line: str) -> Expected:
    asked, wanted = line.split("\t")
    return Expected(asked, dict(field.split("=", 1) for field in wanted.split(";")))


def _values(answer: Mapping[str, Any], name: str) -> Sequence[str]:
    """What an answer says under a name of the file."""
    if name == "performer":
        return answer["performers"]
    value: Any = answer[name]
    return [value if isinstance(value, str) else value["name"]]
