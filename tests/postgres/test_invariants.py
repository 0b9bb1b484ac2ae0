"""What `frontrow audit` asks: every view inv_* stays silent while all is well, and speaks when its sentence is broken.

A view that a migration adds needs a row in BREAKS: statements that make its sentence untrue. Triggers and
references are off while it runs, so it can break what nothing in Frontrow is able to.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Final, NamedTuple

import asyncpg
import pytest

from frontrow.adapters.postgres.audit import violations

# Two seats of the small season, sold: the ledger's functions write all that goes with it, in three updates.
SOLD: Final = """
    UPDATE event SET on_sale_at = now(), starts_at = now() + interval '1 day', ends_at = now() + interval '2 days';
    CREATE TEMPORARY TABLE asked ON COMMIT DROP AS
    SELECT event_id, ARRAY[gen_random_uuid()] AS hold_ids, ARRAY[gen_random_uuid()] AS fan_ids FROM event;
    SELECT answer.* FROM asked, hold_seats_v1(event_id, hold_ids, fan_ids, '{1, 1}', '{0, 1}') AS answer;
    SELECT answer.* FROM asked, begin_checkouts_v1(event_id, hold_ids, fan_ids, 60) AS answer;
    SELECT answer.* FROM asked, sell_holds_v1(event_id, hold_ids) AS answer;
"""

# A seat more, held: by the same fan, and by another.
HELD_AGAIN: Final = """
    SELECT answer.* FROM asked, hold_seats_v1(event_id, ARRAY[gen_random_uuid()], fan_ids, '{1}', '{2}') AS answer;
"""
HELD_BY_ANOTHER: Final = """
    SELECT answer.*
      FROM asked, hold_seats_v1(event_id, ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], '{1}', '{3}') AS answer;
"""


# The same two seats, by way of an order that is paid; its money is not taken yet.
ORDERED: Final = """
    UPDATE event SET on_sale_at = now(), starts_at = now() + interval '1 day', ends_at = now() + interval '2 days';
    CREATE TEMPORARY TABLE asked ON COMMIT DROP AS
    SELECT event_id, ARRAY[gen_random_uuid()] AS hold_ids, ARRAY[gen_random_uuid()] AS fan_ids,
           ARRAY[gen_random_uuid()] AS order_ids, ARRAY[gen_random_uuid()] AS attempt_ids
      FROM event;
    SELECT answer.* FROM asked, hold_seats_v1(event_id, hold_ids, fan_ids, '{1, 1}', '{0, 1}') AS answer;
    SELECT answer.* FROM asked, open_orders_v1(
        event_id, order_ids, hold_ids, fan_ids, '{mara@example.org}', '{1, 1}', '{0, 1}', '{A, A}', 300, 120) AS answer;
    SELECT answer.* FROM asked, begin_attempts_v1(order_ids, fan_ids, attempt_ids, '{pm_ok}', 'psp-sim', 20) AS answer;
    SELECT answer.* FROM asked, sell_orders_v1(
        event_id, attempt_ids, '{pi_1}', '{false}', 1, 15, NULL, NULL) AS answer;
"""

# One more attempt at that order, in this state.
ATTEMPT: Final = """
    DROP INDEX payment_attempt_live;
    INSERT INTO payment_attempt (attempt_id, order_id, provider, payment_method, amount_minor, currency, state, made_at,
                                 changed_at)
    SELECT gen_random_uuid(), order_id, provider, payment_method, amount_minor, currency, '{}', now(), now()
      FROM payment_attempt
"""

# What a break needs to be seen by triggers, which keep other things true.
AS_EVER: Final = "SET LOCAL session_replication_role = origin"


class Break(NamedTuple):
    """Statements that make the sentence of one view untrue, and what the line then says."""

    view: str
    statements: Sequence[str]
    words: str
    beside: frozenset[str] = frozenset()  # views whose sentences cannot but be untrue then, too
    setup: str = SOLD

    @property
    def before(self) -> set[str]:
        """The ledger alone sells without orders."""
        return {"inv_hold_without_order"} if self.setup is SOLD else set()


# A row for each part of a sentence. Sold are the seats 0 and 1, by the updates 1 (held), 2 (in checkout) and 3 (sold).
BREAKS: Final = [
    Break(
        "inv_claim_on_no_seat",
        [
            "UPDATE claim SET seat_no = seat_no + 6",
            "UPDATE hold SET seats = '{6,7}'",
            "UPDATE journal SET seats = '{6,7}'",
        ],
        'seat_no=7 state="sold" seats=7',  # the first is 0, so the last is 6
    ),
    Break(
        "inv_claim_twice",
        [
            "ALTER TABLE claim DROP CONSTRAINT claim_pkey",
            "UPDATE claim SET seat_no = 0",
            "UPDATE journal SET seats = '{0,0}'",
        ],
        "seat_no=0 claims=2",
    ),
    Break("inv_claim_without_hold", ["UPDATE hold SET state = 'checkout'"], 'hold_state="checkout"'),
    Break("inv_claim_without_hold", ["UPDATE hold SET seats = '{0,2}'"], "seat_no=1"),
    Break(
        "inv_claim_without_hold",
        [HELD_AGAIN, "UPDATE hold SET expires_at = expires_at + interval '1 s' WHERE state = 'held'"],
        'seat_no=2 state="held"',
    ),
    Break(
        "inv_claim_without_hold",
        [
            "INSERT INTO claim SELECT event_id, 2, 'held', gen_random_uuid(), 'infinity' FROM event",
            "UPDATE lane SET held = 1",
            """
            UPDATE journal
               SET seats = '{0,1,2}', states = 'ssh', expires_at = 'infinity',
                   holders = holders || holder_v1(claim.hold_id)
              FROM claim
             WHERE claim.seat_no = 2 AND journal.update_no = 3
            """,
        ],
        "hold_state=null",
    ),
    Break(
        "inv_fan_with_two_holds",
        [
            "DROP INDEX hold_live_of_fan",
            HELD_AGAIN,
            HELD_BY_ANOTHER,
            "UPDATE hold SET fan_id = fan_ids[1] FROM asked",
        ],
        "holds=2",  # and the one that is sold does not count
    ),
    Break("inv_hall_seat_map_version_missing", ["UPDATE hall_seat_map SET version = 3"], "versions=1 newest=3"),
    Break("inv_hold_miscounted", ["UPDATE hold SET tickets = 1"], "tickets=1 claims=2"),
    Break(
        "inv_job_dead",
        [
            """
            INSERT INTO job (kind, job_key, payload, state, urgency, attempts, due_at, made_at, last_error)
            VALUES ('mail', 'm', '{}', 'dead', 0, 3, now(), now(), 'no such mailbox')
            """
        ],
        'last_error="no such mailbox"',
    ),
    Break(
        "inv_job_overdue",
        [
            """
            INSERT INTO job (kind, job_key, payload, state, urgency, attempts, due_at, made_at)
            VALUES ('mail', 'm', '{}', 'waiting', 0, 0, now() - interval '5 minutes 1 s', now())
            """
        ],
        'kind="mail" attempts=0',
    ),
    Break(
        "inv_journal_not_claims",
        ["UPDATE journal SET states = 'sa' WHERE update_no = 3"],
        'seat_no=1 journal_state="a"',
    ),
    Break(
        "inv_journal_not_claims",
        ["UPDATE journal SET holders = nobody_v1(seats) WHERE update_no = 3"],
        'seat_no=1 journal_state="s" journal_holder="\\\\x0000000000000000"',
    ),
    Break(
        "inv_journal_not_claims",
        [HELD_AGAIN, "UPDATE journal SET expires_at = expires_at + interval '1 s' WHERE update_no = 4"],
        'seat_no=2 journal_state="h"',
    ),
    Break(
        "inv_journal_not_claims",
        [
            """
            UPDATE journal SET seats = '{0,1,2}', states = 'ssb', holders = holders || nobody_v1('{2}')
             WHERE update_no = 3
            """
        ],
        'seat_no=2 journal_state="b"',  # of a seat that has no claim
    ),
    Break("inv_journal_number_missing", ["UPDATE lane SET update_no = 4"], "lane_update_no=4 updates=3 newest=3"),
    Break(
        "inv_journal_number_missing",
        ["DELETE FROM journal WHERE update_no = 2"],
        "lane_update_no=3 updates=2 newest=3",
    ),
    Break(
        "inv_journal_number_missing",
        ["UPDATE journal SET update_no = 4 WHERE update_no = 3"],
        "lane_update_no=3 updates=3 newest=4",
    ),
    Break("inv_lane_miscounted", ["UPDATE lane SET held = 1"], "held=1 sold=2 blocked=0 held_claims=0"),
    Break("inv_lane_miscounted", ["UPDATE lane SET sold = 1"], "held=0 sold=1 blocked=0"),
    Break("inv_lane_miscounted", ["UPDATE lane SET blocked = 1"], "held=0 sold=2 blocked=1"),
    Break(
        "inv_lane_missing",
        ["DELETE FROM lane", "DELETE FROM claim", "DELETE FROM journal", "DELETE FROM hold"],
        "name=",
    ),
    Break("inv_price_level_missing", [AS_EVER, "DELETE FROM price_level WHERE level = 'B'"], 'level="B"'),
    Break(
        "inv_price_level_unknown",
        [AS_EVER, "INSERT INTO price_level SELECT event_id, 'C', 'Clouds', 100, 0 FROM event"],
        'level="C"',
    ),
    Break("inv_schema_migration_missing", ["DELETE FROM schema_migration WHERE number = 1"], "newest="),
    Break(
        "inv_seat_map_miscounted",
        ["UPDATE seat_map SET seats = 8"],
        "seats=8 seats_in_document=7",
        beside=frozenset({"inv_search_event_stale"}),  # which counts with the number that was written
    ),
    Break(
        "inv_order_misadded",
        ["UPDATE fan_order SET total_minor = total_minor + 1"],
        "total_minor=",
        beside=frozenset({"inv_paid_without_money"}),
        setup=ORDERED,
    ),
    Break(
        "inv_order_not_hold", ["UPDATE fan_order SET fan_id = gen_random_uuid()"], 'hold_state="sold"', setup=ORDERED
    ),
    Break("inv_order_not_hold", ["UPDATE fan_order SET seats = '{0, 2}'"], 'state="paid"', setup=ORDERED),
    Break(
        "inv_hold_without_order",
        ["DELETE FROM ticket", "DELETE FROM money_entry", "DELETE FROM payment_attempt", "DELETE FROM fan_order"],
        'state="sold"',
        setup=ORDERED,
    ),
    Break("inv_ticket_not_claim", ["UPDATE ticket SET seat_no = 5 WHERE seat_no = 1"], "ticket_id=null", setup=ORDERED),
    Break(
        "inv_paid_without_money",
        ["UPDATE payment_attempt SET state = 'pending'"],
        'attempt_state="pending"',
        setup=ORDERED,
    ),
    Break("inv_money_without_order", [ATTEMPT.format("authorized")], 'state="authorized"', setup=ORDERED),
    Break(
        "inv_money_without_order",
        [ATTEMPT.format("refunding")],
        'state="refunding"',
        beside=frozenset({"inv_books_not_orders"}),
        setup=ORDERED,
    ),
    Break(
        "inv_refund_too_large",
        [
            """
            INSERT INTO refund (refund_id, attempt_id, order_id, amount_minor, reason, state, made_at, changed_at)
            SELECT gen_random_uuid(), attempt_id, order_id, amount_minor + 1, 'late', 'asked', now(), now()
              FROM payment_attempt
            """
        ],
        "refunds_minor=",
        setup=ORDERED,
    ),
    Break(
        "inv_books_unbalanced",
        ["UPDATE money_entry SET amount_minor = amount_minor + 1 WHERE account = 'fan'"],
        "sum_minor=1",
        setup=ORDERED,
    ),
    Break(
        "inv_books_not_orders",
        [
            """
            UPDATE money_entry SET amount_minor = amount_minor + CASE account WHEN 'organizer' THEN 1 ELSE -1 END
             WHERE account <> 'fan'
            """
        ],
        'account="fees"',
        setup=ORDERED,
    ),
    Break(
        "inv_order_overdue",
        ["UPDATE payment_attempt SET ask_at = now() - interval '5 minutes 1 s'"],
        'state="authorized"',
        setup=ORDERED,
    ),
    Break(
        "inv_order_overdue",
        [
            """
            UPDATE fan_order
               SET state = 'open', paid_by = NULL, paid_at = NULL, made_at = now() - interval '1 hour',
                   pay_by = now() - interval '1 hour', lapse_at = now() - interval '5 minutes 1 s'
            """
        ],
        'state="open"',
        beside=frozenset({"inv_order_not_hold", "inv_money_without_order"}),
        setup=ORDERED,
    ),
    Break(
        "inv_search_event_stale",
        ["DELETE FROM search_event"],
        "in_search=",
    ),
    Break(
        "inv_search_name_stale",
        ["UPDATE search_name SET said = said || 'x'"],
        "said_in_search=",
        beside=frozenset({"inv_search_word_stale", "inv_search_spelling_missing"}),  # words are those of the names
    ),
    Break(
        "inv_search_word_stale",
        ["DELETE FROM search_word"],
        "worth_of_name=",
    ),
    Break(
        "inv_search_spelling_missing",
        ["DELETE FROM search_spelling"],
        "word=",
    ),
    Break(
        "inv_levels_gone_wrong",
        ["INSERT INTO levels_gone (event_id, update_no, levels) SELECT event_id, update_no, '{A}' FROM lane"],
        "is_noted_gone=true",
    ),
]


async def test_every_invariant_has_its_test(passing: asyncpg.Connection):
    views = await passing.fetch("SELECT viewname FROM pg_views WHERE viewname LIKE 'inv\\_%'")
    assert {row["viewname"] for row in views} == {broken.view for broken in BREAKS}


async def test_an_empty_database_has_no_violations(connection: asyncpg.Connection):
    assert await violations(connection) == []


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: f"{broken.view}: {broken.words}")
async def test_a_broken_invariant_is_told(passing: asyncpg.Connection, broken: Break):
    await passing.execute(broken.setup)
    assert {found.invariant for found in await violations(passing)} == broken.before  # the control
    await passing.execute("SET LOCAL session_replication_role = replica")
    await passing.execute(";".join(broken.statements))
    told = await violations(passing)
    assert {found.invariant for found in told} - broken.beside - broken.before == {broken.view} - broken.before
    assert any(broken.words in found.row for found in told), told


async def test_control_what_a_break_does_beside_breaking_is_in_order(passing: asyncpg.Connection):
    await passing.execute(ORDERED + HELD_AGAIN + HELD_BY_ANOTHER)
    assert await violations(passing) == []


async def test_a_limit_holds_for_each_invariant(passing: asyncpg.Connection):
    await passing.execute("DELETE FROM price_level")
    await passing.execute("UPDATE seat_map SET seats = 8")
    told = await violations(passing, limit_per_invariant=1)
    assert [found.invariant for found in told] == ["inv_price_level_missing", "inv_seat_map_miscounted"]


async def test_a_violation_is_one_line_whatever_a_name_contains(passing: asyncpg.Connection):
    await passing.execute("UPDATE event SET name = E'Two\\nlines, \"one\" event'")
    await passing.execute("DELETE FROM price_level WHERE level = 'A'")
    (found,) = await violations(passing)
    assert found.row.endswith(r'level="A" name="Two\nlines, \"one\" event"')


ODD_MAPS: Final[list[dict[str, object]]] = [
    {},  # nothing of what is counted
    {"price_levels": 3, "sections": {"rows": [{"seats": "4"}]}},  # other types
    {"price_levels": ["A", None, [], {"B": 1}], "sections": [None, [], {"capacity": -1}]},
    {"sections": [{"rows": [{"seats": 10**400}]}]},  # a number beyond every column
    {"price_levels": {"A": {"B": "C"}}, "sections": [[{"capacity": 7}]]},
]


@pytest.mark.parametrize("fields", ODD_MAPS)
async def test_a_document_of_another_shape_hides_no_other_invariant(
    passing: asyncpg.Connection, fields: dict[str, object]
):
    document = json.dumps({"format": "frontrow-seat-map/1", "name": "odd", **fields}).encode()
    await passing.execute(
        "INSERT INTO seat_map VALUES ($1, 'odd', 3, $2)", hashlib.sha256(document).hexdigest(), document
    )
    await passing.execute("UPDATE hall_seat_map SET version = 3")
    told = {found.invariant for found in await violations(passing)}
    assert told == {"inv_hall_seat_map_version_missing", "inv_seat_map_miscounted"}
