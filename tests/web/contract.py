"""The OpenAPI document as a judge: is this answer one that it promises?"""

from typing import Any, Final

import jsonschema_rs
from tests.web.asking import Answer

JSON: Final = ("application/json", "application/problem+json")


class Contract:
    """One document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._validators: dict[str, Any] = {}

    @property
    def calls(self) -> set[tuple[str, str]]:
        """By method and pattern."""
        return {(method.upper(), path) for path, calls in self.document["paths"].items() for method in calls}

    def judge(self, method: str, path: str, answer: Answer) -> None:
        """AssertionError where the answer is not what the document says. What it does not know of is let through."""
        found = self._call(method, path)
        if found is None:
            return
        pattern, call = found
        told = call["responses"].get(str(answer.status))
        assert told is not None, f"{method} {pattern} answers {answer.status}: {answer.body!r}"
        sent = {name.lower() for name, _ in answer.header_list}
        for name in told.get("headers", {}):
            assert name.lower() in sent, f"{method} {pattern}: {answer.status} without {name}"
        self._judge_body(f"{method} {pattern} {answer.status}", told.get("content", {}), answer)

    def _judge_body(self, where: str, content: dict[str, Any], answer: Answer) -> None:
        kind = answer.headers.get("content-type")
        if not content:
            assert answer.body == b"", where
            return
        assert kind in content, f"{where}: {kind}"
        if kind in JSON and "schema" in content[kind]:
            if where not in self._validators:
                schema = {**content[kind]["schema"], "components": self.document["components"]}
                self._validators[where] = jsonschema_rs.validator_for(schema, validate_formats=True)
            wrong = [
                f"{error.instance_path}: {error.message}"
                for error in self._validators[where].iter_errors(answer.json())
            ]
            assert wrong == [], f"{where}: {answer.body!r}"

    def _call(self, method: str, path: str) -> tuple[str, dict[str, Any]] | None:
        asked = path.split("/")
        for pattern, calls in self.document["paths"].items():
            segments = pattern.split("/")
            fits = len(segments) == len(asked) and all(
                told == said or (told.startswith("{") and said) for told, said in zip(segments, asked, strict=True)
            )
            if fits and method.lower() in calls:
                return pattern, calls[method.lower()]
        return None
