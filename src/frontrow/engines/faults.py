"""Why a server does not start: in its own words, with what a person can do about it in ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """How the log of one program is read."""

    lines: re.Pattern[str]  # those that say why it gave up; the group is what is repeated
    remedies: Mapping[str, str]  # what such a line may say, as a pattern: what helps; the first that fits

    def told(self, written: str, *, otherwise: str) -> str:
        """The last fault of a log with its remedy. Without one: how the program ended."""
        said = [line.strip() for line in self.lines.findall(written)]
        return "; ".join([said[-1] if said else otherwise, *self._advice(said)])

    def _advice(self, said: list[str]) -> list[str]:
        return [advice for sign, advice in self.remedies.items() if any(re.search(sign, line) for line in said)][:1]
