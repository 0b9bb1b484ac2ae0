"""Faults that callers must tell apart: what surely was not done, and what may have been.

A refusal is a value; these are exceptions. Whoever asked with an id of his own may ask again after either.
"""


class UnavailableError(Exception):
    """It was not done, for a reason that may pass."""


class OutcomeUnknownError(Exception):
    """It was done or it was not; asking again with the same id tells."""
