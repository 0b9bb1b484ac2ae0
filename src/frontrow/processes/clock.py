"""The wall clock of a process, for what is shown. It is handed down from here; nobody below reads one himself."""

from datetime import UTC, datetime


def now() -> datetime:
    """The time now, aware and in UTC. Whether a hold has ended, PostgreSQL's clock says."""
    return datetime.now(UTC)
