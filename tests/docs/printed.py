"""The parts of the documents that are printed from the code: diagrams of states, and tables of what there is.

Each stands between `<!-- printed by tools/docs: its name -->` and `<!-- end of print -->`. `tools/docs` prints them
anew; a test is red while one is stale. Everything else in the documents is written by hand.
"""

import ast
import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

import typer
from tests.docs.pages import TOP
from tests.tidy.rules import RULES
from tests.tidy.words import FORBIDDEN, FORBIDDEN_IN_RULES, RULES_ARE_IN

from frontrow.cli import app
from frontrow.core import holds, jobs, orders, payments, seats
from frontrow.core.seat_maps import limits
from frontrow.settings import PREFIX, Settings
from frontrow.web.problems import KINDS

State = TypeVar("State", bound=StrEnum)
Change = TypeVar("Change", bound=StrEnum)

SQL: Final = TOP / "src/frontrow/sql"

_PART: Final = re.compile(
    r"(?P<begin><!-- printed by tools/docs: (?P<name>[a-z ]+) -->\n).*?(?P<end><!-- end of print -->\n)", re.DOTALL
)
_LIMIT: Final = re.compile(r"^([A-Z_]+): Final = [^#\n]+?(?:  # (.+))?$", re.MULTILINE)
_LAYER: Final = re.compile(r'^  "([^"]+)",(?: *# (.+))?$', re.MULTILINE)
_INVARIANT: Final = re.compile(r"((?:^-- .+\n)+)^CREATE VIEW (inv_\w+) AS$", re.MULTILINE)


def renewed(text: str) -> str:
    """A document with its printed parts as the code has them now."""
    return _PART.sub(lambda part: f"{part['begin']}\n{PARTS[part['name']]()}\n{part['end']}", text)


def names_in(text: str) -> list[str]:
    """Which parts a document has."""
    return [part["name"] for part in _PART.finditer(text)]


def states_of_seats() -> str:
    return _states(seats.TRANSITIONS, begin=seats.SeatState.AVAILABLE)


def states_of_holds() -> str:
    return _states(holds.TRANSITIONS, begin=holds.HoldState.HELD)


def states_of_jobs() -> str:
    return _states(jobs.TRANSITIONS, begin=jobs.JobState.WAITING)


def states_of_orders() -> str:
    return _states(orders.TRANSITIONS, begin=orders.OrderState.OPEN)


def states_of_payment_attempts() -> str:
    return _states(payments.TRANSITIONS, begin=payments.AttemptState.CREATED)


def states_of_refunds() -> str:
    return _states(payments.REFUND_TRANSITIONS, begin=payments.RefundState.ASKED)


def settings() -> str:
    fields: dict[str, dict[str, Any]] = Settings.model_json_schema()["properties"]
    return _table(
        ("variable", "default", "takes", "what it is"),
        [
            (f"`{PREFIX}{name.upper()}`", _default(field), _takes(name, field), field["description"])
            for name, field in fields.items()
        ],
    )


def commands() -> str:
    return _table(("command", "what it does"), [(f"`{words}`", says) for words, says in command_lines()])


def command_lines() -> Iterator[tuple[str, str]]:
    """Every command that help lists, with its options, and the first line of its own help."""
    yield from _commands("frontrow", typer.main.get_group(app()))


def problems() -> str:
    return _table(
        ("slug", "status", "title", "what happened, and what to do"),
        [(f"`{kind.slug}`", str(kind.status), kind.title, f"{kind.happened} {kind.now}") for kind in KINDS.values()],
    )


def limits_of_seat_maps() -> str:
    return _table(
        ("limit", "value", "why"),
        [(f"`{name}`", f"{value:,}", why) for name, value, why in _reasons("core/seat_maps/limits.py")],
    )


def invariants() -> str:
    return _table(("view", "what is true while it is empty"), [(f"`{view}`", says) for view, says in invariant_views()])


def invariant_views() -> Iterator[tuple[str, str]]:
    """Each view of the schema that must be empty, with the sentence above it."""
    for file in sorted((SQL / "schema").glob("*.sql")):
        for comment, view in _INVARIANT.findall(file.read_text(encoding="utf-8")):
            yield view, " ".join(line.removeprefix("-- ") for line in comment.splitlines())


def layers() -> str:
    """The layers from the top, each with the words beside it in pyproject.toml."""
    _, _, rest = _pyproject().partition("\nlayers = [\n")
    found = _LAYER.findall(rest.partition("]")[0])
    width = max(len(layer) for layer, _ in found)
    lines = "\n".join(f"{layer:{width}}  {says}".rstrip() for layer, says in found)
    return f"```text\n{lines}\n```\n"


def contracts() -> str:
    """What import-linter checks, in its order."""
    named = tomllib.loads(_pyproject())["tool"]["importlinter"]["contracts"]
    return "".join(f"- {contract['name']}.\n" for contract in named)


def metrics() -> str:
    """Every number that /metrics has."""
    sources = (TOP / "src/frontrow").rglob("*.py")
    found = (number for source in sorted(sources) for number in _numbers(ast.parse(source.read_text(encoding="utf-8"))))
    return _table(("number", "kind", "what it is"), sorted(found))


def house_rules() -> str:
    """Each rule of tests/tidy, and the bug it prevents."""
    rules = [(rule.__name__, inspect.cleandoc(rule.__doc__ or "").split("\n\n")[0]) for rule in RULES]
    return _table(("rule", "why"), [(f"`{name}`", " ".join(says.split())) for name, says in rules])


def words_not_said() -> str:
    layers = " and ".join(f"`{folder.removeprefix('src/frontrow/')}`" for folder in RULES_ARE_IN)
    return _table(
        ("not", "but"),
        [
            *((word, instead) for word, instead in FORBIDDEN.items()),
            *((f"{word} (in {layers})", instead) for word, instead in FORBIDDEN_IN_RULES.items()),
        ],
    )


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "states of seats": states_of_seats,
    "states of holds": states_of_holds,
    "states of jobs": states_of_jobs,
    "states of orders": states_of_orders,
    "states of payment attempts": states_of_payment_attempts,
    "states of refunds": states_of_refunds,
    "settings": settings,
    "commands": commands,
    "problems": problems,
    "limits of seat maps": limits_of_seat_maps,
    "invariants": invariants,
    "words not said": words_not_said,
    "layers": layers,
    "contracts": contracts,
    "metrics": metrics,
    "house rules": house_rules,
}


def _numbers(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for call in ast.walk(tree):
        match call:
            case ast.Call(
                func=ast.Name("Counter" | "Gauge" | "Histogram" as kind),
                args=[ast.Constant(str(name)), ast.Constant(str(says)), *_],
            ):
                yield f"`{name}{'_total' if kind == 'Counter' else ''}`", kind.lower(), says
            case _:
                pass


def _pyproject() -> str:
    return (TOP / "pyproject.toml").read_text(encoding="utf-8")


def _states(transitions: Mapping[tuple[State, Change], State], *, begin: State) -> str:
    """A diagram of a table of transitions, and the table itself for those who cannot see the diagram."""
    left = {before for before, _ in transitions}
    ends = [state for state in type(begin) if state not in left]
    arrows = [
        f"[*] --> {begin}",
        *(f"{before} --> {after}: {change}" for (before, change), after in transitions.items()),
        *(f"{state} --> [*]" for state in ends),
    ]
    rows = [(before.value, change.value, after.value) for (before, change), after in transitions.items()]
    diagram = "\n".join(f"    {arrow}" for arrow in arrows)
    return f"```mermaid\nstateDiagram-v2\n{diagram}\n```\n\n{_table(('from', 'by', 'to'), rows)}"


def _default(field: Mapping[str, Any]) -> str:
    given: object = field["default"]
    return "not set" if given is None else f"`{str(given).lower() if isinstance(given, bool) else given}`"


def _takes(name: str, field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "maximum" in field:
        low = f"above {field['exclusiveMinimum']:,}" if "exclusiveMinimum" in field else f"{field['minimum']:,}"
        return f"{low} to {field['maximum']:,}"
    if field.get("type") == "boolean":
        return "`true`, `false`"
    return "a URL" if name.endswith("_url") else "a path" if field.get("format") == "path" else "text"


def _commands(called: str, group: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 -- typer's own class has no types
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from _commands(f"{called} {name}", command)
            continue
        options = [_option(option) for option in command.params if not getattr(option, "hidden", False)]
        yield " ".join([called, name, *options]), command.help.strip().split("\n")[0]


def _option(option: Any) -> str:  # noqa: ANN401 -- the same
    if option.param_type_name == "argument":
        return str(option.name).upper()
    told = option.opts[0] if option.is_flag else f"{option.opts[0]} {str(option.name).upper()}"
    return told if option.required else f"[{told}]"


def _reasons(file: str) -> Iterator[tuple[str, int, str]]:
    """The limits that a module names, each with the comment beside it."""
    for name, why in _LIMIT.findall((TOP / "src/frontrow" / file).read_text(encoding="utf-8")):
        value = getattr(limits, name)
        if isinstance(value, int):
            yield name, value, why


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, tuple("---" for _ in head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
