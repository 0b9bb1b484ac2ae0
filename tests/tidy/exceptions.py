"""Where a house rule does not hold, and why. An entry that is no longer needed is a finding itself."""

from collections.abc import Mapping
from typing import Final

# (rule, file, what it is about): the reason
EXCEPTIONS: Final[Mapping[tuple[str, str, str], str]] = {
    ("transaction_outside_flow", "src/frontrow/adapters/postgres/connection.py", "statement"): (
        "sql_transaction itself: what flows open"
    ),
    ("transaction_outside_flow", "src/frontrow/adapters/postgres/migrations.py", "sql_transaction"): (
        "each migration is a flow of its own, and no other flow may be around it"
    ),
    ("transaction_outside_flow", "src/frontrow/adapters/postgres/pool.py", "sql_transaction"): (
        "Database.transaction is what flows open; it is made of sql_transaction"
    ),
    ("transaction_outside_flow", "src/frontrow/adapters/postgres/transactions.py", "sql_transaction"): (
        "Transactions.transaction is what flows open too; its faults are told apart"
    ),
    ("transaction_outside_flow", "src/frontrow/bench/strategies/seat_rows.py", "sql_transaction"): (
        "a way of holding seats that is measured is a flow of its own; it opens what it commits"
    ),
    ("clock_read", "src/frontrow/processes/clock.py", "datetime.datetime.now"): "the clock that processes hand down",
    ("environment_read", "src/frontrow/web/metrics.py", "os.environ"): (
        "prometheus-client is told its folder in no other way; nothing is read"
    ),
    ("environment_read", "src/frontrow/settings.py", "os.environ"): "the one place that reads the environment",
    ("word_outside_glossary", "src/frontrow/engines/account.py", "engine_user"): "the same setting",
    ("word_outside_glossary", "src/frontrow/engines/pair.py", "engine_user"): "the same setting",
    ("word_outside_glossary", "src/frontrow/settings.py", "engine_user"): "a system account, named so by the system",
}
