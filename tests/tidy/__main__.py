"""`python -m tests.tidy` prints what breaks a house rule, a line each, and fails when there is any."""

import sys

from tests.tidy.rules import RULES, report

lines = list(report())
print(*lines or [f"{len(RULES)} house rules hold"], sep="\n")  # noqa: T201 -- a command prints
sys.exit(bool(lines))
