"""The house rules in one list, and the report on the checkout.

Each rule is a function from a file to findings; its docstring says which bug it prevents. `make check` runs them
through `python -m tests.tidy`; test_tidy.py shows each one reporting.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from tests.tidy.exceptions import EXCEPTIONS
from tests.tidy.places import environment_read, other_host_on_page, registry_or_home
from tests.tidy.reasons import log_line_is_no_fact, suppression_without_reason, swallowed_error
from tests.tidy.sizes import file_too_long, function_too_long
from tests.tidy.source import Finding, Source, checkout
from tests.tidy.statements import function_without_version, statement_without_header
from tests.tidy.time_and_chance import chance_in_core, clock_read
from tests.tidy.transactions import caught_in_transaction, transaction_outside_flow
from tests.tidy.words import (
    module_named_nothing,
    module_without_docstring,
    word_outside_glossary,
    word_outside_glossary_on_page,
)

Rule: TypeAlias = Callable[[Source], Iterator[Finding]]

RULES: Final[tuple[Rule, ...]] = (
    clock_read,
    chance_in_core,
    transaction_outside_flow,
    caught_in_transaction,
    swallowed_error,
    suppression_without_reason,
    log_line_is_no_fact,
    statement_without_header,
    function_without_version,
    word_outside_glossary,
    word_outside_glossary_on_page,
    module_named_nothing,
    module_without_docstring,
    file_too_long,
    function_too_long,
    registry_or_home,
    environment_read,
    other_host_on_page,
)


def report(
    sources: Iterable[Source] | None = None, exceptions: Mapping[tuple[str, str, str], str] = EXCEPTIONS
) -> Iterator[str]:
    """A line for every finding that no exception covers, and for every exception that covers nothing."""
    unused = set(exceptions)
    for source in checkout() if sources is None else sources:
        for rule, finding in _findings(source):
            key = (rule, str(source.path), finding.subject)
            if key in exceptions:
                unused.discard(key)
            else:
                yield f"{source.path}:{finding.line}: {rule}: {finding.message}"
    for rule, path, subject in sorted(unused):
        yield f"{path}: {rule}: the exception for `{subject}` is no longer needed; take it out of tests/tidy"


def _findings(source: Source) -> Iterator[tuple[str, Finding]]:
    try:
        for rule in RULES:
            yield from ((rule.__name__, finding) for finding in rule(source))
    except SyntaxError as error:
        yield "python", Finding(error.lineno or 1, "syntax", f"does not parse: {error.msg}")
