"""How hot paths stand in the OpenAPI document: no framework knows them, so each is described as data.

The shapes of bodies and answers come from the structs that read and write them, and the refusals from the catalogue of
problems, so that neither is said twice. The descriptions themselves are in `openapi_calls.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import msgspec

from frontrow.web.problems import KINDS, MEDIA_TYPE, Kind
from frontrow.web.reading import IN_A_PATH

Schema = dict[str, Any]

_REFS: Final = "#/components/schemas/{name}"
_TEXT: Final = MappingProxyType({"type": "string"})
_JSON: Final = "application/json"

PROBLEM_SCHEMA: Final[Schema] = {
    "type": "object",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {"type": "string", "enum": [f"/problems/{slug}" for slug in KINDS]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
    },
}

# What the guards around every call may answer before it is reached, or in its place.
GUARDS: Final = (
    "bad-request", "too-slow", "too-large", "address-too-long", "fault", "unavailable", "timed-out",
)  # fmt: skip
RETRIED: Final = frozenset({429, 503})  # what passes by itself: such an answer says when to ask again


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """Something that a call takes beside its body."""

    name: str
    about: str
    where: str = "query"
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A yes: its status, and what it carries."""

    status: int
    says: str
    body: type[msgspec.Struct] | None = None
    media_type: str = _JSON
    or_media_type: str | None = None  # where the address says which of two it is to be
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # of each: what it tells


@dataclass(frozen=True, kw_only=True)
class Call:
    """One method of one path. Segments in braces are its parameters (see SEGMENTS)."""

    name: str  # for those who make a client of the document
    summary: str
    about: str
    answers: Sequence[Answer]
    refusals: Sequence[str] = ()  # slugs; those of GUARDS are everybody's
    body: type[msgspec.Struct] | None = None
    parameters: Sequence[Parameter] = ()
    who: Sequence[str] = ()  # names of SCHEMES; any of them will do


Calls = Mapping[tuple[str, str], Call]  # by method and pattern


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What all calls share: the meaning of segments, ways to say who one is, and the fields that problems carry."""

    segments: Mapping[str, str]
    schemes: Mapping[str, Schema]
    fields: Mapping[str, type[msgspec.Struct]]  # by slug


def describe(document: Schema, calls: Calls, words: Vocabulary) -> None:
    """Add the calls to a document."""
    components = document.setdefault("components", {})
    for place, more in (("schemas", _schemas(calls, words)), ("securitySchemes", words.schemes)):
        known = components.setdefault(place, {})
        assert known.keys().isdisjoint(more), f"two of one name among {place}"
        known.update(more)
    for (method, path), call in calls.items():
        operations = document["paths"].setdefault(path, {})
        assert method.lower() not in operations, f"{method} {path} is described twice"
        operations[method.lower()] = _operation(path, call, words)


def _operation(path: str, call: Call, words: Vocabulary) -> Schema:
    told: Schema = {
        "operationId": call.name,
        "summary": call.summary,
        "description": call.about,
        "parameters": [*_segments(path, words), *map(_parameter, call.parameters)],
        "responses": {str(answer.status): _answer(answer) for answer in call.answers} | _refusals(call),
    }
    if call.who:
        told["security"] = [{name: []} if name else {} for name in call.who]
    if call.body is not None:
        # A body without required fields may be left out as a whole.
        required = any(each.required for each in msgspec.structs.fields(call.body))
        told["requestBody"] = {"required": required, "content": {_JSON: {"schema": _ref(call.body.__name__)}}}
    return told


def _segments(path: str, words: Vocabulary) -> list[Schema]:
    names = [segment[1:-1] for segment in path.split("/") if segment.startswith("{")]
    return [_parameter(Parameter(name=name, about=words.segments[name], where="path", required=True)) for name in names]


def _parameter(parameter: Parameter) -> Schema:
    return {
        "name": parameter.name,
        "in": parameter.where,
        "description": parameter.about,
        "required": parameter.required,
        "schema": _TEXT | ({"pattern": IN_A_PATH} if parameter.where == "path" else {}),
    }


def _answer(answer: Answer) -> Schema:
    told: Schema = {"description": answer.says}
    if answer.body is not None:
        told["content"] = {answer.media_type: {"schema": _ref(answer.body.__name__)}}
    elif answer.media_type != _JSON:
        told["content"] = {kind: {} for kind in (answer.media_type, answer.or_media_type) if kind}
    if answer.headers:
        told["headers"] = _headers(answer.headers)
    return told


def _headers(told: Mapping[str, str]) -> Schema:
    return {name: {"description": tells, "required": True, "schema": dict(_TEXT)} for name, tells in told.items()}


def _refusals(call: Call) -> Schema:
    """All problems of one status together: a client tells them apart by their `type`."""
    by_status: dict[int, list[Kind]] = {}
    for slug in dict.fromkeys((*call.refusals, *GUARDS)):
        by_status.setdefault(KINDS[slug].status, []).append(KINDS[slug])
    return {str(status): _refused(status, kinds) for status, kinds in sorted(by_status.items())}


def _refused(status: int, kinds: Sequence[Kind]) -> Schema:
    told: Schema = {
        "description": "; ".join(kind.title for kind in kinds),
        "content": {MEDIA_TYPE: {"schema": _any_of([_ref(_component(kind.slug)) for kind in kinds])}},
    }
    if status in RETRIED:
        told["headers"] = _headers({"Retry-After": "Seconds after which to ask again."})
    return told


def _schemas(calls: Calls, words: Vocabulary) -> Schema:
    structs = {struct for call in calls.values() for struct in _structs(call)}
    _, named = msgspec.json.schema_components(structs | {*words.fields.values()}, ref_template=_REFS)
    slugs = dict.fromkeys(slug for call in calls.values() for slug in (*call.refusals, *GUARDS))
    return named | {"Problem": PROBLEM_SCHEMA} | {_component(slug): _problem(slug, words) for slug in slugs}


def _structs(call: Call) -> Iterable[type[msgspec.Struct]]:
    return [body for body in (call.body, *(answer.body for answer in call.answers)) if body is not None]


def _problem(slug: str, words: Vocabulary) -> Schema:
    kind = KINDS[slug]
    said: Schema = {"properties": {"type": {"const": f"/problems/{slug}"}, "status": {"const": kind.status}}}
    carried = [_ref(words.fields[slug].__name__)] if slug in words.fields else []
    return {"title": kind.title, "description": kind.happened, "allOf": [_ref("Problem"), said, *carried]}


def _component(slug: str) -> str:
    return f"problem-{slug}"


def _ref(name: str) -> Schema:
    return {"$ref": _REFS.format(name=name)}


def _any_of(schemas: list[Schema]) -> Schema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
