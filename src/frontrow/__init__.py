"""Frontrow: ticketing that survives the on-sale. Start with ARCHITECTURE.md."""

from typing import Final

if not __debug__:
    raise SystemExit("frontrow: assertions guard every sale; start Python without -O and without PYTHONOPTIMIZE")

__version__: Final = "0.1.0"  # the one of pyproject.toml, by test
