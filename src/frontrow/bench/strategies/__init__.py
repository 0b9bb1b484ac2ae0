"""Ways of holding seats, measured side by side: the five that are published, and Frontrow's.

Each is correct, and has two forms. As published, the statements of a hold are sent one after the other, in one SQL
transaction, by the libraries that Frontrow uses itself. Tuned, each is as fast as we know how to make its idea: one
call of a stored function, and one connection to Valkey that carries everything of a turn at once. Frontrow's own way
has one form only. All prepare their statements, keep their connections open, call scripts by their SHA, and hold the
same seats for the same time in a PostgreSQL that waits for the disk.

What Frontrow does beside (one live hold for each fan, a fan's limit, the journal) none of the others does.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from frontrow.bench.strategies.group_commit import GROUP_COMMIT
from frontrow.bench.strategies.redis_first import REDIS_FIRST
from frontrow.bench.strategies.redis_lock import REDIS_LOCK
from frontrow.bench.strategies.row_lock import ROW_LOCK
from frontrow.bench.strategies.serial_line import SERIAL_LINE
from frontrow.bench.strategies.strategy import AtWork, Strategy, Workbench
from frontrow.bench.strategies.version_check import VERSION_CHECK

STRATEGIES: Final[Mapping[str, Strategy]] = MappingProxyType(
    {
        strategy.name: strategy
        for strategy in (ROW_LOCK, VERSION_CHECK, REDIS_LOCK, REDIS_FIRST, SERIAL_LINE, GROUP_COMMIT)
    }
)

__all__ = ["GROUP_COMMIT", "REDIS_LOCK", "STRATEGIES", "AtWork", "Strategy", "Workbench"]
