"""The provider's own storage: one SQLite file, written by one process, in short transactions.

WAL and `synchronous = NORMAL`: what was answered survives a `kill -9` at any moment. What makes up a change is kept in
one piece or not at all; who makes a change opens it with `whole()`. Nothing is decided in here.
"""

import fcntl
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from frontrow.halt import Halt
from frontrow.psp_sim.intents import Intent, Refund
from frontrow.psp_sim.ledger import Move, Standing, Why

FILE: Final = "psp-sim.sqlite3"
SCHEMA_VERSION: Final = 1
BUSY_SECONDS_MAX: Final = 5.0  # nobody else writes; somebody may look into the file with a tool of his own
WAL_PAGES: Final = 65_536  # 256 MB; `fold` keeps it far below
CACHE_KB: Final = 65_536
ANSWERS_KEPT_SECONDS: Final = 86_400  # as long as Stripe keeps them
EVENTS_KEPT_SECONDS: Final = 30 * 86_400  # the same
PRUNED_AT_ONCE_MAX: Final = 2_000  # rows, each second: more than come in

_SCHEMA: Final = """
CREATE TABLE intent (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    due REAL,
    document BLOB NOT NULL
);
CREATE INDEX intent_due ON intent (due) WHERE due IS NOT NULL;
CREATE TABLE refund (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    intent TEXT NOT NULL REFERENCES intent (id),
    created INTEGER NOT NULL,
    due REAL,
    document BLOB NOT NULL
);
CREATE INDEX refund_intent ON refund (intent);
CREATE INDEX refund_due ON refund (due) WHERE due IS NOT NULL;
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    intent TEXT NOT NULL REFERENCES intent (id),
    why TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    source TEXT NOT NULL,
    created INTEGER NOT NULL
);
CREATE INDEX ledger_intent ON ledger (intent);
CREATE TABLE answer (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    asked BLOB NOT NULL,
    status INTEGER NOT NULL,
    body BLOB NOT NULL,
    request_id TEXT NOT NULL,
    created INTEGER NOT NULL
);
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    created INTEGER NOT NULL,
    document BLOB NOT NULL
);
CREATE TABLE delivery (
    number INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES event (number) ON DELETE CASCADE,
    began REAL NOT NULL,
    due REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    status INTEGER,
    CHECK (due IS NOT NULL OR attempts > 0)
);
CREATE INDEX delivery_due ON delivery (due) WHERE due IS NOT NULL;
CREATE INDEX delivery_event ON delivery (event);
CREATE TABLE fault (id TEXT PRIMARY KEY, document BLOB NOT NULL) WITHOUT ROWID;
"""

_LISTED: Final = frozenset({"intent", "refund", "event", "ledger"})
_BOUNDS: Final[Mapping[str, str]] = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

_intent: Final = msgspec.json.Decoder(Intent).decode
_refund: Final = msgspec.json.Decoder(Refund).decode
_encode: Final = msgspec.json.Encoder().encode


class Stored(msgspec.Struct, frozen=True):
    """The answer to an idempotency key."""

    asked: bytes
    status: int
    body: bytes
    request_id: str


class Entry(msgspec.Struct, frozen=True):
    """A row of the ledger."""

    number: int
    intent: str
    why: Why
    amount: int
    currency: str
    source: str
    created: int


class Delivery(msgspec.Struct, frozen=True):
    """An event on its way to who wants to hear of it."""

    number: int
    began: float
    attempts: int
    body: bytes


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows of a list: the newest first, after the one named, and with these values and times."""

    limit: int
    after: int | None = None
    equal: Mapping[str, Sequence[str]] = {}
    created: Mapping[str, int] = {}


class Store:
    """Open from the start to `close`."""

    def __init__(self, folder: Path) -> None:
        """Make the file in the folder, or take it; Halt where another process has it."""
        self._taken = _take(folder)
        self._path = folder / FILE
        self._connection = self._connect()
        self._run("PRAGMA journal_mode = WAL")
        self._run("PRAGMA synchronous = NORMAL")
        self._run(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
        self._run(f"PRAGMA cache_size = -{CACHE_KB}")
        self._run("PRAGMA foreign_keys = ON")
        (version,) = self._row("PRAGMA user_version") or (0,)
        if version not in {0, SCHEMA_VERSION}:
            raise Halt(f"{self._path} is of another version of psp-sim; remove it: no money is in it")
        if version == 0:
            self._connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; END")

    def close(self) -> None:
        self._connection.close()
        self._taken.close()

    def fold(self) -> None:
        """Bring what was written into the file itself, while others go on writing. From any thread."""
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def whole(self) -> AbstractContextManager[object]:
        """Everything that is written inside is kept together, or nothing of it when an exception leaves."""
        return self._connection

    # Intents and refunds

    def intent(self, intent_id: str) -> Intent | None:
        row = self._row("SELECT document FROM intent WHERE id = ?", intent_id)
        return None if row is None else _intent(row[0])

    def add_intent(self, intent: Intent) -> None:
        self._run(
            "INSERT INTO intent (id, created, document) VALUES (?, ?, ?)", intent.id, intent.created, _encode(intent)
        )

    def save_intent(self, intent: Intent, *, due: float | None) -> None:
        self._run("UPDATE intent SET document = ?, due = ? WHERE id = ?", _encode(intent), due, intent.id)

    def intents_due(self, now: float) -> list[Intent]:
        return [_intent(row[0]) for row in self._rows("SELECT document FROM intent WHERE due <= ? ORDER BY due", now)]

    def refund(self, refund_id: str) -> Refund | None:
        row = self._row("SELECT document FROM refund WHERE id = ?", refund_id)
        return None if row is None else _refund(row[0])

    def refunds_of(self, intent_id: str) -> list[Refund]:
        rows = self._rows("SELECT document FROM refund WHERE intent = ? ORDER BY number", intent_id)
        return [_refund(row[0]) for row in rows]

    def add_refund(self, refund: Refund, *, due: float | None) -> None:
        self._run(
            "INSERT INTO refund (id, intent, created, due, document) VALUES (?, ?, ?, ?, ?)",
            refund.id,
            refund.payment_intent,
            refund.created,
            due,
            _encode(refund),
        )

    def save_refund(self, refund: Refund) -> None:
        self._run("UPDATE refund SET document = ?, due = NULL WHERE id = ?", _encode(refund), refund.id)

    def refunds_due(self, now: float) -> list[Refund]:
        return [_refund(row[0]) for row in self._rows("SELECT document FROM refund WHERE due <= ? ORDER BY due", now)]

    # The ledger

    def move(self, intent: Intent, moves: Iterable[Move], *, at: int) -> None:
        for move in moves:
            self._run(
                "INSERT INTO ledger (intent, why, amount, currency, source, created) VALUES (?, ?, ?, ?, ?, ?)",
                intent.id,
                move.why.value,
                move.amount,
                intent.currency,
                move.source,
                at,
            )

    def standing(self, intent_id: str) -> Standing:
        standing = Standing()
        for why, amount in self._rows(
            "SELECT why, sum(amount) FROM ledger WHERE intent = ? GROUP BY why ORDER BY why", intent_id
        ):
            standing.add(Why(why), amount)
        return standing

    def standings(self, *, after: int, limit: int) -> list[tuple[int, Intent, Standing]]:
        """Of many intents, in the order of their making."""
        rows = self._rows(
            "SELECT number, document FROM intent WHERE number > ? ORDER BY number LIMIT ?", after, limit
        ).fetchall()
        found = [(number, _intent(document)) for number, document in rows]
        return [(number, intent, self.standing(intent.id)) for number, intent in found]

    def totals(self) -> dict[str, Standing]:
        """Of all intents, by currency."""
        totals: dict[str, Standing] = {}
        for currency, why, amount in self._rows(
            "SELECT currency, why, sum(amount) FROM ledger GROUP BY currency, why ORDER BY currency"
        ):
            totals.setdefault(currency, Standing()).add(Why(why), amount)
        return totals

    # Lists: the newest first

    def number_of(self, table: str, object_id: str) -> int | None:
        assert table in _LISTED, table
        row = self._row(f"SELECT number FROM {table} WHERE id = ?", object_id)  # noqa: S608 -- one of four words
        return None if row is None else row[0]

    def intents(self, wanted: Wanted) -> list[Intent]:
        return [_intent(row[0]) for row in self._listed("intent", "document", wanted)]

    def refunds(self, wanted: Wanted) -> list[Refund]:
        return [_refund(row[0]) for row in self._listed("refund", "document", wanted)]

    def events(self, wanted: Wanted) -> list[bytes]:
        return [row[0] for row in self._listed("event", "document", wanted)]

    def entries(self, wanted: Wanted) -> list[Entry]:
        columns = "number, intent, why, amount, currency, source, created"
        rows = self._listed("ledger", columns, wanted)
        return [Entry(row[0], row[1], Why(row[2]), *row[3:]) for row in rows]

    def event(self, event_id: str) -> bytes | None:
        row = self._row("SELECT document FROM event WHERE id = ?", event_id)
        return None if row is None else row[0]

    # Answers to idempotency keys

    def answer(self, key: str) -> Stored | None:
        row = self._row("SELECT asked, status, body, request_id FROM answer WHERE key = ?", key)
        return None if row is None else Stored(*row)

    def keep_answer(self, key: str, stored: Stored, *, at: int) -> None:
        self._run(
            "INSERT INTO answer (key, asked, status, body, request_id, created) VALUES (?, ?, ?, ?, ?, ?)",
            key,
            stored.asked,
            stored.status,
            stored.body,
            stored.request_id,
            at,
        )

    # Events and their deliveries

    def add_event(self, event_id: str, kind: str, document: bytes, *, at: int) -> int:
        """Its number."""
        made = self._run(
            "INSERT INTO event (id, type, created, document) VALUES (?, ?, ?, ?)", event_id, kind, at, document
        )
        assert made.lastrowid is not None
        return made.lastrowid

    def add_delivery(self, event: int, *, began: float, due: float) -> None:
        self._run("INSERT INTO delivery (event, began, due) VALUES (?, ?, ?)", event, began, due)

    def deliveries_due(self, now: float, *, besides: Iterable[int], limit: int) -> list[Delivery]:
        """`besides`: those that are under way."""
        under_way = frozenset(besides)
        rows = self._rows(
            "SELECT d.number, d.began, d.attempts, e.document FROM delivery d JOIN event e ON e.number = d.event "
            "WHERE d.due <= ? ORDER BY d.due, d.number LIMIT ?",
            now,
            limit + len(under_way),
        )
        return [Delivery(*row) for row in rows if row[0] not in under_way][:limit]

    def delivery_tried(self, number: int, *, status: int | None, next_due: float | None) -> None:
        """`next_due`: None when it was taken, or is given up."""
        self._run(
            "UPDATE delivery SET attempts = attempts + 1, status = ?, due = ? WHERE number = ?",
            status,
            next_due,
            number,
        )

    def deliveries_waiting(self) -> int:
        (waiting,) = self._row("SELECT count(*) FROM delivery WHERE due IS NOT NULL") or (0,)
        return waiting

    def next_due(self) -> float | None:
        """When something is next to be done: a late payment to come through, a refund to end, a webhook to deliver."""
        (due,) = self._row(
            "SELECT min(due) FROM (SELECT min(due) AS due FROM intent WHERE due IS NOT NULL UNION ALL "
            "SELECT min(due) FROM refund WHERE due IS NOT NULL UNION ALL "
            "SELECT min(due) FROM delivery WHERE due IS NOT NULL)"
        ) or (None,)
        return due

    # Faults

    def faults(self) -> list[bytes]:
        return [row[0] for row in self._rows("SELECT document FROM fault ORDER BY id")]

    def keep_fault(self, fault_id: str, document: bytes) -> None:
        self._run("INSERT OR REPLACE INTO fault (id, document) VALUES (?, ?)", fault_id, document)

    def drop_fault(self, fault_id: str) -> None:
        self._run("DELETE FROM fault WHERE id = ?", fault_id)

    def prune(self, now: float) -> int:
        """Forget old answers, and old events that nobody waits for. How many rows."""
        # They were made in the order of their numbers: the oldest are the first.
        answers = self._run(
            "DELETE FROM answer WHERE number IN (SELECT number FROM answer ORDER BY number LIMIT ?) AND created < ?",
            PRUNED_AT_ONCE_MAX,
            int(now) - ANSWERS_KEPT_SECONDS,
        )
        events = self._run(
            "DELETE FROM event WHERE number IN (SELECT number FROM event ORDER BY number LIMIT ?) AND created < ?",
            PRUNED_AT_ONCE_MAX,
            int(now) - EVENTS_KEPT_SECONDS,
        )
        return answers.rowcount + events.rowcount

    def _listed(self, table: str, columns: str, wanted: Wanted) -> sqlite3.Cursor:
        conditions, values = ["1"], list[Any]()
        if wanted.after is not None:
            conditions.append("number < ?")
            values.append(wanted.after)
        for column, choices in wanted.equal.items():
            conditions.append(f"{column} IN ({', '.join('?' * len(choices))})")
            values.extend(choices)
        for bound, time in wanted.created.items():
            conditions.append(f"created {_BOUNDS[bound]} ?")
            values.append(time)
        rows = f"FROM {table} WHERE {' AND '.join(conditions)} ORDER BY number DESC LIMIT ?"
        return self._rows(f"SELECT {columns} {rows}", *values, wanted.limit)

    def _connect(self) -> sqlite3.Connection:
        try:
            # The first write of a change takes the right to write, so that nothing of it can fail for that later.
            return sqlite3.connect(self._path, timeout=BUSY_SECONDS_MAX, isolation_level="IMMEDIATE")
        except sqlite3.Error as error:
            raise Halt(f"{self._path} cannot be opened: {error}") from error

    def _run(self, statement: str, *values: object) -> sqlite3.Cursor:
        return self._connection.execute(statement, values)  # pyright: ignore[reportArgumentType] -- a stub's own union

    def _rows(self, statement: str, *values: object) -> sqlite3.Cursor:
        return self._run(statement, *values)

    def _row(self, statement: str, *values: object) -> Any:  # noqa: ANN401 -- a row of SQLite has no type
        return self._run(statement, *values).fetchone()


def _take(folder: Path) -> IO[str]:
    """Be the one process of this folder until the file that is handed out is closed, however we end."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (folder / "psp-sim.lock").open("a", encoding="utf-8")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Halt(
            f"another psp-sim runs from {folder}; stop it first, or choose another FRONTROW_DATA_DIR=…"
        ) from None
    except OSError as error:
        raise Halt(f"{folder} cannot be written: {error.strerror or error}") from error
    return file
